"""BLEU, against counting tuples of words and against pycocoevalcap's scorer."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.metrics.text.bleu import bleu, corpus_bleu, matched
from referee.metrics.text.interning import Scores, Vocabulary

SENTENCE = st.lists(st.sampled_from(["a", "b", "c", "yes,", "."]), min_size=1, max_size=8).map(
    " ".join
)
ITEMS = st.lists(
    st.tuples(
        st.lists(SENTENCE, min_size=1, max_size=3), st.lists(SENTENCE, min_size=1, max_size=4)
    ),
    min_size=1,
    max_size=4,
)
Items = list[tuple[list[str], list[str]]]


def _ours(items: Items) -> Scores:
    words = Vocabulary()
    hypotheses = words.texts([given_texts for given_texts, _ in items])
    return bleu(hypotheses, words.texts([references for _, references in items]))


def _grams(text: str, order: int) -> Counter[tuple[str, ...]]:
    words = text.split()
    return Counter(tuple(words[at : at + order]) for at in range(len(words) - order + 1))


def _plain(hypothesis: str, references: list[str]) -> list[float]:
    length = len(hypothesis.split())
    lengths = sorted(len(reference.split()) for reference in references)
    closest = min(lengths, key=lambda other: abs(other - length))
    ratio = (length + 1e-15) / (closest + 1e-9)
    penalty = math.exp(1 - 1 / ratio) if ratio < 1 else 1.0
    result = []
    product = 1.0
    for order in range(1, 5):
        most: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            most |= _grams(reference, order)
        own = _grams(hypothesis, order)
        product *= ((own & most).total() + 1e-15) / (own.total() + 1e-9)
        result.append(penalty * product ** (1 / order))
    return result


@given(ITEMS)
def test_bleu_is_what_counting_tuples_gives(items: Items) -> None:
    expected = [_plain(text, references) for texts, references in items for text in texts]
    np.testing.assert_allclose(_ours(items), expected, rtol=1e-12)


@given(ITEMS)
def test_bleu_is_pycocoevalcaps(items: Items) -> None:
    scorer_class = pytest.importorskip("pycocoevalcap.bleu.bleu_scorer").BleuScorer
    scorer, words = scorer_class(), Vocabulary()
    for texts, references in items:
        for text in texts:
            scorer += (text, references)
    corpus, each = scorer.compute_score(option="closest")
    hypotheses = words.texts([texts for texts, _ in items])
    references_of = words.texts([references for _, references in items])
    np.testing.assert_allclose(_ours(items), np.transpose(each), rtol=1e-12)
    np.testing.assert_allclose(corpus_bleu(hypotheses, references_of), corpus, rtol=1e-12)


@given(ITEMS)
def test_a_score_does_not_depend_on_what_is_scored_beside_it(items: Items) -> None:
    alone = [_ours([(texts, references)]) for texts, references in items]
    np.testing.assert_array_equal(_ours(items), np.concatenate(alone))


@given(ITEMS)
def test_a_member_of_the_reference_set_is_perfect_up_to_the_orders_it_has(items: Items) -> None:
    scores = _ours([(references, references) for _, references in items])
    lengths = [len(text.split()) for _, references in items for text in references]
    for row, length in zip(scores, lengths, strict=True):
        np.testing.assert_allclose(row[:length], 1, atol=1e-8)


def test_a_perfect_one_word_answer_scores_a_thousandth_at_two() -> None:
    assert _ours([(["yes"], ["yes", "yes it is"])])[0] == pytest.approx(
        [1, 1e-3, 1e-4, 10**-4.5], rel=1e-6
    )


def test_the_unit_cases_that_pycocoevalcap_publishes() -> None:
    scores = _ours(
        [
            (["this is a good test"], ["this is a test", "this is also a test"]),
            (
                ["tea and buns"],
                ["coffee and buns", "tea and croissants", "pop and snacks"],
            ),
            (["Le test est en français."], ["Test en français.", "Le test en français."]),
        ]
    )
    expected = [0.799999, 0.632455, 0.5108729, 0.0000903602]
    np.testing.assert_allclose(scores[0], expected, rtol=2e-6)
    np.testing.assert_allclose(scores[1], [1, 1, 1e-5, 5.6e-6], rtol=5e-3)
    assert scores[2, 2] == pytest.approx(0.0000051, abs=1e-7)


def test_of_two_references_equally_near_in_length_the_shorter_counts() -> None:
    words = Vocabulary()
    matches = matched(words.texts([["a b c"]]), words.texts([["a b c d", "a b"]]))
    assert matches.closest.tolist() == [2]
    assert matches.length.tolist() == [3]


def test_blank_hypotheses_and_items_without_references_have_no_score() -> None:
    scores = _ours([(["yes", "", "  "], ["yes"]), (["no"], [])])
    assert np.isnan(scores).all(axis=1).tolist() == [False, True, True, True]


def test_what_the_tokeniser_emptied_is_scored_and_matches_nothing() -> None:
    words = Vocabulary()
    hypotheses = words.texts([["..."]], lambda text: text.replace(".", " ").split())
    np.testing.assert_array_equal(bleu(hypotheses, words.texts([["yes"]])), np.zeros((1, 4)))


def test_corpus_bleu_leaves_blank_hypotheses_out() -> None:
    words = Vocabulary()
    references = words.texts([["a b c d e"], ["f g"]])
    np.testing.assert_array_equal(
        corpus_bleu(words.texts([["a b c d"], [""]]), references),
        corpus_bleu(words.texts([["a b c d"], []]), references),
    )
