"""How many different things there are among many: a count, or a share, with an interval."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from referee.metrics.statistics.inputs import Array, Codes, Labels, as_codes, check_share
from referee.metrics.statistics.results import Interval, student_interval, unknown_interval


def kinds_interval(
    members: Labels, clusters: Labels, *, share: bool, level: float = 0.95
) -> Interval:
    r"""The number of kinds V among N members, or the share V / N, with a jackknife interval by cluster.

    A bootstrap would not do: a resample lacks over a third of the clusters and with them their own
    kinds, so that all of its counts lie below the one that was found. The jackknife leaves out one
    cluster at a time, which needs only the kinds that no other cluster has. With G clusters and
    $\theta_{-g}$ the value without cluster g,

    $$ s^2 = \frac{G - 1}{G} \sum_g (\theta_{-g} - \bar\theta_{-})^2, $$

    and the interval is Student's t with G - 1 degrees; by Efron and Stein's inequality $s^2$ is on
    average no smaller than the variance. It ends where no value can be: at 0, and a share at 1.

    Args:
        members: what is counted, shape (n,).
        clusters: the image (or other unit) of each member, shape (n,).
        share: whether the kinds are divided by the number of members.
        level: share of such intervals that hold the true value.

    Examples:
        >>> words = ["is", "it", "red", "is", "it", "blue", "is", "it", "red"]
        >>> found = kinds_interval(words, list("aaabbbccc"), share=False)
        >>> found.estimate, round(found.standard_error, 3), found.n, found.n_clusters
        (4.0, 0.667, 9, 3)
    """
    check_share(level)
    kinds, count = as_codes(members, len(members), "members")
    units, groups = as_codes(clusters, len(members))
    estimate = float(count / len(members) if share and len(members) else count)
    name = "jackknife by cluster"
    if groups < 2:  # noqa: PLR2004 (one cluster does not vary)
        estimate = estimate if len(members) else math.nan
        return unknown_interval(estimate, level, name, len(members), groups)
    # In order of size, so that the order of the clusters does not show in the last digit.
    without = np.sort(_without_each(kinds, count, units, groups, share=share))
    spread = math.sqrt((groups - 1) / groups * float(((without - without.mean()) ** 2).sum()))
    found = student_interval(
        estimate=estimate,
        standard_error=spread,
        degrees_of_freedom=groups - 1,
        level=level,
        method=name,
        n=len(members),
        n_clusters=groups,
    )
    most = 1.0 if share else math.inf
    return replace(found, low=max(found.low, 0.0), high=min(found.high, most))


def _without_each(kinds: Codes, count: int, units: Codes, groups: int, *, share: bool) -> Array:
    """The value without each cluster."""
    pairs = np.unique(np.stack([kinds, units], axis=1), axis=0)
    alone = np.bincount(pairs[:, 0], minlength=count) == 1
    lost = np.bincount(pairs[alone[pairs[:, 0]], 1], minlength=groups)
    left = (count - lost).astype(np.float64)
    return left / (len(kinds) - np.bincount(units, minlength=groups)) if share else left
