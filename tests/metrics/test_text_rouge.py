"""ROUGE-L, against a recursive longest common subsequence and against pycocoevalcap's scorer."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.metrics.text.interning import Scores, Vocabulary
from referee.metrics.text.rouge import rouge_l

SENTENCE = st.lists(st.sampled_from(["a", "b", "c", "yes,"]), min_size=1, max_size=9).map(" ".join)
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
    hypotheses = words.texts([texts for texts, _ in items])
    return rouge_l(hypotheses, words.texts([references for _, references in items]))


@cache
def _common(one: tuple[str, ...], two: tuple[str, ...]) -> int:
    if not one or not two:
        return 0
    if one[0] == two[0]:
        return 1 + _common(one[1:], two[1:])
    return max(_common(one[1:], two), _common(one, two[1:]))


def _plain(hypothesis: str, references: list[str]) -> float:
    own = tuple(hypothesis.split())
    others = [tuple(reference.split()) for reference in references]
    precision = max(_common(own, other) / len(own) for other in others)
    recall = max(_common(own, other) / len(other) for other in others)
    if not precision:
        return 0.0
    return (1 + 1.44) * precision * recall / (recall + 1.44 * precision)


@given(ITEMS)
def test_rouge_l_is_its_definition(items: Items) -> None:
    expected = [_plain(text, references) for texts, references in items for text in texts]
    np.testing.assert_allclose(_ours(items), expected, rtol=1e-12)


@given(ITEMS)
def test_rouge_l_is_pycocoevalcaps(items: Items) -> None:
    scorer = pytest.importorskip("pycocoevalcap.rouge.rouge").Rouge()
    expected = [
        scorer.calc_score([text], references) for texts, references in items for text in texts
    ]
    np.testing.assert_allclose(_ours(items), expected, rtol=1e-12)


@given(ITEMS)
def test_a_score_does_not_depend_on_what_is_scored_beside_it(items: Items) -> None:
    alone = [_ours([item]) for item in items]
    np.testing.assert_array_equal(_ours(items), np.concatenate(alone))


def test_the_unit_cases_that_pycocoevalcap_publishes() -> None:
    scores = _ours(
        [
            (["this is a good test"], ["this is a test", "this is also a test"]),
            (["tea and buns"], ["coffee and buns", "tea and croissants", "pop and snacks"]),
        ]
    )
    assert scores == pytest.approx([0.9070631, 2 / 3], abs=1e-6)


def test_precision_and_recall_may_come_from_different_references() -> None:
    """P 3/3 from the long reference, R 1/1 from the short one."""
    assert _ours([(["a b c"], ["x a b c y", "b"])]) == pytest.approx([1.0])


def test_blank_hypotheses_and_items_without_references_have_no_score() -> None:
    scores = _ours([(["yes", "", "no"], ["yes"]), (["no"], [])])
    np.testing.assert_array_equal(scores, [1, np.nan, 0, np.nan])


def test_a_split_at_single_spaces_gives_coco_captions_empty_words() -> None:
    scorer = pytest.importorskip("pycocoevalcap.rouge.rouge").Rouge()
    words = Vocabulary()

    def split(text: str) -> list[str]:
        return text.split(" ")

    found = rouge_l(words.texts([["a  b c"]], split), words.texts([["a  c", "b"]], split))
    assert found[0] == pytest.approx(scorer.calc_score(["a  b c"], ["a  c", "b"]))
