"""Paired tests against enumeration, scipy, statsmodels and textbook values."""

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
from referee.metrics.statistics import mcnemar, paired_effect_size, paired_permutation, wilcoxon
from referee.metrics.statistics.results import Alternative

MAIZE = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
"""Darwin's differences in height between cross- and self-fertilised plants."""

differences = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=9)


def flips(sums: Sequence[float], alternative: Alternative) -> float:
    """The p-value by trying every sign pattern one by one."""
    observed = sum(sums)
    hits = 0
    for signs in itertools.product([1, -1], repeat=len(sums)):
        flipped = sum(sign * value for sign, value in zip(signs, sums, strict=True))
        hits += {
            "two-sided": abs(flipped) >= abs(observed),
            "greater": flipped >= observed,
            "less": flipped <= observed,
        }[alternative]
    return float(hits / 2 ** len(sums))


@given(differences, st.sampled_from(["two-sided", "greater", "less"]))
@settings(max_examples=80)
def test_few_games_are_enumerated(values: list[float], alternative: Alternative) -> None:
    """The exact p-value is that of trying every sign pattern."""
    test = paired_permutation(values, [0.0] * len(values), alternative=alternative, seed=1)
    assert test.method == "exact"
    assert test.p_value == flips(values, alternative)
    assert test.effect == pytest.approx(np.mean(values))


def test_the_games_of_an_image_flip_together() -> None:
    """By cluster the p-value is that of flipping the images' sums."""
    values, images = [1.0, 2.0, 1.0, -1.0, 3.0, 2.0], ["a", "a", "b", "b", "c", "d"]
    test = paired_permutation(values, np.zeros(6), clusters=images, seed=1)
    assert test.p_value == flips([3.0, 0.0, 3.0, 2.0], "two-sided") == 0.25
    alone = paired_permutation(values, np.zeros(6), seed=1)
    assert alone.p_value == flips(values, "two-sided")
    assert test.effect == alone.effect == pytest.approx(8 / 6)


def test_darwin_s_maize() -> None:
    """Fisher's own example: 1,726 of the 32,768 sign patterns are as extreme as Darwin's plants."""
    test = paired_permutation(MAIZE, np.zeros(15), seed=1)
    assert test.p_value == 1726 / 2**15
    signed = wilcoxon(MAIZE, np.zeros(15))
    assert (signed.statistic, round(signed.p_value, 4)) == (96.0, 0.0413)
    assert signed.effect == pytest.approx((96 - 24) / 120)


@pytest.mark.parametrize("kinds", [3, None])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_random_flips_agree_with_scipy(kinds: int | None, alternative: Alternative) -> None:
    """Many games, of few kinds of difference or of as many kinds as games, agree with scipy."""
    generator = np.random.default_rng(3)
    values = generator.standard_normal(120) + 0.12
    if kinds:
        values = np.clip(np.round(values), -1, 1)
    theirs = stats.permutation_test(
        (values, np.zeros(120)),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples",
        n_resamples=20_000,
        alternative=alternative,
        rng=np.random.default_rng(1),
    )
    ours = paired_permutation(
        values, np.zeros(120), alternative=alternative, resamples=20_000, seed=2
    )
    assert ours.method == "Monte Carlo"
    assert ours.p_value == pytest.approx(theirs.pvalue, abs=0.015)


def test_random_flips_are_never_zero() -> None:
    """The observed pattern counts as one of those drawn, so that p is at least 1 / (1 + m)."""
    test = paired_permutation(np.ones(500), np.zeros(500), resamples=99, seed=1)
    assert test.p_value == 1 / 100


@given(differences, st.floats(0.1, 1e3), st.randoms())
@settings(max_examples=60)
def test_a_permutation_p_value_ignores_order_direction_and_scale(
    values: list[float], scale: float, random: Random
) -> None:
    """Exchanging the runs, shuffling the games or changing the unit leaves p as it is."""
    zeros = [0.0] * len(values)
    p_value = paired_permutation(values, zeros, seed=1).p_value
    assert paired_permutation(zeros, values, seed=1).p_value == p_value
    assert paired_permutation(np.multiply(values, scale), zeros, seed=1).p_value == p_value
    shuffled = random.sample(values, len(values))
    assert paired_permutation(shuffled, zeros, seed=1).p_value == p_value
    assert 0 < p_value <= 1


def test_random_flips_ignore_order_and_direction() -> None:
    """The same holds where the patterns are drawn, for one seed."""
    values = np.random.default_rng(1).standard_normal(60)
    p_value = paired_permutation(values, np.zeros(60), resamples=500, seed=1).p_value
    assert paired_permutation(values[::-1], np.zeros(60), resamples=500, seed=1).p_value == p_value
    assert paired_permutation(np.zeros(60), values, resamples=500, seed=1).p_value == p_value


def test_a_permutation_test_by_image_keeps_its_level() -> None:
    """With images of five alike games, 5 % of tests by image reject; by game far more do."""
    generator = np.random.default_rng(9)
    images = np.repeat(np.arange(30), 5)
    by_image = by_game = 0
    for _ in range(200):
        values = generator.standard_normal(30)[images] + 0.3 * generator.standard_normal(150)
        options: dict[str, Any] = {"resamples": 200, "seed": 1}
        by_image += (
            paired_permutation(values, np.zeros(150), clusters=images, **options).p_value <= 0.05
        )
        by_game += paired_permutation(values, np.zeros(150), **options).p_value <= 0.05
    assert by_image / 200 <= 0.09
    assert by_game / 200 > 0.25


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_wilcoxon_enumerates_ties(alternative: Alternative) -> None:
    """With ties in few games the signed ranks are enumerated; zeros are left out."""
    values = [1.0, 1.0, -2.0, 3.0, 3.0, -3.0, 0.0, 4.0]
    moving = [value for value in values if value]
    ranks = stats.rankdata(np.abs(moving))
    signed = ranks * np.sign(moving)
    test = wilcoxon(values, [0.0] * 8, alternative=alternative)
    assert test.method == "exact"
    assert test.p_value == pytest.approx(flips(signed.tolist(), alternative))
    assert test.effect == pytest.approx(signed.sum() / ranks.sum())


def test_wilcoxon_of_many_games_is_scipy_s() -> None:
    """With ties in many games it is the normal approximation with its correction."""
    generator = np.random.default_rng(5)
    a, b = generator.integers(0, 6, 200), generator.integers(0, 7, 200)
    ours = wilcoxon(a, b)
    assert ours.method == "asymptotic"
    assert ours.p_value == pytest.approx(stats.wilcoxon(a, b, method="asymptotic").pvalue)


def test_rounding_breaks_no_ties() -> None:
    """0.3 - 0.1 and 0.2 - 0 are the same difference, whatever their last digits."""
    noisy = wilcoxon([0.3, 0.2, 0.2, 0.5], [0.1, 0.0, 0.4, 0.0])
    clean = wilcoxon([2, 2, 2, 5], [0, 0, 4, 0])
    assert (noisy.p_value, noisy.statistic) == (clean.p_value, clean.statistic)


def test_mcnemar_of_the_approval_table() -> None:
    """Agresti's approval ratings: 150 and 86 changed their mind, z squared is 17.36."""
    a = [1] * 150 + [0] * 86 + [1] * 794 + [0] * 570
    b = [0] * 150 + [1] * 86 + [1] * 794 + [0] * 570
    test = mcnemar(a, b, method="asymptotic")
    assert test.p_value == pytest.approx(stats.chi2.sf(64**2 / 236, 1))
    assert round(64**2 / 236, 2) == 17.36
    assert test.effect == pytest.approx(0.04)


@pytest.mark.parametrize(("only_a", "only_b"), [(1, 9), (5, 5), (0, 3), (12, 5)])
def test_exact_and_mid_p_are_binomial_sums(only_a: int, only_b: int) -> None:
    """The exact p-value sums both binomial tails; mid-p takes half of the observed point."""
    a, b = [1] * only_a + [0] * only_b + [1, 0], [0] * only_a + [1] * only_b + [1, 0]
    total, fewer = only_a + only_b, min(only_a, only_b)
    points = [math.comb(total, k) / 2**total for k in range(fewer + 1)]
    assert mcnemar(a, b).p_value == pytest.approx(min(1.0, 2 * sum(points)))
    assert mcnemar(a, b, method="mid-p").p_value == pytest.approx(2 * sum(points) - points[-1])
    assert mcnemar(b, a).p_value == mcnemar(a, b).p_value
    exact = paired_permutation(a, b, resamples=20_000, seed=1).p_value
    assert exact == pytest.approx(mcnemar(a, b).p_value, abs=0.01)


def test_effect_size_around_zero_is_normal() -> None:
    """At d = 0 the noncentral t at zero is the normal: the bounds are 1.96 / sqrt(n)."""
    interval = paired_effect_size([1.0, -1.0] * 8, np.zeros(16))
    assert interval.estimate == 0
    assert (interval.low, interval.high) == pytest.approx((-1.959964 / 4, 1.959964 / 4), abs=1e-5)


@pytest.mark.parametrize("shift", [0.2, 1.0, 6.0])
def test_effect_size_bounds_put_the_estimate_at_the_tails(shift: float) -> None:
    """Under each bound, scipy's noncentral t puts 2.5 % beyond the estimate."""
    values = np.random.default_rng(6).standard_normal(12) + shift
    interval = paired_effect_size(values, np.zeros(12))
    root = math.sqrt(12)
    t = stats.ttest_1samp(values, 0).statistic
    assert interval.estimate * root == pytest.approx(t)
    assert stats.nct.sf(t, 11, interval.low * root) == pytest.approx(0.025, abs=2e-4)
    assert stats.nct.cdf(t, 11, interval.high * root) == pytest.approx(0.025, abs=2e-4)


def test_effect_sizes_are_covered() -> None:
    """About 95 % of intervals hold a true effect of 0.8, at ten games."""
    generator = np.random.default_rng(2)
    held = 0
    for _ in range(300):
        interval = paired_effect_size(generator.standard_normal(10) + 0.8, np.zeros(10))
        held += interval.low <= 0.8 <= interval.high
    assert 0.92 <= held / 300 <= 0.98


@given(st.integers(2, 40), st.floats(-1e9, 1e9), st.integers(0, 99))
@settings(max_examples=60)
def test_effect_sizes_of_any_magnitude_have_bounds(n: int, shift: float, seed: int) -> None:
    """However large the effect, the bounds lie on both sides of it."""
    values = np.random.default_rng(seed).standard_normal(n) + shift
    interval = paired_effect_size(values, np.zeros(n))
    assert interval.low <= interval.estimate <= interval.high


@pytest.mark.parametrize("count", [0, 1, 40])
def test_no_difference_is_no_evidence(count: int) -> None:
    """Without games, or without a difference, p is 1."""
    same = np.ones(count)
    for test in (
        paired_permutation(same, same, seed=1),
        wilcoxon(same, same),
        mcnemar(same, same),
        mcnemar(same, same, method="mid-p"),
        mcnemar(same, same, method="asymptotic"),
    ):
        assert test.p_value == 1
        assert test.n == count


def test_effect_sizes_without_spread_have_no_bounds() -> None:
    """Equal differences are an effect of zero or of infinity; one difference is none."""
    assert paired_effect_size([1, 2], [1, 2]).estimate == 0
    assert paired_effect_size([2.3, 2.4, 2.5], [1.3, 1.4, 1.5]).estimate == math.inf
    assert paired_effect_size([0, 0], [1, 1]).estimate == -math.inf
    assert math.isnan(paired_effect_size([2], [1]).estimate)
    assert math.isnan(paired_effect_size([2, 3], [1, 2]).low)


def test_runs_must_hold_the_same_games() -> None:
    """Columns of unequal length, directions unknown and answers that are not right or wrong are refused."""
    with pytest.raises(UsageError, match="2 and 1 values"):
        wilcoxon([1, 2], [1])
    with pytest.raises(UsageError, match="alternative must be one of"):
        paired_permutation([1], [2], alternative="larger", seed=1)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="right \\(1\\) or wrong \\(0\\)"):
        mcnemar([1, 2], [0, 1])
    with pytest.raises(UsageError, match="method must be one of"):
        mcnemar([1], [0], method="yates")  # type: ignore[arg-type]
