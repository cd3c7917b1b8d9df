"""`referee export looper` and `referee export gdse`, as a user calls them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.arena import run as runs
from referee.cli import main
from referee.datasets import dialogues, guesswhat
from referee.games import GuessWhat, Transcript

GAMES = 30


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A run of scripted players, who told what they believe after each answer; and its games."""
    world = tmp_path_factory.mktemp("export") / "world"
    making = ["data", "make", "iconworld", "--out", str(world), "--games", str(GAMES)]
    assert main([*making, "--no-pictures"]) == 0
    games, out = world / "guesswhat.train.jsonl.gz", world / "run"
    seats = ["--questioner", "scripted:people", "--oracle", "scripted:noisy-oracle"]
    seats += ["--guesser", "scripted:bayes-guesser", "--out", str(out)]
    assert main(["play", "guesswhat", "--games", str(games), *seats]) == 0
    return out, games


def export(form: str, played: tuple[Path, Path], out: Path, *options: str) -> int:
    return main(["export", form, "--transcripts", str(played[0]), "--out", str(out), *options])


def told(transcripts: Sequence[Transcript]) -> list[Any]:
    """What was said, guessed and won, in the lower case and spacing of the logs."""
    return [
        (
            it.game.id,
            [(turn.question.lower().replace(" ?", "?"), turn.answer) for turn in it.turns],
            it.guess,
            it.status,
        )
        for it in transcripts
    ]


def believed(transcripts: Sequence[Transcript]) -> list[float]:
    return [
        chance
        for it in transcripts
        for turn in it.turns
        if turn.belief is not None
        for chance in turn.belief.probabilities
    ]


@pytest.mark.parametrize(
    ("form", "name", "rounding"),
    [
        ("looper", "dump.jsonl.gz", 0.006),
        ("looper", "dump.jsonl", 0.006),
        ("gdse", "log.json", 1e-9),
    ],
)
def test_what_is_exported_is_what_was_played(
    played: tuple[Path, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    form: str,
    name: str,
    rounding: float,
) -> None:
    """Our own reader gives back dialogues, guesses, outcomes and beliefs (three decimals in a dump)."""
    assert export(form, played, tmp_path / name) == 0
    mine = list(runs.read(played[0]))
    turns = sum(len(transcript.turns) for transcript in mine)
    said = capsys.readouterr().out
    assert f"{len(mine)} games with {turns} questions and {turns} beliefs are in" in said
    assert f"next: referee data check {tmp_path / name}" in said
    games = [game for game in guesswhat.games(played[1]) if isinstance(game, GuessWhat)]
    back = list(dialogues.read(tmp_path / name, games))
    assert told(back) == told(mine)
    assert believed(back) == pytest.approx(believed(mine), abs=rounding)


@pytest.mark.parametrize(("form", "name"), [("looper", "dump.jsonl.gz"), ("gdse", "log.json")])
def test_data_check_finds_nothing_wrong(
    played: tuple[Path, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    form: str,
    name: str,
) -> None:
    assert export(form, played, tmp_path / name) == 0
    capsys.readouterr()
    assert main(["data", "check", str(tmp_path / name)]) == 0
    said = capsys.readouterr().out
    known = {"looper": "looper", "gdse": "gdse-log"}[form]
    assert said.splitlines()[0] == f"{tmp_path / name}  {known}"
    assert said.splitlines()[-1] == "1 recognised, 0 problems"


def test_the_names_are_those_of_the_old_tools(played: tuple[Path, Path], tmp_path: Path) -> None:
    """Probabilities are texts in a dump, and rows of 20 slots in a log, one before the first question."""
    assert export("looper", played, tmp_path / "dump.jsonl.gz") == 0
    with gzip.open(tmp_path / "dump.jsonl.gz") as stream:
        line = json.loads(next(stream))
    assert {"id", "qas", "image", "objects", "object_id", "guess_object_id", "status"} == set(line)
    turn = line["qas"][0]
    assert set(turn) == {"question", "answer", "id", "p"}
    assert len(turn["p"]) == len(line["objects"])
    assert all(isinstance(chance, str) and len(chance) <= len("0.123") for chance in turn["p"])
    assert export("gdse", played, tmp_path / "log.json", "--split", "val") == 0
    log = json.loads((tmp_path / "log.json").read_bytes())
    longest = max(row["no_qs"] for row in log.values())
    row = log[str(line["id"])]
    assert row["split"] == "val"
    assert row["gen_dialogue"].startswith("<start> ")
    assert len(row["all_guess_probs"]) == longest + 1
    assert {len(slots) for slots in row["all_guess_probs"]} == {20}
    assert row["guess_probs"] == row["all_guess_probs"][row["no_qs"]]


@pytest.mark.parametrize("form", ["looper", "gdse"])
def test_games_without_a_guess_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], played: tuple[Path, Path], form: str
) -> None:
    """People's wrong guesses are not in the data."""
    code = main(
        ["export", form, "--transcripts", str(played[1]), "--out", str(tmp_path / "out.json")]
    )
    assert code == 2
    assert "has no guess" in capsys.readouterr().err
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("form", ["looper", "gdse"])
def test_nothing_is_overwritten(
    played: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    (tmp_path / "mine").write_text("mine")
    assert export(form, played, tmp_path / "mine") == 2
    assert "mine" in capsys.readouterr().err
    assert (tmp_path / "mine").read_text() == "mine"
