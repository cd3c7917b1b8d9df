"""NDCG against all orders of the tied, and against scikit-learn where the definitions agree."""

from __future__ import annotations

from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import ndcg_score

from referee.datasets import dense
from referee.errors import DataError
from referee.metrics import ranking

few_levels = st.lists(st.integers(0, 3), min_size=2, max_size=5)


def orders(scores: list[int]) -> list[tuple[int, ...]]:
    """Every ranking of the options that the scores allow."""
    return [
        order
        for order in permutations(range(len(scores)))
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]


@pytest.fixture(scope="module")
def real(shared: Path) -> NDArray[np.float64]:
    """The relevances of the 97 real rounds, [97, 100]."""
    annotations = "visdial_1.0_val_dense_annotations_crowdsourced.json"
    found: NDArray[np.float64] = dense.array(dense.read(shared / "visdial" / annotations)).values
    assert found.shape == (97, 100)
    return found


def test_the_ideal_ranking_of_the_real_rounds_has_an_ndcg_of_one(
    real: NDArray[np.float64],
) -> None:
    assert ranking.ndcg(real, real) == pytest.approx(np.ones(97), abs=1e-12)


STATED = ("as given", "reversed", "every third first", "ideal but the best last", "shuffled")


def stated(name: str, relevance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores that rank the 100 options as the name says."""
    scores: NDArray[np.float64] = np.tile(np.arange(100.0, 0, -1), (len(relevance), 1))
    if name == "reversed":
        scores *= -1
    elif name == "every third first":
        scores += 100 * (np.arange(100) % 3 == 0)
    elif name == "ideal but the best last":
        scores += relevance * 1000
        np.put_along_axis(scores, scores.argmax(axis=1)[:, None], -1, axis=1)
    elif name == "shuffled":
        np.random.default_rng(3).permuted(scores, axis=1, out=scores)
    return scores


@pytest.mark.parametrize("name", STATED)
def test_five_stated_rankings_of_the_real_rounds_equal_scikit_learns(
    real: NDArray[np.float64], name: str
) -> None:
    """Where both cut at the round's number of relevant options, without ties among the scores."""
    scores = stated(name, real)
    values = ranking.ndcg(scores, real)
    for row, value in enumerate(values):
        pair = real[row : row + 1], scores[row : row + 1]
        k = np.count_nonzero(real[row])
        assert value == pytest.approx(ndcg_score(*pair, k=k, ignore_ties=True), abs=1e-12)
    assert 0 < values.mean() < 1


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


def test_a_round_without_relevance_has_no_ndcg() -> None:
    assert np.isnan(ranking.ndcg(np.ones((1, 3)), np.zeros((1, 3)))).all()


@pytest.mark.parametrize("value", [np.nan, -0.2, np.inf])
def test_relevance_is_a_number_and_not_negative(value: float) -> None:
    """The error tells the round and the option."""
    relevance = np.zeros((3, 4))
    relevance[1, 2] = value
    with pytest.raises(DataError, match=r"record 1, field relevance\[2\]: is") as caught:
        ranking.ndcg(np.zeros((3, 4)), relevance)
    assert caught.value.expected == "a finite number, not negative"


def test_relevance_of_99_options_is_refused() -> None:
    with pytest.raises(DataError, match=r"has the shape \(2, 99\)"):
        ranking.ndcg(np.zeros((2, 100)), np.zeros((2, 99)))


def test_a_nan_score_is_refused() -> None:
    scores = np.zeros((2, 3))
    scores[1, 0] = np.nan
    with pytest.raises(DataError, match=r"record 1, field scores\[0\]: is NaN"):
        ranking.ndcg(scores, np.ones((2, 3)))
