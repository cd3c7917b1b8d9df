"""Two runs on different games, compared by rank."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from referee.metrics.statistics.inputs import Array, as_values, check_alternative, check_share
from referee.metrics.statistics.results import (
    Alternative,
    Interval,
    SignificanceTest,
    unknown_interval,
)

_EXACT_UP_TO = 8
"""The smaller sample at which the exact distribution is still worth its time."""


def mann_whitney(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided"
) -> SignificanceTest:
    r"""Mann-Whitney test of two independent samples, with the probability of superiority.

    $$ U = \sum_{i,j} \Bigl([a_i > b_j] + \tfrac12 [a_i = b_j]\Bigr), \qquad
    \hat P = \frac{U}{n_a n_b} $$

    The p-value is exact for small samples without ties, else asymptotic with corrections for ties and
    continuity. It takes the values as independent: give it one value for each worker or image
    (`cluster_means`) where games hang together. Without values on a side p is 1.

    Args:
        a: shape (n_a,).
        b: shape (n_b,).
        alternative: "greater" asks whether a tends to be greater.

    Examples:
        >>> test = mann_whitney([19, 22, 16, 29, 24], [20, 11, 17, 12])
        >>> test.statistic, test.effect, round(test.p_value, 4), test.method
        (17.0, 0.85, 0.1111, 'exact')
    """
    check_alternative(alternative)
    first, second = as_values(a, "a"), as_values(b, "b")
    sizes, pooled = (len(first), len(second)), np.concatenate([first, second])
    ties = len(np.unique(pooled)) < len(pooled)
    exact = not ties and min(sizes) <= _EXACT_UP_TO
    statistic, p_value = math.nan, 1.0
    if min(sizes) > 0:
        from scipy import stats

        statistic = _wins(first, second)
        if np.ptp(pooled) > 0:
            method = "exact" if exact else "asymptotic"
            found = stats.mannwhitneyu(first, second, alternative=alternative, method=method)
            p_value = float(found.pvalue)
    return SignificanceTest(
        name="Mann-Whitney",
        p_value=p_value,
        statistic=statistic,
        effect=statistic / (sizes[0] * sizes[1]) if min(sizes) else math.nan,
        effect_name="probability of superiority",
        alternative=alternative,
        method="exact" if exact else "asymptotic",
        n=sum(sizes),
    )


def superiority(a: ArrayLike, b: ArrayLike, *, level: float = 0.95) -> Interval:
    r"""Probability that a value of a exceeds one of b, ties counted half, with an interval.

    $$ \hat P = \frac{U}{n_a n_b}, \qquad r = 2 \hat P - 1 $$

    $r$ is the rank-biserial correlation (Cliff's delta), and its bounds follow from these by the same
    formula. The interval is Brunner and Munzel's, cut to [0, 1]; where all of one sample lies above the
    other that has width zero, and the bounds are Newcombe's (2006, method 5) instead.

    Args:
        a: shape (n_a,).
        b: shape (n_b,).
        level: share of such intervals that hold the true probability.

    Examples:
        >>> interval = superiority([19, 22, 16, 29, 24], [20, 11, 17, 12])
        >>> interval.estimate, round(interval.low, 2), round(interval.high, 2)
        (0.85, 0.52, 1.0)
    """
    check_share(level)
    first, second = as_values(a, "a"), as_values(b, "b")
    name, n, fewer = "Brunner-Munzel", len(first) + len(second), min(len(first), len(second))
    estimate = _wins(first, second) / (len(first) * len(second)) if fewer else math.nan
    if fewer < 2:  # noqa: PLR2004 - one value has no spread
        return unknown_interval(estimate, level, name, n, n)
    if estimate in {0.0, 1.0}:
        name, error, freedom = "Newcombe", math.nan, None
        low, high = _newcombe(estimate, len(first), len(second), level)
    else:
        from statsmodels.stats.nonparametric import rank_compare_2indep

        with np.errstate(divide="ignore", invalid="ignore"):
            found = rank_compare_2indep(first, second)
        error, freedom = math.sqrt(found.var_prob), float(found.df)
        bounds = found.conf_int(alpha=1 - level) if error > 0 else (estimate, estimate)
        low, high = (min(max(float(bound), 0.0), 1.0) for bound in bounds)
    return Interval(
        estimate=estimate,
        low=low,
        high=high,
        level=level,
        method=name,
        standard_error=error,
        n=n,
        n_clusters=n,
        degrees_of_freedom=freedom if error > 0 else None,
    )


def _wins(first: Array, second: Array) -> float:
    """U: the pairs in which the first is greater, ties counted half."""
    ordered = np.sort(second)
    below = np.searchsorted(ordered, first, side="left")
    not_above = np.searchsorted(ordered, first, side="right")
    return float((below + not_above).sum()) / 2


def _newcombe(estimate: float, n_a: int, n_b: int, level: float) -> tuple[float, float]:
    """The bounds p at which |estimate - p| is z standard errors under p itself."""
    from scipy import optimize, stats

    z = float(stats.norm.ppf(0.5 + level / 2))
    balance = (n_a + n_b) / 2 - 1

    def excess(p: float) -> float:
        inner = 1 + balance * ((1 - p) / (2 - p) + p / (1 + p))
        return (1 - p) ** 2 - z**2 * p * (1 - p) * inner / (n_a * n_b)

    # Both sides vanish at p = 1, so the crossing is looked for just below it.
    bound = float(optimize.brentq(excess, 0.0, 1 - 1e-9))
    return (bound, 1.0) if estimate == 1 else (0.0, 1 - bound)
