"""CIDEr-D, against pycocoevalcap's scorer and against known values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.metrics.text.cider_d import cider_d
from referee.metrics.text.interning import Scores, Vocabulary

SENTENCE = st.lists(st.sampled_from(["a", "b", "c", "yes,", "."]), min_size=1, max_size=9).map(
    " ".join
)
ITEMS = st.lists(
    st.tuples(SENTENCE, st.lists(SENTENCE, min_size=1, max_size=4)), min_size=1, max_size=6
)
Items = list[tuple[str, list[str]]]


def _ours(items: Items, corpus: list[list[str]] | None = None) -> Scores:
    words = Vocabulary()
    hypotheses = words.texts([[text] for text, _ in items])
    references = words.texts([references for _, references in items])
    return cider_d(hypotheses, references, None if corpus is None else words.texts(corpus))


@given(ITEMS)
def test_cider_d_is_pycocoevalcaps(items: Items) -> None:
    scorer = pytest.importorskip("pycocoevalcap.cider.cider_scorer").CiderScorer()
    for text, references in items:
        scorer += (text, references)
    _, expected = scorer.compute_score()
    np.testing.assert_allclose(_ours(items), expected, atol=1e-11)


@given(ITEMS)
def test_with_a_given_corpus_a_score_does_not_depend_on_what_is_scored_beside_it(
    items: Items,
) -> None:
    corpus = [references for _, references in items]
    alone = [_ours([item], corpus) for item in items]
    np.testing.assert_array_equal(_ours(items), np.concatenate(alone))


def test_several_hypotheses_of_an_item_are_scored_as_if_each_came_alone() -> None:
    words = Vocabulary()
    references = words.texts([["a b c", "b b a c d"], ["d e", "a"]])
    several = cider_d(words.texts([["b c", "a b c", ""], ["d e a"]]), references)
    first = cider_d(words.texts([["b c"], ["d e a"]]), references)
    second = cider_d(words.texts([["a b c"], ["d e a"]]), references)
    np.testing.assert_array_equal(several, [first[0], second[0], np.nan, first[1]])


def test_a_perfect_long_answer_scores_ten() -> None:
    items: Items = [("a red bus on a road", ["a red bus on a road"]), ("no", ["no"])]
    np.testing.assert_allclose(_ours(items), [10, 2.5])


def test_two_words_too_many_cost_what_the_gaussian_says() -> None:
    """The added words also lengthen the vector: the cosines are sqrt(3/5), sqrt(2/4), sqrt(1/3), 0."""
    items: Items = [("a b c d e", ["a b c"]), ("x", ["x"])]
    cosines = np.sqrt([3 / 5, 2 / 4, 1 / 3, 0]).mean()
    assert _ours(items)[0] == pytest.approx(10 * cosines * np.exp(-4 / 72))


def test_repeating_a_word_brings_nothing() -> None:
    """Without clipping the second answer would be as near as the first."""
    scores = _ours([("a", ["a"]), ("b b b", ["b"])])
    assert scores[0] == pytest.approx(2.5)
    assert scores[1] == pytest.approx(2.5 / 3 * np.exp(-4 / 72))


def test_one_item_alone_scores_zero() -> None:
    """Every n-gram is in every set: the known trap of scoring a single caption."""
    assert _ours([("this is a good test", ["this is a test", "this is also a test"])]) == [0.0]


def test_items_without_references_have_no_score() -> None:
    words = Vocabulary()
    scores = cider_d(words.texts([["a"], ["b"]]), words.texts([["a"], []]))
    assert scores[0] == 0
    assert np.isnan(scores[1])
