"""A data set of one's own needs one file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.cli import main
from referee.datasets import own
from referee.errors import DataError, UsageError
from referee.games import GuessWhat, VisDial

MINE = """
from referee.games import Answer, Ask, Box, Guess, GuessWhat, Scene, Thing, Transcript

THINGS = tuple(
    Thing(str(number), name, 0, Box(40 * number, 10, 20, 20))
    for number, name in enumerate(["dog", "cat", "bus"])
)


def games():
    for number in range(4):
        yield GuessWhat(str(number), Scene(f"s{number}", 200, 100, THINGS), target="1")


def dialogues():
    for game in games():
        events = (Ask("is it a cat?"), Answer("Yes"), Guess("1"))
        yield Transcript(game, events, "success")


def numbers():
    yield 7


def breaking():
    yield from games()
    raise OSError("no route")


def nothing():
    return None


def astray():
    yield GuessWhat("1", Scene("1", 200, 100, THINGS), target="9")


def twice():
    yield from games()
    yield from games()


THING = THINGS[0]
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    file = tmp_path / "mine.py"
    file.write_text(MINE, "utf-8")
    return str(file)


def test_own_games_are_played(mine: str, tmp_path: Path) -> None:
    players = ["--player", "scripted:people", "--oracle", "scripted:perfect-oracle"]
    run = tmp_path / "run"
    assert main(["play", "guesswhat", "--games", f"{mine}:games", *players, "--out", str(run)]) == 0
    assert len((run / "transcripts.jsonl").read_text().splitlines()) == 4
    manifest = json.loads((run / "manifest.json").read_text())
    assert "mine.py" in json.dumps(manifest["data"])


def test_own_dialogues_are_judged(mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["evaluate", "questions", "--transcripts", f"{mine}:dialogues"]
    assert main([*arguments, "--oracle", "scripted:perfect-oracle", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["values"]
    assert values["effectiveness"]["value"] == 100
    assert values["last_referring"]["value"] == 100


def test_a_file_of_data_is_no_data_set_of_ones_own(tmp_path: Path) -> None:
    assert own.games(tmp_path / "guesswhat.jsonl", GuessWhat) is None
    assert own.files(tmp_path / "x.json") == [tmp_path / "x.json"]


@pytest.mark.parametrize(
    ("name", "kind", "error", "message"),
    [
        ("numbers", GuessWhat, DataError, "is a int"),
        ("games", VisDial, DataError, "is a GuessWhat game"),
        ("THING", GuessWhat, UsageError, "is no function"),
        ("nobody", GuessWhat, UsageError, "no 'nobody' in .* games, dialogues, numbers"),
    ],
)
def test_what_is_wrong_with_it_is_said(
    mine: str, name: str, kind: type[GuessWhat], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        list(own.games(Path(f"{mine}:{name}"), kind) or ())


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("breaking", "record 5: OSError: no route"),
        ("nothing", "record 1: TypeError: 'NoneType' object is not iterable"),
        ("astray", "record 1, field target: the target 9 is not among the candidates"),
    ],
)
def test_what_goes_wrong_in_the_function_names_it_and_the_record(
    mine: str, name: str, reason: str
) -> None:
    transcripts = own.transcripts(Path(f"{mine}:{name}"))
    assert transcripts is not None
    with pytest.raises(DataError, match=rf"mine\.py:{name}, {reason}"):
        list(transcripts)


def test_a_game_that_comes_twice_is_named_with_its_file(
    mine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = ["--player", "scripted:people", "--oracle", "scripted:perfect-oracle"]
    out = ["--out", str(tmp_path / "run")]
    assert main(["play", "guesswhat", "--games", f"{mine}:twice", *players, *out]) == 1
    assert "mine.py:twice, record 5, field id: there is a game 0 before" in capsys.readouterr().err
