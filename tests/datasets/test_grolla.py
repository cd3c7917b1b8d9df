"""Submissions to GROLLA: a line a game, checked, and described by a schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from referee.datasets import grolla
from referee.datasets.check import check, recognise
from referee.datasets.grolla import Played, Predicted, Said, Submission
from referee.errors import DataError
from referee.games import Box, GuessWhat, Scene, Thing

GAME = GuessWhat(
    "3", Scene("9", 100, 80, tuple(Thing(i, "cat", 17, Box(0, 0, 9, 9)) for i in ("1", "2"))), "1"
)
PLAYED = Played("test", 9, 1, 2, (Said("is it a cat?", "Yes"),))
PREDICTED = Predicted(3, ("has legs",), (), ("has legs",), ("center",))

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"kind": "game", "part": "train", "image": 1, "target": 2}, "train"),
    ({"kind": "game", "image": 1, "target": 2}, "part"),
    ({"kind": "attributes", "game": 1, "abstract": []}, "situated"),
    ({"kind": "score", "grolla": 99}, "score"),
    (
        {"kind": "game", "part": "test", "image": 1, "target": 2, "gues": 2},
        "unknown field `gues`",
    ),
    ({"kind": "submission", "version": 1, "player": "you"}, "a second line of this kind"),
]


@pytest.fixture
def submission(tmp_path: Path) -> Callable[..., Path]:
    """Writes lines, the first of which says whose submission it is unless `whose` is empty."""

    def write(*lines: dict[str, Any], whose: str = "me") -> Path:
        first = [{"kind": "submission", "version": 1, "player": whose}] if whose else []
        path = tmp_path / "mine.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in (*first, *lines)))
        return path

    return write


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl.gz"
    assert grolla.write(path, Submission(1, "me"), [PLAYED, PREDICTED]) == 3
    assert list(grolla.read(path)) == [Submission(1, "me"), PLAYED, PREDICTED]
    assert grolla.predictions(path)["3"]["location"] == ("center",)
    known = recognise(path)
    assert known is not None
    assert known.name == "grolla-submission"
    (summary,) = check(path)
    assert summary.counts == {
        "player": "me",
        "games of test": 1,
        "games with predicted attributes": 1,
    }
    assert summary.problems == []


def test_a_game_becomes_a_transcript_of_the_reference_game(tmp_path: Path) -> None:
    """Whether it was won is told by its guess."""
    path = tmp_path / "mine.jsonl"
    grolla.write(path, Submission(1, "me"), [PLAYED])
    (transcript,) = grolla.transcripts(path, {("9", "1"): (GAME, "test")})
    assert (transcript.game, transcript.status, transcript.guess) == (GAME, "failure", "2")
    assert [turn.answer for turn in transcript.turns] == ["Yes"]
    with pytest.raises(DataError, match="none of the reference games"):
        list(grolla.transcripts(path, {}))


@pytest.mark.parametrize(("line", "said"), WRONG)
def test_a_line_that_is_wrong_is_said_with_its_number(
    submission: Callable[..., Path], line: dict[str, Any], said: str
) -> None:
    (summary,) = check(submission(line))
    (problem,) = summary.problems
    assert problem.record == 2
    assert said in str(problem)


def test_a_game_counts_once(submission: Callable[..., Path]) -> None:
    line = {"kind": "game", "part": "nd_test", "image": 1, "target": "a_0"}
    (summary,) = check(submission(line, line))
    assert "comes twice" in str(summary.problems[0])


def test_the_first_line_says_whose_it_is(submission: Callable[..., Path]) -> None:
    line = {"kind": "game", "part": "test", "image": 1}
    path = submission({**line, "target": 2}, {**line, "target": 3}, whose="")
    with pytest.raises(DataError, match="a line of the kind submission"):
        list(grolla.read(path))
    (summary,) = check(path)
    assert [problem.record for problem in summary.problems] == [1]
    path.write_text("")
    with pytest.raises(DataError, match="is empty"):
        list(grolla.read(path))


def test_a_game_is_of_the_part_that_its_line_says(submission: Callable[..., Path]) -> None:
    """A part of which there are no reference games is passed over: it is not judged."""
    path = submission({"kind": "game", "part": "nd_test", "image": 9, "target": 1})
    known = {("9", "1"): (GAME, "test"), ("8", "1"): (GAME, "nd_test")}
    with pytest.raises(DataError, match=r"part: is nd_test \(expected test"):
        list(grolla.transcripts(path, known))
    assert not list(grolla.transcripts(path, {("9", "1"): (GAME, "test")}))


def test_a_guess_that_is_no_candidate_is_refused(submission: Callable[..., Path]) -> None:
    path = submission({"kind": "game", "part": "test", "image": 9, "target": 1, "guess": 5})
    with pytest.raises(DataError, match="the id of one of the game's objects"):
        list(grolla.transcripts(path, {("9", "1"): (GAME, "test")}))


def test_the_schema_in_the_package_is_the_format() -> None:
    """Made from the structs that read a line, it names every kind, field and part."""
    text = resources.files("referee.datasets").joinpath(grolla.SCHEMA).read_text("utf-8")
    assert json.loads(text) == json.loads(json.dumps(grolla.schema()))
    kinds = json.loads(text)["$defs"]
    assert set(kinds["Played"]["properties"]["part"]["enum"]) == set(grolla.PARTS)
    assert set(kinds["Predicted"]["required"]) == {
        *("kind", "game", "abstract", "situated", "abstract_situated", "location"),
    }


def test_a_validator_of_schemas_takes_and_refuses_the_lines_that_we_do(tmp_path: Path) -> None:
    """But for a line that is wrong beside another only."""
    path = tmp_path / "mine.jsonl"
    grolla.write(path, Submission(1, "me"), [PLAYED, PREDICTED])
    validator = jsonschema.Draft202012Validator(grolla.schema())
    validator.check_schema(grolla.schema())
    for line in path.read_text().splitlines():
        validator.validate(json.loads(line))
    for wrong, _ in WRONG:
        assert validator.is_valid(wrong) == (wrong["kind"] == "submission"), wrong
