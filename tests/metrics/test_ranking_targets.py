"""Ranks of targets, against all orders of the tied, and the metrics that follow from them."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import DataError, UsageError
from referee.metrics import ranking

few_levels = st.lists(st.integers(0, 3), min_size=2, max_size=5)
TIES: tuple[ranking.Ties, ...] = ("stable", "expected", "optimistic", "pessimistic")


def orders(scores: list[int]) -> list[tuple[int, ...]]:
    """Every ranking of the options that the scores allow."""
    places = range(len(scores))
    return [
        order
        for order in permutations(places)
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]


@given(few_levels, st.data())
def test_the_expected_place_is_the_mean_over_all_orders(
    scores: list[int], data: st.DataObject
) -> None:
    target = data.draw(st.integers(0, len(scores) - 1))
    k = data.draw(st.integers(1, len(scores)))
    ranks = np.array([order.index(target) + 1 for order in orders(scores)])
    table = np.array([scores], float)
    first, last = ranking.target_places(table, np.array([target]), "expected")
    assert ranking.mean_ranks(first, last)[0] == pytest.approx(ranks.mean())
    assert ranking.reciprocal_ranks(first, last)[0] == pytest.approx((1 / ranks).mean())
    assert ranking.recalls(first, last, k)[0] == pytest.approx((ranks <= k).mean())
    assert ranking.target_places(table, np.array([target]), "optimistic")[0] == ranks.min()
    assert ranking.target_places(table, np.array([target]), "pessimistic")[0] == ranks.max()
    stable = sorted(range(len(scores)), key=lambda place: -scores[place]).index(target) + 1
    assert ranking.target_places(table, np.array([target]), "stable")[0] == stable
    assert ranking.ranks(table)[0, target] == stable


@given(st.lists(st.tuples(st.floats(-9, 9), st.integers(0, 4)), min_size=1, max_size=8))
def test_the_weighted_median_is_the_median_of_the_repeated_values(
    pairs: list[tuple[float, int]],
) -> None:
    values, weights = np.array(pairs, float).T
    repeated = np.repeat(values, weights.astype(int))
    if len(repeated):
        found = ranking.weighted_median(values, weights[None, :])[0]
        assert found == pytest.approx(np.median(repeated))


def test_random_guessing_among_twenty_matches_every_rank_once() -> None:
    ranks = np.arange(1, 21)
    assert ranking.random_mean_rank(20) == ranks.mean()
    assert ranking.random_reciprocal_rank(20) == pytest.approx((1 / ranks).mean())


@pytest.mark.parametrize("ties", TIES)
@given(st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=1, max_size=9))
def test_the_histogram_and_its_summary_agree_with_the_rounds(
    ties: ranking.Ties, rows: list[list[int]]
) -> None:
    """Every target counts once; means over rounds are means over the histogram."""
    scores = np.array(rows, float)
    target = np.arange(len(rows)) % 5
    first, last = ranking.target_places(scores, target, ties)
    counts = ranking.histogram(first, last, 5)
    assert counts.sum() == pytest.approx(len(rows))
    found = ranking.summary(counts, [1, 3])
    assert found["mr"] == pytest.approx(ranking.mean_ranks(first, last).mean())
    assert found["mrr"] == pytest.approx(ranking.reciprocal_ranks(first, last).mean())
    assert found["r_at_1"] == pytest.approx(ranking.recalls(first, last, 1).mean())
    assert found["r_at_3"] == pytest.approx(ranking.recalls(first, last, 3).mean())
    if ties != "expected":
        assert found["median_rank"] == np.median(first)
        assert counts.tolist() == [np.sum(first == rank) for rank in range(1, 6)]


def test_no_targets_have_no_metrics() -> None:
    nobody = ranking.histogram(np.zeros(0, int), np.zeros(0, int), 4)
    assert nobody.tolist() == [0, 0, 0, 0]
    assert np.isnan(list(ranking.summary(nobody, [1]).values())).all()


@pytest.mark.parametrize("target", [-1, 3])
def test_a_target_beyond_the_options_is_refused(target: int) -> None:
    with pytest.raises(DataError, match=f"record 1, field target: is {target}") as caught:
        ranking.target_places(np.zeros((2, 3)), np.array([0, target]))
    assert caught.value.expected == "0 to 2"


def test_a_nan_has_no_place() -> None:
    scores = np.zeros((3, 4), np.float32)
    scores[2, 1] = np.nan
    with pytest.raises(DataError, match=r"record 2, field scores\[1\]: is NaN"):
        ranking.target_places(scores, np.array([0, 0, 0]))


def test_there_are_four_ways_to_stand_when_tied() -> None:
    with pytest.raises(UsageError, match="stable, expected, optimistic, pessimistic; not 'luck'"):
        ranking.target_places(np.zeros((1, 2)), np.array([0]), "luck")  # type: ignore[arg-type]
