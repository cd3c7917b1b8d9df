r"""Student's t intervals for means, robust to one or two ways in which games hang together.

Every estimate here is a mean or a difference of means; $\psi_i$ is what game $i$ adds to its error,
$(x_i - \bar x) / n$ for a mean. For a factor with $G$ levels

$$ V = \frac{G}{G - 1} \sum_g \Bigl(\sum_{i \in g} \psi_i\Bigr)^2, \qquad
\nu = \frac{(\sum_g c_g)^2}{\sum_g c_g^2} - 1, $$

where $c_g$ is the share of the games in level $g$: with levels of equal size $\nu = G - 1$, and a few
large levels count as the few that they are.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from referee.errors import UsageError
from referee.metrics.statistics.inputs import (
    Array,
    Codes,
    Labels,
    as_codes,
    as_values,
    check_share,
)
from referee.metrics.statistics.results import Interval, student_interval, unknown_interval


def cluster_means(values: ArrayLike, clusters: Labels) -> dict[Hashable, float]:
    """Mean of each cluster's values, for tests that need independent units.

    Args:
        values: shape (n,).
        clusters: the cluster of each value, shape (n,).

    Returns:
        The clusters in order of appearance, each with its mean.

    Examples:
        >>> cluster_means([4, 6, 1], ["ann", "ann", "bob"])
        {'ann': 5.0, 'bob': 1.0}
    """
    numbers = as_values(values)
    codes, groups = as_codes(clusters, len(numbers))
    sums = np.bincount(codes, numbers, groups)
    means = (sums / np.bincount(codes, minlength=groups)).tolist()
    listed = clusters.tolist() if isinstance(clusters, np.ndarray) else clusters
    return dict(zip(dict.fromkeys(listed), means, strict=True))


def mean_interval(
    values: ArrayLike, *, clusters: Labels | None = None, level: float = 0.95
) -> Interval:
    r"""Student's t interval of a mean, by game or by cluster.

    $$ \bar x \pm t_{\nu} \sqrt V $$

    with $V$ and $\nu$ of the module; without clusters, $V = s^2 / n$ and $\nu = n - 1$.

    Args:
        values: shape (n,).
        clusters: the image (or other unit) of each value, shape (n,).
        level: share of such intervals that hold the true mean.

    Examples:
        >>> interval = mean_interval([5, 6, 7, 8, 9])
        >>> round(interval.low, 3), interval.estimate, round(interval.high, 3)
        (5.037, 7.0, 8.963)
    """
    check_share(level)
    numbers = as_values(values)
    codes, groups = _codes(clusters, len(numbers))
    name = "t" if clusters is None else "cluster-robust t"
    estimate = float(numbers.mean()) if numbers.size else math.nan
    if groups < 2:  # noqa: PLR2004 - one unit has no spread
        return unknown_interval(estimate, level, name, len(numbers), groups)
    weights = np.full(len(numbers), 1 / len(numbers))
    component = _component((numbers - estimate) * weights, weights, codes, groups)
    return _student(estimate, component, level, name, len(numbers), groups)


def difference_interval(a: ArrayLike, b: ArrayLike, *, level: float = 0.95) -> Interval:
    r"""Welch's t interval of the difference of two independent means, $\bar a - \bar b$.

    $$ V = \frac{s_a^2}{n_a} + \frac{s_b^2}{n_b}, \qquad
    \nu = \frac{V^2}{\frac{s_a^4}{n_a^2 (n_a - 1)} + \frac{s_b^4}{n_b^2 (n_b - 1)}} $$

    Args:
        a: shape (n_a,).
        b: shape (n_b,).
        level: share of such intervals that hold the true difference.

    Examples:
        >>> interval = difference_interval([5, 6, 7, 8, 9], [1, 2, 3, 4, 5])
        >>> interval.estimate, round(interval.degrees_of_freedom, 6)
        (4.0, 8.0)
    """
    check_share(level)
    one, other = mean_interval(a), mean_interval(b)
    estimate, n = one.estimate - other.estimate, one.n + other.n
    name = "Welch's t"
    if min(one.n, other.n) < 2:  # noqa: PLR2004 - one value has no spread
        return unknown_interval(estimate, level, name, n, n)
    components = [
        _Component(side.standard_error**2, side.degrees_of_freedom or 1.0) for side in (one, other)
    ]
    return _student(estimate, _combined(components), level, name, n, n)


def two_way_mean_interval(
    values: ArrayLike, first: Labels, second: Labels, *, level: float = 0.95
) -> Interval:
    r"""Student's t interval of a mean whose games hang together in two crossed ways.

    Workers play several pools, and each pool is played by several workers; or annotators see several
    images. The variance is Cameron, Gelbach and Miller's, kept from falling below either factor's own
    (it would otherwise be too small, or negative, where neither factor matters; MacKinnon, Nielsen
    and Webb):

    $$ V = \max(V_a + V_b - V_{ab}, V_a, V_b), $$

    where $V_{ab}$ is that of the cells, the games alike in both. The degrees of freedom are those of
    the factor whose own variance is the largest of the three, or else Satterthwaite's

    $$ \nu = \frac{V^2}{V_a^2 / \nu_a + V_b^2 / \nu_b + V_{ab}^2 / \nu_{ab}}, $$

    and at least 1. `method` tells which it was.

    Args:
        values: shape (n,).
        first: level of the first factor of each value, shape (n,).
        second: level of the second factor of each value, shape (n,).
        level: share of such intervals that hold the true mean.

    Examples:
        >>> rank = [3, 5, 2, 8, 9, 14]
        >>> worker, pool = ["v", "v", "w", "w", "x", "x"], [1, 2, 1, 2, 1, 2]
        >>> interval = two_way_mean_interval(rank, worker, pool)
        >>> round(interval.estimate, 3), interval.n, interval.n_clusters
        (6.833, 6, 2)
    """
    check_share(level)
    numbers = as_values(values)
    estimate = float(numbers.mean()) if numbers.size else math.nan
    weights = np.full(len(numbers), 1 / max(len(numbers), 1))
    influence = (numbers - estimate) * weights
    return _two_way(estimate, influence, weights, (first, second), level)


def two_way_difference_interval(
    values: ArrayLike, in_a: ArrayLike, first: Labels, second: Labels, *, level: float = 0.95
) -> Interval:
    r"""Student's t interval of the difference between two arms, with two crossed factors.

    The estimate is $\bar x_a - \bar x_b$, the slope of a regression on the arm. A level of a factor may
    occur in one arm (a worker who played with one bot) or in both (a pool that both bots played); in
    the latter case what the pool adds to both arms cancels, as it should. Variance and degrees of
    freedom are those of `two_way_mean_interval` with $\psi_i = \pm (x_i - \bar x_{arm}) / n_{arm}$, one
    degree less, and the regression's factor $(n - 1) / (n - 2)$.

    Args:
        values: shape (n,).
        in_a: whether each value is of arm a, shape (n,).
        first: level of the first factor of each value, shape (n,).
        second: level of the second factor of each value, shape (n,).
        level: share of such intervals that hold the true difference.

    Examples:
        >>> rank = [3, 5, 2, 8, 9, 14, 4, 6]
        >>> with_bot_a = [True, True, True, True, False, False, False, False]
        >>> worker, pool = ["v", "v", "w", "w", "x", "x", "y", "y"], [1, 2, 1, 2, 1, 2, 1, 2]
        >>> two_way_difference_interval(rank, with_bot_a, worker, pool).estimate
        -3.75
    """
    check_share(level)
    numbers, arm = as_values(values), as_values(in_a, "in_a")
    if len(arm) != len(numbers) or not np.isin(arm, (0, 1)).all():
        raise UsageError("in_a must say true or false for each value")
    chosen = arm == 1
    counts = np.array([np.count_nonzero(chosen), np.count_nonzero(~chosen)])
    if counts.min() < 2:  # noqa: PLR2004 - one value has no spread
        raise UsageError(f"each arm needs two values or more, not {counts[0]} and {counts[1]}")
    means = np.array([numbers[chosen].mean(), numbers[~chosen].mean()])
    weights = np.where(chosen, 1 / counts[0], 1 / counts[1])
    influence = np.where(chosen, numbers - means[0], means[1] - numbers) * weights
    return _two_way(float(means[0] - means[1]), influence, weights, (first, second), level, 2)


@dataclass(frozen=True, slots=True)
class _Component:
    """A variance and the degrees of freedom it rests on."""

    variance: float
    degrees_of_freedom: float


def _codes(clusters: Labels | None, length: int) -> tuple[Codes, int]:
    if clusters is None:
        return np.arange(length, dtype=np.intp), length
    return as_codes(clusters, length)


def _component(
    influence: Array, weights: Array, codes: Codes, groups: int, means: int = 1
) -> _Component:
    """The variance of one factor: see the module."""
    sums = np.bincount(codes, influence, groups)
    sizes = np.bincount(codes, weights, groups)
    n = len(influence)
    factor = groups / (groups - 1) * (n - 1) / (n - means)
    effective = float(sizes.sum() ** 2 / (sizes @ sizes))
    return _Component(factor * float(sums @ sums), max(effective - means, 1.0))


def _combined(components: list[_Component], variance: float | None = None) -> _Component:
    """Satterthwaite's degrees of freedom for a sum (or a difference) of variances."""
    total = sum(part.variance for part in components) if variance is None else variance
    spread = sum(part.variance**2 / part.degrees_of_freedom for part in components)
    return _Component(total, max(total**2 / spread, 1.0) if spread > 0 else 1.0)


def _two_way(
    estimate: float,
    influence: Array,
    weights: Array,
    factors: tuple[Labels, Labels],
    level: float,
    means: int = 1,
) -> Interval:
    n = len(influence)
    (first, first_groups), (second, second_groups) = (
        as_codes(labels, n, name) for labels, name in zip(factors, ("first", "second"), strict=True)
    )
    groups = min(first_groups, second_groups)
    if groups < 2:  # noqa: PLR2004 - a factor with one level has no spread
        return unknown_interval(estimate, level, "two-way cluster-robust t", n, groups)
    cells, cell = np.unique(first * second_groups + second, return_inverse=True)
    a = _component(influence, weights, first, first_groups, means)
    b = _component(influence, weights, second, second_groups, means)
    both = _component(influence, weights, cell, len(cells), means)
    crossed = _combined([a, b, both], a.variance + b.variance - both.variance)
    name, component = max(
        ("two-way cluster-robust t", crossed),
        ("two-way cluster-robust t, first factor alone", a),
        ("two-way cluster-robust t, second factor alone", b),
        key=lambda named: named[1].variance,
    )
    return _student(estimate, component, level, name, n, groups)


def _student(
    estimate: float, component: _Component, level: float, method: str, n: int, n_clusters: int
) -> Interval:
    return student_interval(
        estimate=estimate,
        standard_error=math.sqrt(component.variance),
        degrees_of_freedom=component.degrees_of_freedom,
        level=level,
        method=method,
        n=n,
        n_clusters=n_clusters,
    )
