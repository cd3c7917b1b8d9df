"""What the docs say of data is so."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from referee.datasets import guesswhat, own
from referee.datasets.check import formats, recognise
from referee.datasets.fetch import table
from referee.datasets.iconworld.language import parse, parse_open
from referee.datasets.iconworld.vocabulary import vocabulary
from referee.games import GuessWhat

DOCS = Path(__file__).resolve().parent.parent / "docs"
DATA = (DOCS / "data.md").read_text(encoding="utf-8")
ICONWORLD = (DOCS / "iconworld.md").read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    """What stands under a heading."""
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def cells(text: str) -> list[list[str]]:
    """The rows of the tables in a text, without their headers."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows if row[0].strip(" -") != ""]


def quoted(text: str) -> list[str]:
    """What stands in a text as code."""
    return re.findall(r"`([^`\n]+)`", text)


def test_every_format_is_in_the_table() -> None:
    """Each registered format has a row, and each row is of a registered format."""
    named = [row[0].strip("`") for row in cells(section(DATA, "Formats")) if row[0] != "name"]
    assert sorted(named) == sorted(known.name for known in formats())


def test_the_readers_and_writers_in_the_table_exist() -> None:
    for _, _, reader, writer in cells(section(DATA, "Formats")):
        for name in quoted(f"{reader} {writer}"):
            if name in {"referee play", "referee data make"}:
                continue
            whole = name if name.startswith("referee.") else f"referee.datasets.{name}"
            module, _, function = whole.rpartition(".")
            assert callable(getattr(import_module(module), function)), name


def test_the_example_line_is_a_game(tmp_path: Path) -> None:
    """It is recognised, read, and comes back with its ids, attributes and dialogue."""
    example = re.search(r"```json\n(.*?)```", section(DATA, "Your own games"), re.DOTALL)
    assert example is not None
    row = json.loads(example[1])
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    known = recognise(path)
    assert known is not None
    assert known.name == "guesswhat-old"
    (transcript,) = guesswhat.read(path)
    assert isinstance(transcript.game, GuessWhat)
    assert transcript.game.target == "12"
    assert transcript.game.scene.things[1].attributes == ("red", "small")
    assert [turn.answer for turn in transcript.turns] == ["Yes", "No"]
    fields = {name.split("[].")[-1] for name in quoted(section(DATA, "Your own games"))}
    assert set(row) | set(row["objects"][1]) <= fields


def test_the_example_reader_yields_a_game(tmp_path: Path) -> None:
    example = re.search(r"```python\n(.*?)```", section(DATA, "Your own reader"), re.DOTALL)
    assert example is not None
    (tmp_path / "mine.py").write_text(example[1], encoding="utf-8")
    found = own.games(tmp_path / "mine.py:games", GuessWhat)
    assert found is not None
    (game,) = found
    assert game.scene.things[game.target_index].attributes == ("red", "small")


def test_the_data_sets_named_in_the_docs_can_be_fetched() -> None:
    for name in re.findall(r"referee data fetch ([a-z0-9.-]+)", DATA):
        assert name == "images" or name in table()


@pytest.mark.parametrize(
    ("number", "understood"), [(0, parse), (1, parse_open)], ids=["closed", "open"]
)
def test_what_iconworld_says_can_be_asked_is_understood(
    number: int, understood: Callable[[str], object]
) -> None:
    asked = section(ICONWORLD, "What can be asked").partition("VisDial-like")[2 * number]
    questions = [
        question for row in cells(asked) if row[0] != "about" for question in quoted(row[1])
    ]
    assert len(questions) > 5
    assert [question for question in questions if understood(question) is None] == []


def test_the_formats_of_a_world_are_registered() -> None:
    rows = cells(section(ICONWORLD, "What a world holds"))
    named = {name for row in rows for name in quoted(row[1])}
    assert len(named) > 10
    assert named <= {known.name for known in formats()}


def test_the_kinds_of_things_are_as_many_as_iconworld_says() -> None:
    known = vocabulary()
    drawn = [len(known.drawn(unseen=unseen)) for unseen in (False, True)]
    assert f"{drawn[0]} kinds of things are COCO's and {drawn[1]} are" in ICONWORLD
