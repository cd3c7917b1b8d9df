"""Bootstrap intervals against enumeration, scipy and planted clusters."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from referee.errors import UsageError
from referee.metrics.statistics import (
    Interval,
    bootstrap_interval,
    two_way_bootstrap_interval,
    weighted_correlation,
)
from referee.metrics.statistics.bootstrap import Method
from referee.metrics.statistics.inputs import Array

numbers = st.floats(-1e6, 1e6, allow_nan=False)


def every_resample(sums: Sequence[float], sizes: Sequence[float]) -> Array:
    """The mean in each of the equally likely resamples of whole clusters."""
    indices = range(len(sums))
    return np.array(
        [
            sum(sums[i] for i in drawn) / sum(sizes[i] for i in drawn)
            for drawn in itertools.product(indices, repeat=len(sums))
        ]
    )


def weighted_mean(values: Array, weights: Array) -> Array:
    means: Array = (weights @ values) / weights.sum(axis=1)
    return means


def test_clusters_are_drawn_whole_and_count_by_their_games() -> None:
    """With clusters of unequal size the bounds are those of all 5 ** 5 equally likely resamples."""
    values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0]
    clusters = ["a", "b", "b", "b", "c", "d", "d", "d", "d", "e", "e"]
    exact = every_resample([3.0, 6.0, 5.0, 22.0, 8.0], [1, 3, 1, 4, 2])
    interval = bootstrap_interval(values, clusters=clusters, resamples=40_000, seed=3)
    assert interval.estimate == pytest.approx(4.0)
    assert (interval.n, interval.n_clusters, interval.resamples) == (11, 5, 40_000)
    assert interval.standard_error == pytest.approx(exact.std(), rel=0.02)
    assert [interval.low, interval.high] == pytest.approx(
        np.quantile(exact, [0.025, 0.975]), abs=0.06
    )


def test_a_ratio_is_resampled_with_its_denominator() -> None:
    """A ratio of sums has the distribution of all resamples of its rows."""
    rows = [[1.0, 2.0], [3.0, 4.0], [0.0, 1.0], [5.0, 6.0], [1.0, 5.0]]
    exact = every_resample([row[0] for row in rows], [row[1] for row in rows])
    interval = bootstrap_interval(rows, statistic="ratio", resamples=40_000, seed=3)
    assert interval.estimate == pytest.approx(10 / 18)
    assert interval.standard_error == pytest.approx(exact.std(), rel=0.02)
    assert [interval.low, interval.high] == pytest.approx(
        np.quantile(exact, [0.025, 0.975]), abs=0.01
    )


def test_right_or_wrong_values_follow_the_binomial() -> None:
    """Counting kinds of games, rather than drawing games, gives the same law."""
    interval = bootstrap_interval([1] * 130 + [0] * 70, resamples=50_000, seed=5)
    low, high = stats.binom.ppf([0.025, 0.975], 200, 0.65) / 200
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.0051)
    assert interval.standard_error == pytest.approx(math.sqrt(0.65 * 0.35 / 200), rel=0.02)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bounds_are_scipy_s(method: Method) -> None:
    """On skewed values both methods agree with scipy's, to the noise of the resamples."""
    values = np.random.default_rng(0).exponential(size=40)
    theirs = stats.bootstrap(
        (values,), np.mean, method=method, n_resamples=20_000, rng=np.random.default_rng(1)
    ).confidence_interval
    ours = bootstrap_interval(values, method=method, resamples=20_000, seed=2)
    own = bootstrap_interval(
        values, statistic=weighted_mean, method=method, resamples=20_000, seed=2
    )
    slack = 0.04 * (theirs.high - theirs.low)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=slack)
    assert (own.low, own.high) == pytest.approx((theirs.low, theirs.high), abs=slack)


def test_bca_of_a_correlation_is_scipy_s() -> None:
    """A statistic of one's own gets the jackknife too, here Pearson's r."""
    generator = np.random.default_rng(4)
    x = generator.standard_normal(30)
    y = x + generator.standard_normal(30)
    theirs = stats.bootstrap(
        (x, y),
        lambda x, y, axis: stats.pearsonr(x, y, axis=axis).statistic,
        paired=True,
        method="BCa",
        n_resamples=10_000,
        rng=np.random.default_rng(1),
    ).confidence_interval
    ours = bootstrap_interval(
        np.column_stack([x, y]),
        statistic=weighted_correlation,
        method="bca",
        resamples=10_000,
        seed=1,
    )
    assert ours.estimate == pytest.approx(stats.pearsonr(x, y).statistic)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_clusters_of_a_statistic_of_ones_own_are_those_of_the_mean() -> None:
    """A mean written as weights has the standard error of the built-in mean."""
    generator = np.random.default_rng(8)
    values, clusters = generator.standard_normal(300), generator.integers(0, 40, 300)
    built_in = bootstrap_interval(values, clusters=clusters, method="bca", resamples=8000, seed=1)
    own = bootstrap_interval(
        values, clusters=clusters, statistic=weighted_mean, method="bca", resamples=8000, seed=2
    )
    assert own.estimate == pytest.approx(built_in.estimate)
    assert own.standard_error == pytest.approx(built_in.standard_error, rel=0.04)
    assert own.low == pytest.approx(built_in.low, abs=0.15 * built_in.standard_error)


def coverage(intervals: Sequence[Interval], truth: float) -> float:
    return float(np.mean([interval.low <= truth <= interval.high for interval in intervals]))


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_by_image_cover_where_those_by_game_do_not(method: Method) -> None:
    """With images of unequal size and a strong image effect, 95 % by image means about 95 %."""
    generator = np.random.default_rng(11)
    by_image, by_game = [], []
    for _ in range(400):
        images = np.repeat(np.arange(60), generator.integers(1, 9, 60))
        values = generator.standard_normal(60)[images] + generator.standard_normal(len(images))
        options: dict[str, Any] = {"method": method, "resamples": 400, "seed": 1}
        by_image.append(bootstrap_interval(values, clusters=images, **options))
        by_game.append(bootstrap_interval(values, **options))
    assert 0.92 <= coverage(by_image, 0) <= 0.98
    assert coverage(by_game, 0) < 0.8


def test_the_two_way_bootstrap_covers_and_is_conservative() -> None:
    """It covers with both effects; with neither it is about the square root of three too wide."""
    generator = np.random.default_rng(12)
    workers, pools = np.repeat(np.arange(25), 25), np.tile(np.arange(25), 25)
    two_way, naive = [], []
    for _ in range(150):
        values = (
            generator.standard_normal(25)[workers]
            + generator.standard_normal(25)[pools]
            + generator.standard_normal(625)
        )
        two_way.append(two_way_bootstrap_interval(values, workers, pools, resamples=300, seed=1))
        naive.append(bootstrap_interval(values, resamples=300, seed=1))
    assert 0.9 <= coverage(two_way, 0) <= 1.0
    assert coverage(naive, 0) < 0.6
    noise = generator.standard_normal(625)
    wide = two_way_bootstrap_interval(noise, workers, pools, resamples=4000, seed=1)
    assert wide.standard_error / (noise.std() / 25) == pytest.approx(math.sqrt(3), rel=0.15)


def test_the_pigeonhole_weighs_a_game_by_both_its_factors() -> None:
    """On a sparse table the bounds are those of all resamples of rows and columns that hold a game."""
    table = {(0, 0): 1.0, (0, 1): 4.0, (1, 1): 2.0, (2, 0): 8.0, (2, 2): 3.0}
    exact = []
    for rows in itertools.product(range(3), repeat=3):
        for columns in itertools.product(range(3), repeat=3):
            weights = {cell: rows.count(cell[0]) * columns.count(cell[1]) for cell in table}
            total = sum(weights.values())
            if total:
                exact.append(sum(weights[cell] * table[cell] for cell in table) / total)
    first, second = zip(*table, strict=True)
    interval = two_way_bootstrap_interval(
        list(table.values()), first, second, resamples=40_000, seed=1
    )
    assert interval.standard_error == pytest.approx(np.std(exact), rel=0.02)
    assert interval.resamples / 40_000 == pytest.approx(len(exact) / 27**2, abs=0.01)
    ratio = two_way_bootstrap_interval(
        [[value, 1.0] for value in table.values()],
        first,
        second,
        statistic="ratio",
        resamples=40_000,
        seed=1,
    )
    assert (ratio.low, ratio.high) == pytest.approx((interval.low, interval.high))


@given(st.lists(numbers, min_size=2, max_size=30), st.integers(0, 2**32), st.randoms())
@settings(max_examples=60)
def test_the_order_of_the_games_does_not_matter(
    values: list[float], seed: int, random: Random
) -> None:
    """The same games in another order give the same bounds."""
    clusters = [place % 5 for place in range(len(values))]
    rows = list(zip(values, clusters, strict=True))
    random.shuffle(rows)
    shuffled, labels = zip(*rows, strict=True)
    before = bootstrap_interval(values, clusters=clusters, resamples=50, seed=seed)
    after = bootstrap_interval(shuffled, clusters=labels, resamples=50, seed=seed)
    scale = max(map(abs, values))
    assert after.low == pytest.approx(before.low, abs=1e-9 * scale)
    assert after.high == pytest.approx(before.high, abs=1e-9 * scale)


@given(
    st.lists(numbers, min_size=1, max_size=30),
    st.sampled_from(["percentile", "bca"]),
    st.floats(0.5, 0.99),
)
@settings(max_examples=80)
def test_bounds_lie_within_the_values(values: list[float], method: Method, level: float) -> None:
    """A mean's bounds are in order and within the values; a wider level contains a narrower one."""
    interval = bootstrap_interval(values, method=method, level=level, resamples=60, seed=1)
    if len(values) == 1:
        assert math.isnan(interval.low)
        assert math.isnan(interval.high)
        return
    slack = 1e-9 * max(1.0, *map(abs, values))
    assert min(values) - slack <= interval.low <= interval.high <= max(values) + slack
    wider = bootstrap_interval(values, method=method, level=0.995, resamples=60, seed=1)
    assert wider.low <= interval.low + slack
    assert wider.high >= interval.high - slack


@given(st.lists(st.integers(-5, 5), min_size=5, max_size=30))
@settings(max_examples=50)
def test_the_interval_of_symmetric_values_contains_the_estimate(half: list[int]) -> None:
    """Values that mirror around zero have an interval around zero."""
    values = half + [-value for value in half]
    interval = bootstrap_interval(values, resamples=400, seed=1)
    assert interval.low <= 0 <= interval.high
    if any(half):
        assert interval.low < interval.high


def test_a_seed_gives_the_same_bounds_again() -> None:
    """One seed, one result; another seed, another."""
    values = np.random.default_rng(0).standard_normal(50)
    assert bootstrap_interval(values, seed=1) == bootstrap_interval(values, seed=1)
    assert bootstrap_interval(values, seed=1) != bootstrap_interval(values, seed=2)


def test_nothing_known_is_said_to_be_nothing_known() -> None:
    """Without values all is NaN; one value or one cluster has an estimate and no bounds."""
    nothing = bootstrap_interval([], seed=1)
    assert nothing.n == 0
    assert math.isnan(nothing.estimate)
    for alone in (
        bootstrap_interval([4.0], seed=1),
        bootstrap_interval([3.0, 5.0], clusters=["a", "a"], seed=1),
        two_way_bootstrap_interval([3.0, 5.0], ["a", "b"], ["p", "p"], seed=1),
    ):
        assert alone.estimate == 4.0
        assert math.isnan(alone.low)
        assert math.isnan(alone.high)
        assert math.isnan(alone.standard_error)
    assert math.isnan(two_way_bootstrap_interval([], [], [], seed=1).estimate)


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("count", [2, 5, 100])
def test_equal_values_have_an_interval_of_width_zero(count: int, method: Method) -> None:
    """Values that are all equal leave no doubt in a bootstrap."""
    interval = bootstrap_interval([0.1] * count, method=method, seed=1)
    assert interval.low == interval.estimate == interval.high == pytest.approx(0.1)
    assert interval.standard_error == 0
    own = bootstrap_interval([0.1] * count, statistic=weighted_mean, method=method, seed=1)
    assert (own.low, own.high) == pytest.approx((0.1, 0.1))


def test_resamples_without_a_value_are_left_out_and_not_counted() -> None:
    """A ratio whose denominator vanishes in some resamples rests on the others."""
    rows = [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0], [1.0, 2.0]]
    interval = bootstrap_interval(rows, statistic="ratio", resamples=20_000, seed=1)
    assert interval.resamples / 20_000 == pytest.approx(1 - 1 / 16, abs=0.01)
    assert 0.5 <= interval.low <= interval.estimate <= interval.high <= 1
    never = bootstrap_interval([[1.0, 0.0], [2.0, 0.0]], statistic="ratio", seed=1)
    assert math.isnan(never.estimate)


def test_bca_survives_an_extreme_jackknife() -> None:
    """One huge value among many pushes the acceleration, and the bounds stay within the values."""
    values = np.zeros(400)
    values[0] = 1e9
    interval = bootstrap_interval(values, method="bca", level=0.9999, resamples=500, seed=1)
    assert 0 <= interval.low <= interval.high <= 1e9


def test_a_correlation_needs_variation() -> None:
    """Resamples in which x does not vary have no correlation and are left out."""
    rows = [[0.0, 1.0], [0.0, 2.0], [1.0, 3.0]]
    interval = bootstrap_interval(rows, statistic=weighted_correlation, resamples=9000, seed=1)
    assert interval.resamples / 9000 == pytest.approx(1 - 9 / 27, abs=0.02)
    flat = bootstrap_interval([[0.1, 1], [0.1, 2]], statistic=weighted_correlation, seed=1)
    assert math.isnan(flat.estimate)


def test_a_seed_is_a_whole_number() -> None:
    """A negative seed is refused."""
    with pytest.raises(UsageError, match="seed"):
        bootstrap_interval([1, 2], seed=-1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"values": [1.0, math.nan, 2.0, math.nan]},
            "2 of 4 not finite .* \\(first at position 1\\)",
        ),
        ({"values": [1.0, math.inf]}, "not finite"),
        ({"values": [1.0, 1e200]}, "not finite \\(or beyond 1e\\+100\\)"),
        ({"values": ["a"]}, "must be numbers"),
        ({"values": [[1.0, 2.0]]}, "one number for each game"),
        ({"values": 3.0}, "list or a table"),
        ({"values": [1.0], "statistic": "ratio"}, "shape \\(n, 2\\)"),
        ({"values": [1.0], "statistic": "median"}, "statistic must be one of"),
        ({"values": [1.0, 2.0], "statistic": lambda values, _: values.sum()}, "must give \\(1,\\)"),
        ({"values": [1.0, 2.0], "statistic": weighted_correlation}, "shape \\(n, 2\\)"),
        ({"values": [1.0], "method": "studentised"}, "method must be one of"),
        ({"values": [1.0], "level": 95}, "between 0 and 1"),
        ({"values": [1.0], "resamples": 0}, "at least 1"),
        ({"values": [1.0, 2.0], "clusters": ["a"]}, "1 labels for 2 values"),
        ({"values": [1.0, 2.0], "clusters": ["a", None]}, "without a label"),
        ({"values": [1.0, 2.0], "clusters": [1.0, math.nan]}, "without a label"),
        ({"values": [1.0], "clusters": [["a"]]}, "names or numbers"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: dict[str, Any], message: str) -> None:
    """Bad input is a UsageError that says what is wrong."""
    with pytest.raises(UsageError, match=message):
        bootstrap_interval(seed=1, **arguments)
