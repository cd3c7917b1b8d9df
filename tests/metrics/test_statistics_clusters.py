"""Student's t intervals against scipy, statsmodels and planted effects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import stats

from referee.errors import UsageError
from referee.metrics.statistics import (
    Interval,
    cluster_means,
    difference_interval,
    mean_interval,
    two_way_difference_interval,
    two_way_mean_interval,
)
from referee.metrics.statistics.inputs import Array


def crossed(
    seed: int,
    *,
    effects: tuple[float, float] = (1.0, 1.0),
    shape: tuple[int, int] = (14, 9),
    share: float = 0.6,
) -> tuple[Array, NDArray[Any], NDArray[Any]]:
    """Values with a worker's, a pool's and their own part, on a share of the crossed cells."""
    generator = np.random.default_rng(seed)
    kept = generator.random(shape[0] * shape[1]) < share
    workers = np.repeat(np.arange(shape[0]), shape[1])[kept]
    pools = np.tile(np.arange(shape[1]), shape[0])[kept]
    values = (
        effects[0] * generator.standard_normal(shape[0])[workers]
        + effects[1] * generator.standard_normal(shape[1])[pools]
        + generator.standard_normal(len(workers))
    )
    return values, workers, pools


def clustered_variance(values: Array, design: Array, groups: NDArray[Any]) -> float:
    """The variance of a regression's last coefficient by statsmodels; two-way ones may be negative."""
    fit = sm.OLS(values, design).fit(cov_type="cluster", cov_kwds={"groups": groups})
    return float(fit.cov_params()[-1, -1])


def test_without_clusters_it_is_the_textbook_interval() -> None:
    """The mean's interval is scipy's t interval."""
    values = np.random.default_rng(1).standard_normal(17)
    ours = mean_interval(values, level=0.9)
    theirs = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))
    assert ours.degrees_of_freedom == pytest.approx(16)


def test_the_difference_is_welch_s() -> None:
    """The difference of two means has scipy's Welch interval."""
    generator = np.random.default_rng(2)
    a, b = generator.standard_normal(12), 3 * generator.standard_normal(30) + 1
    theirs = stats.ttest_ind(a, b, equal_var=False)
    bounds = theirs.confidence_interval(0.95)
    ours = difference_interval(a, b)
    assert (ours.low, ours.high) == pytest.approx((bounds.low, bounds.high))
    assert ours.degrees_of_freedom == pytest.approx(theirs.df)


def test_one_way_error_is_statsmodels() -> None:
    """The cluster-robust error of a mean is that of a regression on a constant."""
    values, workers, _ = crossed(3)
    ours = mean_interval(values, clusters=workers)
    assert ours.standard_error**2 == pytest.approx(
        clustered_variance(values, np.ones((len(values), 1)), workers)
    )
    assert ours.n_clusters == 14


def test_equal_clusters_have_one_degree_less_than_their_number() -> None:
    """Clusters of one size count as themselves; one huge cluster makes them count as few."""
    equal = mean_interval(np.arange(12.0), clusters=np.repeat(np.arange(4), 3))
    assert equal.degrees_of_freedom == pytest.approx(3)
    sizes = [30, 1, 1, 1, 1, 1]
    unequal = mean_interval(np.arange(35.0), clusters=np.repeat(np.arange(6), sizes))
    assert unequal.degrees_of_freedom == pytest.approx(max(1, 35**2 / (30**2 + 5) - 1))


@pytest.mark.parametrize("seed", range(5))
def test_two_way_error_is_statsmodels(seed: int) -> None:
    """With two strong effects the error is that of a regression with two-way clusters."""
    values, workers, pools = crossed(seed)
    ours = two_way_mean_interval(values, workers, pools)
    groups = np.column_stack([workers, pools])
    assert ours.method == "two-way cluster-robust t"
    assert ours.standard_error**2 == pytest.approx(
        clustered_variance(values, np.ones((len(values), 1)), groups)
    )
    assert ours.n_clusters == 9


def test_two_way_bounds_by_hand() -> None:
    """A two by two table of 1, 3, 5, 9: the variances and Satterthwaite's degrees by hand.

    The mean is 4.5; row sums of the errors are -5 and 5, column sums -3 and 3, cells -3.5, -1.5, 0.5
    and 4.5. So V_a = 2 * 50 / 16, V_b = 2 * 18 / 16, V_ab = 4 / 3 * 35 / 16.
    """
    interval = two_way_mean_interval([1, 3, 5, 9], ["v", "v", "w", "w"], ["p", "q", "p", "q"])
    v_a, v_b, v_ab = 100 / 16, 36 / 16, 140 / 48
    variance = max(v_a + v_b - v_ab, v_a, v_b)
    assert variance == v_a
    assert interval.method.endswith("first factor alone")
    assert interval.standard_error == pytest.approx(2.5)
    assert interval.high == pytest.approx(4.5 + 2.5 * 12.7062, abs=1e-3)


def test_satterthwaite_s_degrees_by_hand() -> None:
    """On a full 3 x 3 table the degrees are V^2 / (V_a^2/2 + V_b^2/2 + V_ab^2/8)."""
    values = np.add.outer([0.0, 3.0, 7.0], [0.0, 4.0, 9.0]) + np.eye(3)
    rows, columns = np.repeat(np.arange(3), 3), np.tile(np.arange(3), 3)
    interval = two_way_mean_interval(values.ravel(), rows, columns)
    errors = (values - values.mean()) / 9
    v_a = 1.5 * (errors.sum(axis=1) ** 2).sum()
    v_b = 1.5 * (errors.sum(axis=0) ** 2).sum()
    v_ab = 9 / 8 * (errors**2).sum()
    variance = v_a + v_b - v_ab
    assert interval.standard_error == pytest.approx(math.sqrt(variance))
    expected = variance**2 / (v_a**2 / 2 + v_b**2 / 2 + v_ab**2 / 8)
    assert interval.degrees_of_freedom == pytest.approx(expected)
    half = stats.t.ppf(0.975, expected) * math.sqrt(variance)
    assert interval.high == pytest.approx(values.mean() + half)


def test_a_negative_variance_falls_back_on_the_larger_factor() -> None:
    """A checkerboard has V_a = V_b = 0 and would have a negative variance; noise falls back too."""
    board = np.indices((4, 4)).sum(axis=0) % 2
    rows, columns = np.repeat(np.arange(4), 4), np.tile(np.arange(4), 4)
    interval = two_way_mean_interval(board.ravel(), rows, columns)
    assert interval.method.endswith("factor alone")
    assert interval.standard_error == 0
    fallbacks = 0
    for seed in range(20):
        values, workers, pools = crossed(seed, effects=(0, 0))
        noise = two_way_mean_interval(values, workers, pools)
        alone = [mean_interval(values, clusters=by).standard_error for by in (workers, pools)]
        assert noise.standard_error >= max(alone) * (1 - 1e-12)
        if noise.method.endswith("alone"):
            fallbacks += 1
            assert noise.standard_error == pytest.approx(max(alone))
    assert 0 < fallbacks < 20


def coverage(intervals: Sequence[Interval], truth: float) -> float:
    return float(np.mean([interval.low <= truth <= interval.high for interval in intervals]))


@pytest.mark.parametrize("effects", [(0.7, 0.7), (0.7, 0.0), (0.0, 0.0)])
def test_two_way_intervals_cover(effects: tuple[float, float]) -> None:
    """28 workers by 10 pools, a part of the cells played: 95 % means about 95 %, and no less."""
    intervals, naive = [], []
    for seed in range(400):
        values, workers, pools = crossed(seed, effects=effects, shape=(28, 10), share=0.5)
        intervals.append(two_way_mean_interval(values, workers, pools))
        naive.append(mean_interval(values))
    assert 0.925 <= coverage(intervals, 0) <= (0.98 if any(effects) else 0.995)
    if all(effects):
        assert coverage(naive, 0) < 0.75


def test_intervals_of_a_difference_between_arms_cover() -> None:
    """14 workers an arm, the same 10 pools in both: the difference is covered at about 95 %."""
    generator = np.random.default_rng(7)
    workers, pools = np.repeat(np.arange(28), 10), np.tile(np.arange(10), 28)
    in_a = workers < 14
    intervals, naive = [], []
    for _ in range(400):
        values = (
            generator.standard_normal(28)[workers]
            + generator.standard_normal(10)[pools]
            + generator.standard_normal(280)
            + 0.5 * in_a
        )
        intervals.append(two_way_difference_interval(values, in_a, workers, pools))
        naive.append(difference_interval(values[in_a], values[~in_a]))
    assert 0.925 <= coverage(intervals, 0.5) <= 0.98
    assert coverage(naive, 0.5) < 0.75


@pytest.mark.parametrize("seed", range(3))
def test_the_error_of_a_difference_is_statsmodels(seed: int) -> None:
    """It is that of the slope of a regression on the arm, with two-way clusters."""
    values, workers, pools = crossed(seed, effects=(3.0, 1.0), shape=(20, 9))
    in_a = (workers + pools) % 3 == 0
    ours = two_way_difference_interval(values, in_a, workers, pools)
    design = np.column_stack([np.ones(len(values)), in_a])
    parts = [
        clustered_variance(values, design, groups)
        for groups in (np.column_stack([workers, pools]), workers, pools)
    ]
    assert ours.estimate == pytest.approx(values[in_a].mean() - values[~in_a].mean())
    assert ours.standard_error**2 == pytest.approx(max(parts))


def test_what_one_unit_alone_tells() -> None:
    """One value, one cluster or one level of a factor gives an estimate without bounds."""
    for alone in (
        mean_interval([4.0]),
        mean_interval([3.0, 5.0], clusters=["a", "a"]),
        two_way_mean_interval([3.0, 5.0], ["a", "b"], ["p", "p"]),
        difference_interval([5.0], [0.0, 2.0]),
    ):
        assert alone.estimate == 4.0
        assert math.isnan(alone.low)
        assert math.isnan(alone.high)
    for nothing in (
        mean_interval([]),
        two_way_mean_interval([], [], []),
        difference_interval([], []),
    ):
        assert math.isnan(nothing.estimate)
        assert math.isnan(nothing.low)


def test_equal_values_have_no_width() -> None:
    """Values that are all equal have a standard error of zero."""
    interval = two_way_mean_interval([2.0] * 4, [1, 1, 2, 2], [1, 2, 1, 2])
    assert (interval.low, interval.estimate, interval.high) == (2.0, 2.0, 2.0)
    assert mean_interval([2.0, 2.0]).high == 2.0


def test_means_of_clusters_keep_their_names() -> None:
    """Cluster means are in order of appearance, for lists and arrays alike."""
    assert cluster_means([1, 2, 6], ["b", "a", "a"]) == {"b": 1.0, "a": 4.0}
    assert cluster_means([1, 2, 6], np.array([7, 3, 3])) == {7: 1.0, 3: 4.0}
    assert cluster_means([], []) == {}


def test_arms_must_be_arms() -> None:
    """Each arm needs two values, and each value an arm."""
    with pytest.raises(UsageError, match="two values or more"):
        two_way_difference_interval([1, 2, 3], [1, 0, 0], [1, 2, 3], [1, 2, 3])
    with pytest.raises(UsageError, match="true or false"):
        two_way_difference_interval([1, 2, 3], [1, 0, 2], [1, 2, 3], [1, 2, 3])
    with pytest.raises(UsageError, match="true or false"):
        two_way_difference_interval([1, 2, 3], [1, 0], [1, 2, 3], [1, 2, 3])
