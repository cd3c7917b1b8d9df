"""How far embedded texts lie from embedded references: Euclidean distance and cosine similarity."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.metrics.text.compiling import compiled, compiled_reordering
from referee.metrics.text.interning import Marks, Scores, Sets, Texts, Vocabulary

Vectors: TypeAlias = NDArray[Any]
Embed: TypeAlias = Callable[[Sequence[str]], Vectors]

OFFSET = 1e-6
EPSILON = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class Distances:
    """Both distances of every hypothesis, [hypotheses]: a small `l2` is near, a large `cosine`."""

    l2: Scores
    cosine: Scores


def distances(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], embed: Embed
) -> Distances:
    """`l2` and `cosine` of lists of texts, of which `embed` sees each distinct one once, blank ones too.

    >>> def embed(texts):
    ...     return np.array([[len(text), text.count("e")] for text in texts], np.float32)
    >>> found = distances([["tree", ""]], [["tree", "see"]], embed)
    >>> found.l2.round(3).tolist(), found.cosine.round(3).tolist()
    ([0.5, nan], [0.996, nan])
    """
    if len(hypotheses) != len(references):
        raise UsageError(f"{len(hypotheses)} lists of hypotheses, {len(references)} reference sets")
    texts = Vocabulary().texts([*hypotheses, *references], _no_words)
    rows, offsets = texts.sets()
    items = len(hypotheses)
    cut = offsets[items]
    tested = Sets(rows[:cut], offsets[: items + 1])
    against = Sets(rows[cut:], offsets[items:] - cut)
    vectors = np.ascontiguousarray(embed(texts.distinct))
    if vectors.shape[:-1] != (len(texts.distinct),):
        raise UsageError(f"{len(texts.distinct)} distinct texts were given vectors {vectors.shape}")
    said = texts.said[:cut]
    return Distances(
        l2=_mean_distances(vectors, vectors, tested, against, said),
        cosine=_cosine(vectors, vectors, tested, against, said),
    )


def _no_words(text: str) -> tuple[str, ...]:
    del text
    return ()


def l2(hypotheses: Texts, references: Texts, own: Vectors, other: Vectors) -> Scores:
    """The mean Euclidean distance to each item's references, [hypotheses]; near is good.

        L2(h) = 1/|R| sum_{r in R} || r - h + 1e-6 ||

    own, other: the embeddings of the distinct texts, [distinct, dimensions]. 1e-6 is added to each
    component, as torch's pairwise distance does: equal vectors lie 1e-6 sqrt(dimensions) apart.

    >>> from referee.metrics.text.interning import Vocabulary
    >>> words = Vocabulary()
    >>> pair = words.texts([["near", ""]]), words.texts([["here", "there"]])
    >>> l2(*pair, np.array([[0.0, 1], [0, 0]]), np.array([[0.0, 1], [3, 5]])).round(3).tolist()
    [2.5, nan]
    """
    own, other = _checked(hypotheses, references, own, other)
    return _mean_distances(own, other, hypotheses.sets(), references.sets(), hypotheses.said)


def cosine(hypotheses: Texts, references: Texts, own: Vectors, other: Vectors) -> Scores:
    """The mean cosine with each item's references, [hypotheses].

        CS(h) = 1/|R| sum_{r in R} h . r / (max(|h|, 1e-8) max(|r|, 1e-8))

    own, other: as for `l2`. A vector of zeros has cosine 0 with everything.

    >>> from referee.metrics.text.interning import Vocabulary
    >>> words = Vocabulary()
    >>> pair = words.texts([["near", ""]]), words.texts([["here", "there"]])
    >>> cosine(*pair, np.array([[0.0, 1], [0, 0]]), np.array([[0.0, 2], [3, 4]])).tolist()
    [0.9, nan]
    """
    own, other = _checked(hypotheses, references, own, other)
    return _cosine(own, other, hypotheses.sets(), references.sets(), hypotheses.said)


def _cosine(own: Vectors, other: Vectors, tested: Sets, against: Sets, said: Marks) -> Scores:
    result = _mean_cosines(own, other, (_lengths(own), _lengths(other)), tested, against)
    result[~said] = np.nan
    return result


def _checked(
    hypotheses: Texts, references: Texts, own: Vectors, other: Vectors
) -> tuple[Vectors, Vectors]:
    hypotheses.together_with(references)
    dimensions = own.shape[-1]
    for texts, vectors in ((hypotheses, own), (references, other)):
        expected = len(texts.distinct), dimensions
        if vectors.shape != expected:
            raise UsageError(
                f"vectors must be [distinct texts, dimensions] {expected}, not {vectors.shape}"
            )
    return np.ascontiguousarray(own), np.ascontiguousarray(other)


@compiled
def _mean_distances(
    own: Vectors, other: Vectors, tested: Sets, against: Sets, said: Marks
) -> Scores:
    result = np.full(len(tested.rows), np.nan)
    for item in range(len(against.offsets) - 1):
        rows = against.rows[against.offsets[item] : against.offsets[item + 1]]
        if len(rows) == 0:
            continue
        for number in range(tested.offsets[item], tested.offsets[item + 1]):
            if said[number]:
                total = 0.0
                for row in rows:
                    total += math.sqrt(_square(other[row], own[tested.rows[number]]))
                result[number] = total / len(rows)
    return result


@compiled
def _mean_cosines(
    own: Vectors, other: Vectors, lengths: tuple[Scores, Scores], tested: Sets, against: Sets
) -> Scores:
    """The mean of cosines with h is the product with the mean of the references' unit vectors."""
    result = np.full(len(tested.rows), np.nan)
    for item in range(len(against.offsets) - 1):
        rows = against.rows[against.offsets[item] : against.offsets[item + 1]]
        if len(rows) == 0:
            continue
        direction = np.zeros(own.shape[1], np.float64)
        for row in rows:
            direction += other[row] / lengths[1][row]
        for number in range(tested.offsets[item], tested.offsets[item + 1]):
            row = tested.rows[number]
            result[number] = _product(own[row], direction) / lengths[0][row] / len(rows)
    return result


@compiled
def _lengths(vectors: Vectors) -> Scores:
    """Each vector's norm, 1e-8 at least."""
    result = np.empty(len(vectors), np.float64)
    for row in range(len(vectors)):
        result[row] = max(math.sqrt(_product(vectors[row], vectors[row])), EPSILON)
    return result


@compiled_reordering
def _square(reference: Vectors, hypothesis: Vectors) -> float:
    total = 0.0
    for place in range(len(reference)):
        gap = np.float64(reference[place]) - np.float64(hypothesis[place]) + OFFSET
        total += gap * gap
    return total


@compiled_reordering
def _product(one: Vectors, two: Vectors) -> float:
    total = 0.0
    for place in range(len(one)):
        total += np.float64(one[place]) * np.float64(two[place])
    return total
