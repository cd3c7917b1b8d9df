"""Training pairs: what stands beside what, from dialogues and from reference sets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.annotate.cca import Model
from referee.annotate.cca.pairs import (
    Group,
    annotated,
    built,
    pairs,
    reference_texts,
    referred,
    truths,
    vocabulary_texts,
)
from referee.datasets import densevisdial, visdial
from referee.errors import DataError
from referee.games import Round, Scene, VisDial

GAMES = [
    VisDial(
        "7",
        Scene("7"),
        "a dog",
        (
            Round("is it red", "no", ("yes", "no", "nope"), 1, (0.0, 0.0, 1.0)),
            Round("is it big", "yes", ("yes", "no", "sure"), 0),
            Round("why", "yes", ("yes", "no", "sure"), 0, (0.0, 0.0, 0.0)),
            Round("where"),
        ),
    ),
    VisDial("8", Scene("8"), "a cat", (Round("is it red", "yes", ("yes", "no", "well"), 0),)),
]


def told(groups: list[Group]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(group.image, group.question, tuple(group.answers)) for group in groups]


def test_a_ground_truth_pair_is_a_round_with_an_answer() -> None:
    assert told(list(truths(GAMES))) == [
        ("7", "is it red", ("no",)),
        ("7", "is it big", ("yes",)),
        ("7", "why", ("yes",)),
        ("8", "is it red", ("yes",)),
    ]


def test_human_pairs_are_of_the_rounds_in_which_people_found_something_relevant() -> None:
    """The ground truth is among them although its relevance is zero."""
    assert told(list(built(GAMES, "H", None))) == [("7", "is it red", ("no", "nope"))]
    assert told(list(truths(annotated(GAMES)))) == [("7", "is it red", ("no",))]


def test_texts_are_kept_once_and_pairs_as_numbers() -> None:
    found = pairs(built(GAMES, "gt", None))
    assert found.answers == ("no", "yes")
    assert found.questions == ("is it red", "is it big", "why")
    assert found.images == ("7", "8")
    assert [row.tolist() for row in found.rows] == [[0, 1, 1, 1], [0, 1, 2, 0], [0, 0, 0, 1]]
    assert len(found) == 4
    assert len(pairs([])) == 0


def test_sets_of_a_model_need_one() -> None:
    with pytest.raises(DataError, match="need a CCA model"):
        built(GAMES, "sigma", None)


@pytest.mark.parametrize("which", ["sigma", "meanshift", "agglomerative"])
def test_a_models_sets_hold_the_ground_truth_and_more(
    world: Path, model: Model, which: str
) -> None:
    games = list(visdial.games(world / "visdial_1.0_val.json"))
    found = list(built(games, which, model))  # type: ignore[arg-type]
    rounds = [asked for game in games for asked in game.rounds]
    assert len(found) == len(rounds)
    assert all(asked.answer in group.answers for asked, group in zip(rounds, found, strict=True))
    assert np.mean([len(group.answers) for group in found]) > 2


def test_the_vocabulary_is_counted_in_captions_questions_and_ground_truths() -> None:
    assert list(vocabulary_texts(GAMES[1:])) == ["a cat", "is it red", "yes"]


def test_released_human_sets_have_the_papers_number_of_pairs(shared: Path) -> None:
    path = shared / "densevisdial/refs_H_human_train.json"
    rows = list(densevisdial.read_references(path))
    assert len(pairs(referred(rows, "H"))) == 15_317
    assert len(pairs(referred(rows, "gt"))) == 1_996
    assert len(list(reference_texts(rows))) == 2 * 1_996
