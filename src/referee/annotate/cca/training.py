"""Training a CCA on pairs of questions and answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from referee.annotate.cca.model import THREE, TWO, Model, Training
from referee.annotate.cca.pairs import Pairs
from referee.annotate.cca.sentences import Recipe, Sentences, sentences
from referee.annotate.cca.words import Images
from referee.datasets.vectors import Vectors
from referee.errors import DataError, UsageError
from referee.metrics.cca import fit, moments

_IMAGES = 4096
_SMALL = 50_000
"""Rows up to which the covariances may cost double precision."""


class Directions(Struct, frozen=True):
    """How many directions are kept, at most, and to which power their eigenvalues weigh them."""

    k: int = 300
    power: float = 1.0

    def __post_init__(self) -> None:
        """At least one direction."""
        if self.k < 1:
            raise UsageError(f"{self.k} directions are none")


_DIRECTIONS = Directions()


def train(
    pairs: Pairs,
    embedding: Sentences,
    directions: Directions = _DIRECTIONS,
    *,
    images: Images | None = None,
    training: Training | None = None,
) -> Model:
    """The CCA of the pairs; with images it has three views and is the model of AQI(Q)."""
    if len(pairs) < 2:  # noqa: PLR2004 a covariance
        raise DataError(f"there are {len(pairs)} pairs to train on", expected="2 or more")
    views: list[NDArray[np.floating]] = [
        embedding.embed(pairs.answers),
        embedding.embed(pairs.questions),
    ]
    answers, questions, pictures = pairs.rows
    rows: list[NDArray[np.int32]] = [answers, questions]
    if images is not None:
        views.insert(1, _features(images, pairs.images))
        rows.insert(1, pictures)
    if not all(np.ptp(view, axis=0).any() for view in views):
        raise DataError(
            "a view does not vary: no word of it has a vector, or all of it is the same",
            expected="texts whose words the vectors know",
        )
    if max(map(len, views)) < _SMALL:
        views = [view.astype(np.float64) for view in views]
    fitted = fit(moments(views, rows), directions.k, directions.power)
    told = training or Training(count=len(pairs))
    return Model(embedding, fitted, TWO if images is None else THREE, told)


def embedding_of(texts: Iterable[str], vectors: Vectors, recipe: Recipe) -> Sentences:
    """The embedding whose vocabulary is counted in some texts."""
    made = sentences(texts, vectors, recipe)
    if not made.table.any():
        raise DataError(
            f"no word that comes {recipe.least_count} times has a vector",
            expected="vectors of the language of the dialogues, or a smaller least count",
        )
    return made


def _features(images: Images, names: Sequence[str]) -> NDArray[np.float32]:
    found = np.empty((len(names), images.dimension), np.float32)
    for first in range(0, len(names), _IMAGES):
        found[first : first + _IMAGES] = images.of(list(names[first : first + _IMAGES]))
    return found
