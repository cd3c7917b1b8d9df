"""Rank metrics, against all orders of the tied, and against scikit-learn where the definitions agree."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from referee.metrics import ranking

few_levels = st.lists(st.integers(0, 3), min_size=2, max_size=5)


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


@given(few_levels, st.data())
def test_ndcg_under_ties_is_the_mean_or_an_extreme_over_all_orders(
    scores: list[int], data: st.DataObject
) -> None:
    relevance = data.draw(
        st.lists(st.sampled_from([0.0, 0.2, 1.0]), min_size=len(scores), max_size=len(scores))
    )
    k = sum(value > 0 for value in relevance)

    def gain(order: tuple[int, ...] | list[int]) -> float:
        return float(sum(relevance[option] / np.log2(i + 2) for i, option in enumerate(order[:k])))

    table = np.array([scores], float), np.array([relevance])
    if not k:
        assert np.isnan(ranking.ndcg(*table)[0])
        return
    ideal = gain(sorted(range(len(scores)), key=lambda place: -relevance[place]))
    values = np.array([gain(order) for order in orders(scores)]) / ideal
    assert ranking.ndcg(*table, "expected")[0] == pytest.approx(values.mean())
    assert ranking.ndcg(*table, "optimistic")[0] == pytest.approx(values.max())
    assert ranking.ndcg(*table, "pessimistic")[0] == pytest.approx(values.min())


def test_ndcg_equals_scikit_learns_at_each_rounds_own_cut() -> None:
    generator = np.random.default_rng(0)
    relevance = generator.choice([0, 0, 0, 0.2, 0.4, 1.0], size=(50, 100))
    scores = generator.normal(size=(50, 100))
    tied = scores.round(1)
    ours, ours_tied = ranking.ndcg(scores, relevance), ranking.ndcg(tied, relevance, "expected")
    for row in range(50):
        k = np.count_nonzero(relevance[row])
        pair = relevance[row : row + 1], scores[row : row + 1]
        assert ours[row] == pytest.approx(ndcg_score(*pair, k=k, ignore_ties=True))
        assert ours_tied[row] == pytest.approx(ndcg_score(pair[0], tied[row : row + 1], k=k))


def test_the_ideal_ranking_has_an_ndcg_of_one() -> None:
    relevance = np.array([[0.0, 0.2, 1.0, 0.2]])
    assert ranking.ndcg(relevance, relevance)[0] == pytest.approx(1.0)


def test_the_cut_is_the_number_of_relevant_options() -> None:
    """A relevant option beyond as many ranks as there are relevant options adds nothing."""
    relevance = np.array([[1.0, 1.0, 0.0]])
    assert ranking.ndcg(np.array([[1.0, 3.0, 2.0]]), relevance)[0] == pytest.approx(
        1 / (1 + 1 / np.log2(3))
    )


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
