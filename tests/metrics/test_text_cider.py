"""Plain CIDEr, against the definition written with dictionaries."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import UsageError
from referee.metrics.text.cider import cider
from referee.metrics.text.interning import Scores, Vocabulary

SENTENCE = st.lists(st.sampled_from(["a", "b", "c", "yes,", "."]), min_size=1, max_size=7).map(
    " ".join
)
SET = st.lists(SENTENCE, min_size=1, max_size=4)
ITEMS = st.lists(st.tuples(st.lists(SENTENCE, max_size=3), SET), min_size=1, max_size=5)
Items = list[tuple[list[str], list[str]]]
Vector = dict[tuple[str, ...], float]


def _ours(items: Items, corpus: list[list[str]] | None = None) -> Scores:
    words = Vocabulary()
    hypotheses = words.texts([texts for texts, _ in items])
    references = words.texts([references for _, references in items])
    return cider(hypotheses, references, None if corpus is None else words.texts(corpus))


def _grams(text: str, order: int) -> Counter[tuple[str, ...]]:
    words = text.split()
    return Counter(tuple(words[at : at + order]) for at in range(len(words) - order + 1))


def _cosine(one: Vector, two: Vector) -> float:
    norms = math.hypot(*one.values()) * math.hypot(*two.values())
    return sum(one[gram] * two.get(gram, 0.0) for gram in one) / norms if norms else 0.0


def _plain(items: Items, corpus: list[list[str]]) -> list[list[float]]:
    def vector(text: str, order: int) -> Vector:
        result = {}
        for gram, times in _grams(text, order).items():
            holding = sum(any(gram in _grams(text, order) for text in texts) for texts in corpus)
            result[gram] = times * (math.log(len(corpus)) - math.log(max(1, holding)))
        return result

    result = []
    for texts, references in items:
        for text in texts:
            means = [
                sum(_cosine(vector(text, order), vector(other, order)) for other in references)
                / len(references)
                for order in range(1, 5)
            ]
            result.append([sum(means[:order]) / order for order in range(1, 5)])
    return result


@given(ITEMS)
def test_cider_is_its_definition(items: Items) -> None:
    expected = np.reshape(_plain(items, [references for _, references in items]), (-1, 4))
    np.testing.assert_allclose(_ours(items), expected, atol=1e-12)


@given(ITEMS, st.lists(SET, min_size=1, max_size=5))
def test_frequencies_may_be_counted_in_a_larger_corpus(items: Items, more: list[list[str]]) -> None:
    corpus = [references for _, references in items] + more
    expected = np.reshape(_plain(items, corpus), (-1, 4))
    np.testing.assert_allclose(_ours(items, corpus), expected, atol=1e-12)


@given(ITEMS)
def test_with_a_given_corpus_a_score_does_not_depend_on_what_is_scored_beside_it(
    items: Items,
) -> None:
    corpus = [references for _, references in items]
    alone = [_ours([item], corpus) for item in items]
    np.testing.assert_array_equal(_ours(items, corpus), np.concatenate(alone))
    np.testing.assert_array_equal(_ours(items, corpus), _ours(items))


def test_a_perfect_one_word_answer_scores_one_half_at_two() -> None:
    items: Items = [(["yes"], ["yes"]), (["two red cups"], ["two red cups"])]
    np.testing.assert_allclose(_ours(items)[0], [1, 1 / 2, 1 / 3, 1 / 4])


def test_one_reference_set_alone_makes_everything_zero() -> None:
    assert not _ours([(["yes", "yes it is"], ["yes", "yes it is"])]).any()


def test_a_word_of_every_set_weighs_exactly_nothing() -> None:
    items: Items = [(["yes"], ["yes", f"yes {number}"]) for number in range(7)]
    np.testing.assert_array_equal(_ours(items)[:, 0], np.zeros(7))


def test_an_answer_given_twice_as_long_is_as_near() -> None:
    """Counts scale the vector, and a cosine does not see scale: no order beyond the first here."""
    items: Items = [(["yes", "yes yes"], ["yes"]), (["no"], ["no"])]
    scores = _ours(items)
    assert scores[0, 0] == pytest.approx(1)
    assert scores[1, 0] == pytest.approx(1)


def test_blank_hypotheses_and_items_without_references_have_no_score() -> None:
    """An empty set is not counted among the sets either."""
    scores = _ours([(["yes", " "], ["yes"]), (["no"], []), (["maybe"], ["maybe"])])
    assert np.isnan(scores).all(axis=1).tolist() == [False, True, True, False]
    np.testing.assert_array_equal(
        scores[[0, 3]], _ours([(["yes"], ["yes"]), (["maybe"], ["maybe"])])
    )


def test_a_corpus_of_another_vocabulary_is_refused() -> None:
    words = Vocabulary()
    with pytest.raises(UsageError, match="one vocabulary"):
        cider(words.texts([["a"]]), words.texts([["a"]]), Vocabulary().texts([["a"]]))
