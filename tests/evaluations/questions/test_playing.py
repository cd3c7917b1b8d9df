"""From play to values: every game counts once, and a run says the same in the older tools' formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.arena import run as runs
from referee.cli import main

TRUTH = ("--oracle", "scripted:perfect-oracle")
GAMES = 37
"""Not a multiple of any batch: the original code filled its last batch with games it had already."""
AS_WRITTEN = {"question_diversity", "vocabulary"}
"""The values that tell "Is it red?" from "is it red ?"."""


def play(world: Path, out: Path, player: str, batch: int = 16, games: int = GAMES) -> Path:
    words = ["play", "guesswhat", "--games", world / "guesswhat.valid.jsonl.gz", "--out", out]
    words += ["--player", player, "--oracle", "scripted:noisy-oracle"]
    words += ["--limit", games, "--batch", batch]
    assert main(list(map(str, words))) == 0
    return out


def values(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, dict[str, Any]]:
    capsys.readouterr()
    assert main(["evaluate", "questions", *TRUTH, "--json", *map(str, words)]) == 0
    found: dict[str, dict[str, Any]] = json.loads(capsys.readouterr().out)["values"]
    return found


@pytest.mark.parametrize("batch", [1, 16, 64])
def test_task_success_divides_by_the_number_of_games(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], batch: int
) -> None:
    out = play(world, tmp_path / "run", "scripted:people", batch)
    played = list(runs.read(out))
    assert len({transcript.game.id for transcript in played}) == len(played) == GAMES
    won = sum(transcript.status == "success" for transcript in played)
    found = values(capsys, "--transcripts", out)["task_success"]
    assert found["n"] == GAMES
    assert found["value"] == pytest.approx(100 * won / GAMES)
    assert 0 < won < GAMES


@pytest.mark.parametrize(("form", "name"), [("looper", "dump.jsonl.gz"), ("gdse", "log.json")])
def test_an_export_is_judged_as_the_run_is(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, name: str
) -> None:
    """The logs are in lower case, with a blank before the mark: what counts texts as they are differs."""
    out, log = play(world, tmp_path / "run", "scripted:people"), tmp_path / name
    assert main(["export", form, "--transcripts", str(out), "--out", str(log)]) == 0
    mine = values(capsys, "--transcripts", out)
    games = ("--games", world / "guesswhat.valid.jsonl.gz")
    logged = values(capsys, "--transcripts", log, *games)
    assert mine.keys() == logged.keys()
    assert {name for name, value in mine.items() if logged[name] != value} == AS_WRITTEN


def test_two_players_on_the_same_games_are_compared_game_by_game(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """People who describe the thing before they guess refer with their last turn, and win no more."""
    runs_of = [
        play(world, tmp_path / f"{refer}", f"scripted:people?confirm=1&refer={refer}", games=120)
        for refer in (1, 0)
    ]
    capsys.readouterr()
    assert main(["compare", *map(str, runs_of), *TRUTH, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["differences"]
    for name in ("task_success", "effectiveness", "last_referring", "efficiency"):
        each = found[name]
        assert each["ci_low"] <= each["difference"] <= each["ci_high"]
        assert 0 < each["p_permutation"] <= each["p_holm"] <= 1
        assert each["difference"] == pytest.approx(each["value_a"] - each["value_b"])
        assert each["n"] == 120
    assert found["last_referring"]["ci_low"] > 5
    assert found["last_referring"]["p_holm"] < 0.05
    assert found["last_referring"]["test"] == "McNemar"
    assert found["effectiveness"]["test"] == "Wilcoxon signed-rank"
    assert found["task_success"]["difference"] == 0


def test_values_over_turns_are_left_out_where_games_differ_in_length_and_a_note_says_so(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long, short = (
        play(world, tmp_path / f"{confirm}", f"scripted:people?confirm={confirm}")
        for confirm in (1, 0)
    )
    for first, second, left_out in ((long, short, True), (long, long, False)):
        capsys.readouterr()
        assert main(["compare", str(first), str(second), *TRUTH, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert ("information_gain" not in found["differences"]) == left_out
        assert any("values over turns are left out" in each for each in found["notes"]) == left_out
