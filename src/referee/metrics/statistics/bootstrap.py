"""Bootstrap intervals: by game, by image, or over two crossed factors."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from referee.errors import UsageError
from referee.metrics.statistics.inputs import (
    Array,
    Codes,
    Labels,
    as_codes,
    as_rows,
    check_choice,
    check_resamples,
    check_share,
)
from referee.metrics.statistics.resampling import (
    WEIGHTS,
    RatioSample,
    Sample,
    Statistic,
    WeightedSample,
    chunks,
    draw_counts,
    evaluate,
    seeded,
    weighted_mean,
    weighted_ratio,
)
from referee.metrics.statistics.results import Interval, unknown_interval

Method = Literal["percentile", "bca"]

_NAMED: dict[str, Statistic] = {"mean": weighted_mean, "ratio": weighted_ratio}


def bootstrap_interval(
    values: ArrayLike,
    *,
    clusters: Labels | None = None,
    statistic: Literal["mean", "ratio"] | Statistic = "mean",
    method: Method = "percentile",
    level: float = 0.95,
    resamples: int = 2000,
    seed: int,
) -> Interval:
    r"""Bootstrap interval of a mean, a ratio or any weighted statistic.

    Each resample draws as many clusters as there are, with replacement, and keeps a drawn cluster
    whole; without `clusters` each value is its own. With $w_g$ the times that cluster $g$ is drawn,

    $$ \theta^* = \frac{\sum_g w_g \sum_{i \in g} x_i}{\sum_g w_g \sum_{i \in g} d_i}, $$

    where $d_i = 1$ for a mean, so that clusters of unequal size count by their games. `percentile`
    takes the quantiles of $\theta^*$; `bca` shifts them by the bias $z_0$ and the acceleration $a$ of
    the jackknife over clusters (Efron 1987).

    With "mean" or "ratio" the result does not depend on the order of the games. With `bca` and a
    statistic of one's own, the jackknife computes it once for each cluster.

    Args:
        values: shape (n,); for "ratio" shape (n, 2), numerator and denominator of each game; for a
            statistic of one's own, shape (n,) or (n, columns).
        clusters: the image (or other unit) of each value, shape (n,).
        statistic: "mean", "ratio", or a function of the values and of weights of shape (m, n) that
            gives m estimates, such as `weighted_correlation`.
        method: "percentile" or "bca".
        level: share of such intervals that hold the true value.
        resamples: number of resamples; those in which the statistic is undefined are left out.
        seed: of the draws.

    Examples:
        >>> right = [1, 1, 0, 1, 0, 0, 1, 1]
        >>> image = ["a", "a", "a", "b", "c", "c", "d", "e"]
        >>> interval = bootstrap_interval(right, clusters=image, seed=1)
        >>> interval.estimate, interval.n, interval.n_clusters
        (0.625, 8, 5)
        >>> 0 < interval.low < interval.estimate < interval.high <= 1
        True
    """
    check_choice(method, get_args(Method), "method")
    check_share(level)
    check_resamples(resamples)
    rows = _as_table(values, statistic)
    codes, groups = (
        (np.arange(len(rows), dtype=np.intp), len(rows))
        if clusters is None
        else as_codes(clusters, len(rows))
    )
    name = f"{method} bootstrap" + ("" if clusters is None else " by cluster")
    if groups == 0:
        return unknown_interval(math.nan, level, name, 0, 0)
    sample = _sample(rows, codes, groups, statistic)
    estimate = sample.estimate()
    if groups == 1 or math.isnan(estimate):
        return unknown_interval(estimate, level, name, len(rows), groups)
    drawn = sample.resample(seeded(seed), resamples)
    drawn = drawn[~np.isnan(drawn)]
    shares = np.array([0.5 - level / 2, 0.5 + level / 2])
    if method == "bca" and drawn.size:
        shares = accelerated_shares(shares, drawn, estimate, sample.jackknife())
    return _interval(drawn, shares, unknown_interval(estimate, level, name, len(rows), groups))


def two_way_bootstrap_interval(
    values: ArrayLike,
    first: Labels,
    second: Labels,
    *,
    statistic: Literal["mean", "ratio"] | Statistic = "mean",
    level: float = 0.95,
    resamples: int = 2000,
    seed: int,
) -> Interval:
    r"""Percentile interval that resamples two crossed factors at once (Owen's pigeonhole bootstrap).

    The levels of each factor are drawn with replacement on their own; game $i$, of worker $a$ and
    pool $b$, weighs $w_a w_b$. It is conservative: what varies from game to game is counted about
    three times (once for each factor and once for both), so that where neither factor matters the
    interval is about $\sqrt 3$ times too wide. `two_way_mean_interval` is sharper for a mean.

    Args:
        values: as in `bootstrap_interval`.
        first: level of the first factor of each value, shape (n,).
        second: level of the second factor of each value, shape (n,).
        statistic: as in `bootstrap_interval`.
        level: share of such intervals that hold the true value, at least.
        resamples: number of resamples; those that hold no game are left out.
        seed: of the draws.

    Examples:
        >>> rank = [3, 5, 2, 8, 9, 7]
        >>> worker, pool = ["v", "v", "w", "w", "x", "x"], [1, 2, 1, 2, 1, 2]
        >>> interval = two_way_bootstrap_interval(rank, worker, pool, seed=1)
        >>> round(interval.estimate, 3), interval.n_clusters
        (5.667, 2)
        >>> interval.low < interval.estimate < interval.high
        True
    """
    check_share(level)
    check_resamples(resamples)
    rows = _as_table(values, statistic)
    first_codes, first_groups = as_codes(first, len(rows), "first")
    second_codes, second_groups = as_codes(second, len(rows), "second")
    weighted = statistic if callable(statistic) else _NAMED[statistic]
    name, groups = "two-way percentile bootstrap", min(first_groups, second_groups)
    if groups == 0:
        return unknown_interval(math.nan, level, name, 0, 0)
    estimate = float(evaluate(weighted, rows, np.ones((1, len(rows))))[0])
    if groups == 1 or math.isnan(estimate):
        return unknown_interval(estimate, level, name, len(rows), groups)
    generator = seeded(seed)
    parts = []
    for count in chunks(resamples, len(rows), WEIGHTS):
        weights = draw_counts(generator, first_groups, count)[:, first_codes]
        weights *= draw_counts(generator, second_groups, count)[:, second_codes]
        held = weights[weights.any(axis=1)]
        parts.append(evaluate(weighted, rows, held))
    drawn = np.concatenate(parts)
    shares = np.array([0.5 - level / 2, 0.5 + level / 2])
    unknown = unknown_interval(estimate, level, name, len(rows), groups)
    return _interval(drawn[~np.isnan(drawn)], shares, unknown)


def weighted_correlation(values: Array, weights: Array) -> Array:
    r"""Pearson's r under each row of weights, for use as a bootstrap's statistic.

    $$ r = \frac{\sum w (x - \bar x)(y - \bar y)}
    {\sqrt{\sum w (x - \bar x)^2 \sum w (y - \bar y)^2}}, \quad
    \bar x = \frac{\sum w x}{\sum w} $$

    Args:
        values: x and y, shape (n, 2).
        weights: shape (m, n).

    Returns:
        r, shape (m,); NaN where x or y does not vary.

    Examples:
        >>> rows = [[1, 2], [2, 1], [3, 4], [4, 3], [5, 6], [6, 5]]
        >>> interval = bootstrap_interval(rows, statistic=weighted_correlation, seed=1)
        >>> round(interval.estimate, 3)
        0.829
    """
    if values.ndim != 2 or values.shape[1] != 2:  # noqa: PLR2004 - x and y
        raise UsageError(f"a correlation needs values of shape (n, 2), not {values.shape}")
    centred = values - values.mean(axis=0)
    x, y = centred.T
    moments = weights @ np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)
    total, sum_x, sum_y, square_x, square_y, product = moments.T
    covariance = product - sum_x * sum_y / total
    spread_x = square_x - sum_x**2 / total
    spread_y = square_y - sum_y**2 / total
    # A resample of one value repeated leaves rounding noise where the spread should be zero.
    noise = 1e-12 * total
    flat = (spread_x <= noise * x.var()) | (spread_y <= noise * y.var())
    scale = np.sqrt(np.where(flat, 1.0, spread_x * spread_y))
    return np.where(flat, np.nan, np.clip(covariance / scale, -1.0, 1.0))


def _as_table(values: ArrayLike, statistic: str | Statistic) -> Array:
    if not callable(statistic):
        check_choice(statistic, tuple(_NAMED), "statistic")
    rows = as_rows(values)
    if statistic == "mean" and rows.ndim != 1:
        raise UsageError(f"a mean needs one number for each game, not shape {rows.shape}")
    if statistic == "ratio" and (rows.ndim, rows.shape[-1]) != (2, 2):
        raise UsageError(f"a ratio needs shape (n, 2), numerator and denominator; not {rows.shape}")
    return rows


def _sample(rows: Array, codes: Codes, groups: int, statistic: str | Statistic) -> Sample:
    if callable(statistic):
        return WeightedSample(rows, codes, groups, statistic)
    if statistic == "mean":
        return RatioSample(rows, np.ones(len(rows)), codes, groups)
    return RatioSample(rows[:, 0], rows[:, 1], codes, groups)


def _interval(drawn: Array, shares: Array, unknown: Interval) -> Interval:
    """Bounds at these quantiles of the resamples; unknown where none had a value."""
    if drawn.size == 0:
        return unknown
    low, high = np.quantile(drawn, shares)
    # Equal numbers have a spread of a last digit in floating point.
    spread = float(drawn.std(ddof=1)) if np.ptp(drawn) > 0 else 0.0
    return Interval(
        estimate=unknown.estimate,
        low=float(low),
        high=float(high),
        level=unknown.level,
        method=unknown.method,
        standard_error=spread if drawn.size > 1 else math.nan,
        n=unknown.n,
        n_clusters=unknown.n_clusters,
        resamples=drawn.size,
    )


def accelerated_shares(shares: Array, drawn: Array, estimate: float, jackknife: Array) -> Array:
    """BCa's quantiles: Phi(z0 + (z0 + z) / (1 - a (z0 + z)))."""
    from scipy import stats

    jackknife = jackknife[~np.isnan(jackknife)]
    influence = jackknife.mean() - jackknife if jackknife.size else jackknife
    squares = float(influence @ influence)
    scale = max(abs(estimate), float(np.abs(drawn).max()))
    if np.ptp(drawn) <= 1e-12 * scale or squares == 0:
        return shares
    acceleration = float((influence**3).sum()) / (6 * squares**1.5)
    below = ((drawn < estimate).mean() + (drawn <= estimate).mean()) / 2
    # An estimate outside all resamples would push the bias to infinity: half a resample is kept.
    edge = 0.5 / drawn.size
    bias = float(stats.norm.ppf(np.clip(below, edge, 1 - edge)))
    shifted = bias + stats.norm.ppf(shares)
    stretch = 1 - acceleration * shifted
    # Past this pole the formula turns round; the quantile it was heading for is the last one.
    safe = np.where(stretch > 0, stretch, 1.0)
    ends = np.where(shifted > 0, 1.0, 0.0)
    return np.where(stretch > 0, stats.norm.cdf(bias + shifted / safe), ends)
