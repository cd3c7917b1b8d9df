"""The house holds: files stay small, and each room's list of public names is meant."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
LONGEST_FILE = 500
WRITTEN = {".py", ".toml", ".jinja", ".md"}


def test_no_file_is_long() -> None:
    """Neither code nor what is written beside it."""
    places = ("src", "tests", "bench", "docs")
    files = [
        file for place in places for file in (ROOT / place).rglob("*") if file.suffix in WRITTEN
    ]
    assert len(files) > 100
    long = {str(file): len(file.read_text("utf-8").splitlines()) for file in files}
    assert [file for file, lines in long.items() if lines > LONGEST_FILE] == []


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT / "src")))
def test_every_module_says_what_it_is(file: Path) -> None:
    assert ast.get_docstring(ast.parse(file.read_text("utf-8")))


def test_the_names_of_the_games_room_are_these() -> None:
    from referee import games

    assert sorted(games.__all__) == [
        "ANSWERS",
        "Answer",
        "Ask",
        "Belief",
        "Believe",
        "Box",
        "Candidate",
        "Cost",
        "Event",
        "Forms",
        "Game",
        "Guess",
        "GuessWhat",
        "GuessWhich",
        "Pick",
        "Refusal",
        "Reply",
        "Round",
        "Scene",
        "Sitting",
        "Status",
        "Stop",
        "Thing",
        "Transcript",
        "Turn",
        "VisDial",
        "render",
        "render_pool",
    ]
