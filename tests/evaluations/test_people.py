"""Simulated people, judged by the questions evaluation, resemble the human row of its Table 1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.cli import main

HUMANS = {
    "task_success": 84.1,
    "effectiveness": 56.9,
    "last_effective": 33.6,
    "last_referring": 26.01,
}
PEOPLE = ("--player", "scripted:people", "--max-turns", "0")
"""People play until they want to guess, as those of the data set did."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """8,000 games, of which 5,600 are for training: a share is known to within 0.7 points."""
    folder = tmp_path_factory.mktemp("people") / "world"
    made = ["data", "make", "iconworld", "--out", str(folder), "--part", "guesswhat"]
    assert main([*made, "--games", "8000", "--seed", "1"]) == 0
    return folder / "guesswhat.train.jsonl.gz"


def judged(transcripts: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, float]:
    words = ["evaluate", "questions", "--transcripts", str(transcripts), "--json"]
    assert main([*words, "--oracle", "scripted:perfect-oracle"]) == 0
    values = json.loads(capsys.readouterr().out)["values"]
    assert values["task_success"]["n"] >= 5000
    return {name: value["value"] for name, value in values.items()}


def assert_human(values: dict[str, float]) -> None:
    assert values["n_questions"] == pytest.approx(5.3, abs=0.25)
    assert {name: values[name] for name in HUMANS} == pytest.approx(HUMANS, abs=2)


def test_the_human_games_of_a_world_resemble_peoples(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert_human(judged(games, capsys))


def test_people_in_the_seats_resemble_people(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With an oracle that is wrong as often as a person is."""
    run = tmp_path / "run"
    words = ["play", "guesswhat", "--games", str(games), "--out", str(run), *PEOPLE]
    assert main([*words, "--oracle", "scripted:noisy-oracle?accuracy=0.972"]) == 0
    capsys.readouterr()
    assert_human(judged(run, capsys))
