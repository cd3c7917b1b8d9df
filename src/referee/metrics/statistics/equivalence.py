"""Equivalence: that a difference is too small to matter, rather than merely not shown."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from referee.errors import UsageError
from referee.metrics.statistics.clusters import difference_interval, mean_interval
from referee.metrics.statistics.inputs import Labels, as_pair, check_share
from referee.metrics.statistics.results import Equivalence, Interval, student_interval

Margin = float | tuple[float, float]
"""A half-width around zero, or the two ends."""


def equivalence_of_interval(
    interval: Interval, margin: Margin, *, alpha: float = 0.05
) -> Equivalence:
    r"""Two one-sided tests on any estimate with a standard error.

    $$ p_{low} = P\Bigl(T_\nu \ge \frac{\hat\theta - \theta_{low}}{SE}\Bigr), \quad
    p_{high} = P\Bigl(T_\nu \le \frac{\hat\theta - \theta_{high}}{SE}\Bigr), \quad
    p = \max(p_{low}, p_{high}) $$

    Equivalent when $p < \alpha$, that is when the interval of level $1 - 2 \alpha$ lies inside the
    margin. The margin must be fixed before the data are seen. The degrees of freedom are those of the
    interval; an interval without any (a bootstrap) is taken as normal.

    Args:
        interval: of a difference: by `mean_interval` (of paired differences, by cluster or not),
            `difference_interval`, `two_way_mean_interval` or `two_way_difference_interval`.
        margin: differences inside it do not matter.
        alpha: chance of calling a difference at the margin's edge equivalent.

    Examples:
        >>> from referee.metrics.statistics import two_way_mean_interval
        >>> difference = [0.1, -0.2, 0.0, 0.2, -0.1, 0.1, 0.0, -0.1, 0.1]
        >>> worker, pool = [1, 1, 1, 2, 2, 2, 3, 3, 3], [1, 2, 3, 1, 2, 3, 1, 2, 3]
        >>> equivalence_of_interval(two_way_mean_interval(difference, worker, pool), margin=1.0).equivalent
        True
    """
    low, high = _ends(margin)
    check_share(alpha, "alpha")
    if alpha >= 0.5:  # noqa: PLR2004 - the interval of level 1 - 2 alpha would be empty
        raise UsageError(f"alpha must lie below 0.5, not be {alpha}")
    freedom = interval.degrees_of_freedom
    narrower = student_interval(
        estimate=interval.estimate,
        standard_error=interval.standard_error,
        degrees_of_freedom=freedom,
        level=1 - 2 * alpha,
        method=interval.method,
        n=interval.n,
        n_clusters=interval.n_clusters,
    )
    above = _one_sided(interval.estimate - low, interval)
    below = _one_sided(high - interval.estimate, interval)
    worst = max(above, below) if not math.isnan(above) else math.nan
    return Equivalence(
        equivalent=worst < alpha,
        p_value=worst,
        p_above_low=above,
        p_below_high=below,
        margin_low=low,
        margin_high=high,
        alpha=alpha,
        interval=narrower,
    )


def equivalence_paired(
    a: ArrayLike,
    b: ArrayLike,
    margin: Margin,
    *,
    clusters: Labels | None = None,
    alpha: float = 0.05,
) -> Equivalence:
    r"""Two one-sided tests on the mean of a - b over the same games: see `equivalence_of_interval`.

    $\hat\theta = \bar d$ with $d = a - b$, and its standard error by game or by cluster.

    Args:
        a: shape (n,).
        b: the same games, shape (n,).
        margin: differences inside it do not matter.
        clusters: the image (or other unit) of each game, shape (n,).
        alpha: chance of calling a difference at the margin's edge equivalent.

    Examples:
        >>> equivalence_paired([5, 6, 7, 8], [5, 7, 6, 8], margin=2).equivalent
        True
    """
    first, second = as_pair(a, b)
    return equivalence_of_interval(
        mean_interval(first - second, clusters=clusters), margin, alpha=alpha
    )


def equivalence_independent(
    a: ArrayLike, b: ArrayLike, margin: Margin, *, alpha: float = 0.05
) -> Equivalence:
    r"""Two one-sided tests on the difference of two independent means: see `equivalence_of_interval`.

    $\hat\theta = \bar a - \bar b$ with Welch's standard error and degrees of freedom.

    Args:
        a: shape (n_a,).
        b: shape (n_b,).
        margin: differences inside it do not matter.
        alpha: chance of calling a difference at the margin's edge equivalent.

    Examples:
        >>> equivalence_independent([5, 6, 7, 8], [5, 7, 6, 9], margin=1).equivalent
        False
    """
    return equivalence_of_interval(difference_interval(a, b), margin, alpha=alpha)


def _ends(margin: Margin) -> tuple[float, float]:
    low, high = margin if isinstance(margin, tuple) else (-margin, margin)
    if not (np.isfinite([low, high]).all() and low < high):
        raise UsageError(f"a margin must be above zero, or (low, high) with low < high: {margin}")
    return float(low), float(high)


def _one_sided(distance: float, interval: Interval) -> float:
    """P-value against "the distance is not above zero"; NaN where the error is unknown."""
    from scipy import stats

    if math.isnan(interval.standard_error):
        return math.nan
    if interval.standard_error == 0:
        return 0.0 if distance > 0 else 1.0
    freedom = math.inf if interval.degrees_of_freedom is None else interval.degrees_of_freedom
    return float(stats.t.sf(distance / interval.standard_error, freedom))
