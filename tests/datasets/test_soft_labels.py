"""Files of soft labels."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.datasets import soft_labels
from referee.datasets.check import check
from referee.datasets.soft_labels import SoftLabel
from referee.errors import DataError
from referee.games import Answer, Ask, Box, GuessWhat, Scene, Thing, Transcript

ROW = SoftLabel(
    game="1",
    image="2",
    turn=1,
    question="a cat?",
    answer="Yes",
    type="object",
    objects=("a", "b"),
    probabilities=(0.75, 0.25),
    reference=(True, True),
    source="R1 normalise",
)


@pytest.mark.parametrize("name", ["labels.jsonl", "labels.jsonl.gz"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    """Labels come back as they were, and `data check` counts them."""
    rows = [ROW, replace(ROW, game="2", why=("x", "y"))]
    assert soft_labels.write(tmp_path / name, rows) == 2
    assert list(soft_labels.read(tmp_path / name)) == rows
    (summary,) = check(tmp_path / name)
    assert summary.format == "soft-labels"
    assert (summary.counts["labels"], summary.counts["candidates"]) == (2, 4)
    assert not summary.problems


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (replace(ROW, probabilities=(0.75, 0.5)), "sum to 1.25"),
        (replace(ROW, probabilities=(1.0,)), "has 1 entries for 2 objects"),
        (replace(ROW, reference=(True,)), "field reference"),
        (replace(ROW, turn=0), "turn"),
        (replace(ROW, answer="N/A"), "answer"),
    ],
)
def test_bad_labels_are_refused_or_counted(tmp_path: Path, wrong: SoftLabel, said: str) -> None:
    """Each is named with its line, and left out where that is wanted."""
    path = tmp_path / "labels.jsonl"
    soft_labels.write(path, [ROW, wrong, replace(ROW, game="3")])
    with pytest.raises(DataError, match=said):
        list(soft_labels.read(path))
    skipped: list[DataError] = []
    assert len(list(soft_labels.read(path, skipped))) == 2
    assert len(skipped) == 1


def test_a_turn_is_labelled_once(tmp_path: Path) -> None:
    """A second label of the same turn is refused."""
    soft_labels.write(tmp_path / "l.jsonl", [ROW, ROW])
    with pytest.raises(DataError, match="comes twice"):
        list(soft_labels.read(tmp_path / "l.jsonl"))


def test_a_label_fits_its_game() -> None:
    """Other objects, another question, or no such turn: the label is about something else."""
    box = Box(0, 0, 1, 1)
    scene = Scene("2", 9, 9, (Thing("a", "cat", 17, box), Thing("b", "dog", 18, box)))
    played = Transcript(GuessWhat("1", scene, "a"), (Ask("a cat?"), Answer("Yes")))
    soft_labels.fits(ROW, played)
    with pytest.raises(DataError, match="not those of the game"):
        soft_labels.fits(replace(ROW, objects=("b", "a")), played)
    with pytest.raises(DataError, match="'a dog\\?' Yes"):
        soft_labels.fits(replace(ROW, question="a dog?"), played)
    with pytest.raises(DataError, match="no such turn"):
        soft_labels.fits(replace(ROW, turn=2), played)
