"""Embedding distances, against numpy and against torch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.metrics.text.distances import Distances, cosine, distances, l2
from referee.metrics.text.interning import Texts, Vocabulary

Floats = NDArray[np.float32]
WORD = st.sampled_from("abcdefgh")
LISTS = st.lists(
    st.tuples(st.lists(WORD, max_size=3), st.lists(WORD, min_size=1, max_size=4)),
    min_size=1,
    max_size=5,
)
DIMENSIONS = 37


def _vectors(texts: Sequence[str]) -> Floats:
    """A vector for each text that depends on nothing but the text."""
    rows = [
        np.random.default_rng([len(text), *text.encode()]).normal(size=DIMENSIONS) for text in texts
    ]
    return np.array(rows, np.float32).reshape(-1, DIMENSIONS)


def _distances(items: list[tuple[list[str], list[str]]]) -> Distances:
    return distances([texts for texts, _ in items], [given for _, given in items], _vectors)


def _interned(items: list[tuple[list[str], list[str]]]) -> tuple[Texts, Texts]:
    words = Vocabulary()
    return (
        words.texts([texts for texts, _ in items]),
        words.texts([references for _, references in items]),
    )


@given(LISTS)
def test_both_are_means_over_the_references(items: list[tuple[list[str], list[str]]]) -> None:
    hypotheses, references = _interned(items)
    own, other = _vectors(hypotheses.distinct), _vectors(references.distinct)
    far, near = [], []
    for texts, given_references in items:
        against = _vectors(given_references).astype(float)
        for one in _vectors(texts).astype(float):
            far.append(np.linalg.norm(against - one + 1e-6, axis=1).mean())
            norms = np.linalg.norm(against, axis=1) * np.linalg.norm(one)
            near.append((against @ one / norms).mean())
    np.testing.assert_allclose(l2(hypotheses, references, own, other), far, rtol=1e-12)
    np.testing.assert_allclose(cosine(hypotheses, references, own, other), near, atol=1e-14)


@given(LISTS)
def test_a_distance_does_not_depend_on_what_is_scored_beside_it(
    items: list[tuple[list[str], list[str]]],
) -> None:
    together = _distances(items)
    alone = [_distances([item]) for item in items]
    np.testing.assert_array_equal(together.l2, np.concatenate([found.l2 for found in alone]))
    np.testing.assert_array_equal(
        together.cosine, np.concatenate([found.cosine for found in alone])
    )


@given(LISTS)
def test_lists_and_interned_texts_give_the_same(items: list[tuple[list[str], list[str]]]) -> None:
    hypotheses, references = _interned(items)
    own, other = _vectors(hypotheses.distinct), _vectors(references.distinct)
    found = _distances(items)
    np.testing.assert_array_equal(found.l2, l2(hypotheses, references, own, other))
    np.testing.assert_array_equal(found.cosine, cosine(hypotheses, references, own, other))


def test_both_are_torchs() -> None:
    torch = pytest.importorskip("torch")
    words = ["a", "b", "c", "d"]
    found = distances([["a", "b"]], [words[1:]], _vectors)
    own, other = (torch.from_numpy(_vectors(texts)) for texts in (words[:2], words[1:]))
    for row in range(2):
        one = own[row].expand_as(other)
        far = torch.nn.PairwiseDistance()(other, one).mean().item()
        near = torch.nn.CosineSimilarity()(other, one).mean().item()
        assert found.l2[row] == pytest.approx(far, rel=1e-6)
        assert found.cosine[row] == pytest.approx(near, abs=1e-6)


def test_equal_vectors_lie_a_millionth_apart_in_each_dimension() -> None:
    def embed(texts: Sequence[str]) -> Floats:
        return np.full((len(texts), 768), 0.25, np.float32)

    found = distances([["yes"]], [["yes", "no"]], embed)
    assert found.l2[0] == pytest.approx(1e-6 * np.sqrt(768))
    assert found.cosine[0] == pytest.approx(1)


def test_a_text_without_a_vector_has_cosine_zero() -> None:
    def embed(texts: Sequence[str]) -> Floats:
        return np.array([[len(text) - 1, 0] for text in texts], np.float32)

    assert distances([["a", "ab"]], [["a", "ab"]], embed).cosine.tolist() == [0, 0.5]


def test_every_distinct_text_is_embedded_once() -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> Floats:
        asked.extend(texts)
        return _vectors(texts)

    distances([["a", "b"], ["a"]], [["b", "c"], ["c"]], embed)
    assert asked == ["a", "b", "c"]


def test_blank_hypotheses_and_items_without_references_have_no_distance() -> None:
    found = distances([["a", " "], ["a"]], [["b"], []], _vectors)
    assert np.isnan(found.l2).tolist() == [False, True, True]
    assert np.isnan(found.cosine).tolist() == [False, True, True]


def test_vectors_that_do_not_fit_the_texts_are_refused() -> None:
    hypotheses, references = _interned([(["a", "b"], ["a"])])
    with pytest.raises(UsageError, match="vectors must be"):
        l2(hypotheses, references, np.zeros((1, 3)), np.zeros((1, 3)))
    with pytest.raises(UsageError, match="vectors must be"):
        cosine(hypotheses, references, np.zeros((2, 3)), np.zeros((1, 4)))
    with pytest.raises(UsageError, match="2 distinct texts"):
        distances([["a"]], [["b"]], lambda texts: np.zeros(len(texts)))
    with pytest.raises(UsageError, match="1 lists of hypotheses"):
        distances([["a"]], [], _vectors)
