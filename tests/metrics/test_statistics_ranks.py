"""Rank tests of independent runs against counting, scipy and textbook values."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from referee.errors import UsageError
from referee.metrics.statistics import mann_whitney, superiority
from referee.metrics.statistics.results import Alternative

samples = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=12)


@given(samples, samples)
@settings(max_examples=80)
def test_superiority_counts_pairs(a: list[float], b: list[float]) -> None:
    """The effect is the share of pairs that a wins, ties counted half, and mirrors when exchanged."""
    wins = sum((x > y) + 0.5 * (x == y) for x, y in itertools.product(a, b)) / (len(a) * len(b))
    test = mann_whitney(a, b)
    interval = superiority(a, b)
    assert test.effect == interval.estimate == pytest.approx(wins)
    mirrored = superiority(b, a)
    assert mirrored.estimate == pytest.approx(1 - wins)
    if min(len(a), len(b)) > 1:
        assert 0 <= interval.low <= interval.estimate <= interval.high <= 1
        assert (mirrored.low, mirrored.high) == pytest.approx((1 - interval.high, 1 - interval.low))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_few_values_are_enumerated(alternative: Alternative) -> None:
    """Without ties the p-value is that of all ways to choose the sample."""
    a, b = [19, 22, 16, 29, 24], [20, 11, 17, 12]
    pooled = a + b
    every = []
    for chosen in itertools.combinations(range(9), 5):
        rest = [pooled[i] for i in range(9) if i not in chosen]
        every.append(sum(pooled[i] > y for i in chosen for y in rest))
    below, above = np.mean(np.array(every) <= 17), np.mean(np.array(every) >= 17)
    expected = {"two-sided": min(1, 2 * min(below, above)), "greater": above, "less": below}
    test = mann_whitney(a, b, alternative=alternative)
    assert (test.statistic, test.method) == (17.0, "exact")
    assert test.p_value == pytest.approx(expected[alternative])


def test_many_values_with_ties_by_hand() -> None:
    """The asymptotic p-value follows from the tie-corrected variance with continuity 0.5."""
    generator = np.random.default_rng(3)
    a, b = generator.integers(1, 12, 40), generator.integers(2, 14, 50)
    pooled = np.concatenate([a, b])
    u = stats.rankdata(pooled)[:40].sum() - 40 * 41 / 2
    counts = np.unique(pooled, return_counts=True)[1]
    variance = 40 * 50 / 12 * (91 - (counts**3 - counts).sum() / (90 * 89))
    z = (abs(u - 1000) - 0.5) / math.sqrt(variance)
    test = mann_whitney(a, b)
    assert test.statistic == pytest.approx(u)
    assert test.p_value == pytest.approx(2 * stats.norm.sf(z))


def test_the_interval_of_superiority_covers() -> None:
    """For normals a shift apart of unequal spread, P(a > b) is known and covered at about 95 %."""
    generator = np.random.default_rng(5)
    truth = stats.norm.cdf(1 / math.sqrt(1 + 9))
    held = 0
    for _ in range(400):
        interval = superiority(1 + generator.standard_normal(25), 3 * generator.standard_normal(35))
        held += interval.low <= truth <= interval.high
    assert 0.92 <= held / 400 <= 0.98


def test_samples_that_do_not_overlap_still_leave_doubt() -> None:
    """Where a always wins the upper bound is 1 and the lower one grows with the samples."""
    small = superiority([4, 5, 6], [1, 2, 3])
    large = superiority(np.arange(60) + 100, np.arange(60))
    assert (small.estimate, small.high, small.method) == (1.0, 1.0, "Newcombe")
    assert 0.2 < small.low < 0.8 < large.low < 1
    assert superiority([1, 2, 3], [4, 5, 6]).high == pytest.approx(1 - small.low)


def test_newcombe_s_bound_solves_its_equation() -> None:
    """At the lower bound p, 1 - p is 1.96 standard errors by Hanley and McNeil's formula under p."""
    p = superiority([4, 5, 6, 7], [1, 2, 3]).low
    inner = 1 + 2.5 * ((1 - p) / (2 - p) + p / (1 + p))
    assert (1 - p) / math.sqrt(p * (1 - p) * inner / 12) == pytest.approx(1.959964, abs=1e-4)


def test_equal_or_absent_values_are_no_evidence() -> None:
    """All values equal: p is 1, superiority one half. No values: p is 1 and no effect."""
    same = mann_whitney([2] * 20, [2] * 30)
    assert (same.p_value, same.effect) == (1.0, 0.5)
    assert superiority([2, 2], [2, 2]).estimate == 0.5
    nothing = mann_whitney([], [1, 2])
    assert nothing.p_value == 1
    assert math.isnan(nothing.effect)
    assert math.isnan(superiority([], [1]).estimate)
    assert math.isnan(superiority([1], [0, 2]).low)


def test_bad_values_are_refused() -> None:
    """NaN is refused with the name of the side."""
    with pytest.raises(UsageError, match="b: 1 of 2 not finite"):
        mann_whitney([1.0], [1.0, math.nan])
    with pytest.raises(UsageError, match="level"):
        superiority([1.0], [1.0], level=1.0)
