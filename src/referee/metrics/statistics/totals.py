"""Bootstrap intervals of many statistics of the same games at once, from one set of draws.

Means, ratios, correlations and whatever else can be computed from sums over games need no single game
in a resample, only each cluster's sums. So the clusters are drawn once, one product of matrices gives
the sums of every resample, and each statistic reads its columns of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from referee.metrics.statistics.bootstrap import Method, accelerated_shares
from referee.metrics.statistics.inputs import Array, check_choice, check_resamples, check_share
from referee.metrics.statistics.resampling import chunks, draw_counts, seeded
from referee.metrics.statistics.results import Interval, unknown_interval

OfSums = Callable[[Array], Array]
"""Sums of shape (..., columns) to estimates of shape (...)."""

_BLOCK = 256
"""Resamples whose counts are multiplied at once; they are drawn in pieces that stay in the cache."""


@dataclass(frozen=True)
class OfTotals:
    """A statistic of some columns of sums, and on how many values and clusters it rests.

    `resampled` computes it of a resample's sums where that is another function: an estimate without
    bias needs its correction once more there, since a resample adds to it what the data added.
    """

    columns: slice | list[int]
    estimate: OfSums
    n: int
    n_clusters: int
    resampled: OfSums | None = None


def mean_of(sums: Array) -> Array:
    """The mean from a sum and a count; NaN of none.

    >>> mean_of(np.array([[6.0, 3.0], [0.0, 0.0]])).tolist()
    [2.0, nan]
    """
    many = sums[..., 1]
    return np.where(many > 0, sums[..., 0] / np.where(many > 0, many, 1.0), np.nan)


def deviation_of(sums: Array) -> Array:
    """The standard deviation of a sample from sum, count and sum of squares; NaN of fewer than two.

    >>> float(deviation_of(np.array([6.0, 3.0, 14.0])))
    1.0
    """
    whole, many, squares = np.moveaxis(sums, -1, 0)
    some = many > 1
    safe = np.where(some, many, 2.0)
    spread = np.maximum(squares - whole * whole / safe, 0.0) / (safe - 1)
    return np.where(some, np.sqrt(spread), np.nan)


def totals_intervals(
    totals: Array,
    statistics: Sequence[OfTotals],
    *,
    method: Method = "percentile",
    level: float = 0.95,
    resamples: int = 2000,
    seed: int,
) -> list[Interval]:
    """The interval of each statistic, all of the same resamples of the clusters.

    Args:
        totals: the sums of each cluster, shape (clusters, columns); a cluster that has no part in a
            statistic has zeros in its columns, and is drawn all the same.
        statistics: what to compute of the sums.
        method: "percentile" or "bca".
        level: share of such intervals that hold the true value.
        resamples: number of resamples; those in which a statistic is undefined are left out of its own.
        seed: of the draws.

    Examples:
        >>> wins = np.array([[2.0, 3.0], [1.0, 1.0], [0.0, 2.0], [1.0, 1.0], [1.0, 1.0]])
        >>> share = OfTotals(slice(0, 2), mean_of, n=8, n_clusters=5)
        >>> (interval,) = totals_intervals(wins, [share], seed=1)
        >>> interval.estimate, 0 < interval.low < interval.estimate < interval.high <= 1
        (0.625, True)
    """
    check_choice(method, get_args(Method), "method")
    check_share(level)
    check_resamples(resamples)
    whole = totals.sum(axis=0)
    groups = len(totals)
    drawn = _drawn(totals, resamples, seed) if groups > 1 else np.empty((0, totals.shape[1]))
    return [
        _interval(each, (totals, whole, drawn), method=method, level=level) for each in statistics
    ]


def _drawn(totals: Array, resamples: int, seed: int) -> Array:
    """The sums of each resample, shape (resamples, columns)."""
    generator, groups = seeded(seed), len(totals)
    parts = []
    for block in chunks(resamples, 1, _BLOCK):
        pieces = [draw_counts(generator, groups, rows) for rows in chunks(block, groups)]
        parts.append(np.concatenate(pieces) @ totals)
    return np.concatenate(parts)


def _interval(
    statistic: OfTotals, sums: tuple[Array, Array, Array], *, method: Method, level: float
) -> Interval:
    totals, whole, drawn = (each[..., statistic.columns] for each in sums)
    estimate = float(statistic.estimate(whole))
    name = f"{method} bootstrap by cluster, joint"
    unknown = unknown_interval(estimate, level, name, statistic.n, statistic.n_clusters)
    if math.isnan(estimate) or statistic.n_clusters < 2 or not len(drawn):  # noqa: PLR2004
        return unknown
    found = (statistic.resampled or statistic.estimate)(drawn)
    found = found[~np.isnan(found)]
    if not found.size:
        return unknown
    shares = np.array([0.5 - level / 2, 0.5 + level / 2])
    if method == "bca":
        part = totals.any(axis=1)
        jackknife = statistic.estimate(whole - totals[part])
        shares = accelerated_shares(shares, found, estimate, jackknife)
    low, high = np.quantile(found, shares)
    spread = float(found.std(ddof=1)) if found.size > 1 and np.ptp(found) > 0 else 0.0
    return Interval(
        estimate=estimate,
        low=float(low),
        high=float(high),
        level=level,
        method=name,
        standard_error=spread,
        n=statistic.n,
        n_clusters=statistic.n_clusters,
        resamples=found.size,
    )
