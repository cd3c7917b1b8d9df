"""What a user gives wrongly is told in one line that names the file, the game and the turn."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main
from referee.errors import DataError, SeatError
from referee.evaluations import evaluation, questions
from referee.games import Answer, Ask, Transcript
from referee.players import neural

Play = Callable[..., Transcript]
Rows = list[dict[str, Any]]
TRUTH = ("--oracle", "scripted:perfect-oracle")
ORACLES = '''
import numpy as np

class Short:
    """Answers all questions but one."""

    def answer(self, queries):
        return np.eye(3)[[0] * (len(queries) - 1)]

class Lost:
    """Has no number for the last thing of the second question."""

    def answer(self, queries):
        said = np.eye(3)[[0] * len(queries)]
        said[2 * len(queries[0].scene.things) - 1] = np.nan
        return said

class Wide:
    """Two probabilities, not three."""

    def answer(self, queries):
        return np.full((len(queries), 2), 0.5)

class Negative:
    """A sum of one, and no probabilities."""

    def answer(self, queries):
        return [[2, -1, 0] for _ in queries]

class Words:
    """Words, not numbers."""

    def answer(self, queries):
        return ["Yes" for _ in queries]

class Broken:
    """Fails."""

    def answer(self, queries):
        raise ValueError("no network")

class Mute:
    """Has no answer()."""
'''


@pytest.fixture(scope="module")
def rows(world: Path) -> Rows:
    with gzip.open(world / "guesswhat.valid.jsonl.gz") as stream:
        return [json.loads(line) for line, _ in zip(stream, range(4), strict=False)]


def told(capsys: pytest.CaptureFixture[str], code: int, *words: object) -> str:
    capsys.readouterr()
    assert main(["evaluate", "questions", *map(str, words)]) == code
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def written(path: Path, rows: Rows) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def no_box(row: dict[str, Any]) -> None:
    del row["objects"][1]["bbox"]


def short_box(row: dict[str, Any]) -> None:
    row["objects"][1]["bbox"] = [1, 2, 3]


def lost_box(row: dict[str, Any]) -> None:
    row["objects"][1]["bbox"] = [1, float("nan"), 3, 4]


def no_category(row: dict[str, Any]) -> None:
    del row["objects"][1]["category"]


def perhaps(row: dict[str, Any]) -> None:
    row["qas"][0]["answer"] = "Maybe"


def elsewhere(row: dict[str, Any]) -> None:
    row["object_id"] = 1


@pytest.mark.parametrize(
    ("damage", "field"),
    [
        (no_box, "$.objects[1].bbox: is missing"),
        (short_box, "$.objects[1].bbox: not what belongs here (expected array of length 4)"),
        (lost_box, "$.objects[1].bbox[1]: NaN or Infinity"),
        (no_category, "$.objects[1].category: is missing"),
        (perhaps, "$.qas[0].answer: Invalid enum value 'Maybe' (expected Yes, No or N/A)"),
        (elsewhere, "$.object_id: the target 1 is not among the candidates"),
    ],
)
def test_a_damaged_game_is_named_by_file_record_and_field(
    rows: Rows,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    damage: Callable[[dict[str, Any]], None],
    field: str,
) -> None:
    bad = json.loads(json.dumps(rows))
    damage(bad[2])
    error = told(capsys, 1, "--transcripts", written(tmp_path / "g.jsonl", bad), *TRUTH)
    assert f"g.jsonl, record 3, field {field}" in error


@pytest.mark.parametrize(
    ("oracle", "place", "what"),
    [
        ("Short", "turn 1", "gave probabilities of shape"),
        ("Lost", "turn 2", "gave [nan, nan, nan] where probabilities of Yes, No, N/A"),
        ("Wide", "turn 1", "gave probabilities of shape"),
        ("Negative", "turn 1", "gave [2.0, -1.0, 0.0] where probabilities"),
        ("Words", "turn 1", "gave no array of probabilities"),
        ("Broken", "turn 1", "ValueError: no network"),
    ],
)
def test_an_oracle_that_breaks_its_promise_is_named_with_game_and_turn(
    rows: Rows,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    oracle: str,
    place: str,
    what: str,
) -> None:
    mine, games = tmp_path / "mine.py", written(tmp_path / "g.jsonl", rows)
    mine.write_text(ORACLES, "utf-8")
    error = told(capsys, 2, "--transcripts", games, "--oracle", f"{mine}:{oracle}")
    assert f"{oracle} (oracle), game {rows[0]['id']}, {place} (" in error
    assert what in error


def test_who_cannot_answer_is_no_oracle(
    rows: Rows, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, games = tmp_path / "mine.py", written(tmp_path / "g.jsonl", rows)
    mine.write_text(ORACLES, "utf-8")
    for name in (f"{mine}:Mute", "scripted:bayes-guesser"):
        error = told(capsys, 2, "--transcripts", games, "--oracle", name)
        assert "cannot be the oracle: it has no answer()" in error


def test_a_recording_knows_what_was_said_about_the_target_only(
    rows: Rows, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is refused as an oracle; where it is the one that played, what needs an oracle is left open."""
    games, out = written(tmp_path / "g.jsonl", rows), tmp_path / "run"
    why = "knows what was said about the target only: name an oracle"
    assert why in told(capsys, 2, "--transcripts", games, "--oracle", f"replay:{games}")
    seats = ["--questioner", f"replay:{games}", "--guesser", "scripted:bayes-guesser"]
    words = ["play", "guesswhat", "--games", games, *seats, "--oracle", f"replay:{games}"]
    assert main([*map(str, words), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["evaluate", "questions", "--transcripts", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["values"]["effectiveness"]["value"] is None
    assert found["values"]["task_success"]["value"] is not None
    assert any(why in note for note in found["notes"])


def test_a_network_that_has_no_answer_names_the_game_that_it_was_asked_about(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A category that its table does not have, and scores that are no numbers; not the batch's first game."""
    torch_files = pytest.importorskip("safetensors.torch")
    with gzip.open(world / "guesswhat.valid.jsonl.gz") as stream:
        games = [json.loads(line) for line in stream]
    image = games[-1]["image"]["id"]
    spoilt = [game for game in games if game["image"]["id"] == image]
    assert spoilt[0] is not games[0]
    for thing in chain.from_iterable(game["objects"] for game in spoilt):
        thing["category_id"] = 999
    path = written(tmp_path / "g.jsonl", games)
    error = told(capsys, 2, "--transcripts", path, "--oracle", "neural:oracle")
    assert f"neural:oracle (oracle): record {spoilt[0]['id']}, field category_id: " in error
    network = tmp_path / "network"
    shutil.copytree(neural.WEIGHTS / "oracle", network)
    weights = torch_files.load_file(network / "model.safetensors")
    huge = {name: weight.new_full(weight.shape, 1e38) for name, weight in weights.items()}
    torch_files.save_file(huge, network / "model.safetensors")
    good = [game for game in games if game["image"]["id"] != image]
    path = written(tmp_path / "good.jsonl", good)
    error = told(capsys, 2, "--transcripts", path, "--oracle", f"neural:{network}")
    assert f"(oracle), game {good[0]['id']}, turn 1 (" in error
    assert "gave [nan, nan, nan] where probabilities" in error


def test_an_answer_that_there_is_not_names_the_game_and_the_turn(play: Play, known: Any) -> None:
    """In transcripts that no reader of ours has made."""
    good = play(["q"], 2)
    bad = Transcript(good.game, (*good.events[:2], Ask("q"), Answer("perhaps")), "success")
    with pytest.raises(DataError, match=r"game 1, field answer: turn 2 is answered with 'perhaps'"):
        evaluation.judge(questions.EVALUATION, [bad], questions.Options(oracle=known({"q": "yn"})))


def test_an_oracle_in_python_is_held_to_the_same_promise(play: Play) -> None:
    class Short:
        def answer(self, queries: list[Any]) -> list[list[float]]:
            return [[1.0, 0.0, 0.0] for _ in queries[1:]]

    with pytest.raises(SeatError, match=r"game 1, turn 1 \('q'\)"):
        evaluation.judge(questions.EVALUATION, [play(["q"], 2)], questions.Options(oracle=Short()))


@pytest.mark.parametrize("content", [b"", b"\n\n", b"hello\n", b"[]", b"{}", b"\x1f\x8b\x08junk"])
def test_a_file_of_nothing_or_of_something_else_is_said_to_be_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    error = told(capsys, 1, "--transcripts", path)
    assert "file.json: no known file of GuessWhat?! dialogues (expected a looper's dump" in error


def test_games_that_the_dialogues_lack_are_named(
    rows: Rows, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A log of GDSE's about games of which one is missing; left out, it is counted."""
    out, log = tmp_path / "run", tmp_path / "log.json"
    games = written(tmp_path / "g.jsonl", rows)
    words = ["play", "guesswhat", "--games", games, "--player", "scripted:people"]
    seats = ["--oracle", "scripted:perfect-oracle"]
    assert main([*map(str, words), *seats, "--out", str(out)]) == 0
    assert main(["export", "gdse", "--transcripts", str(out), "--out", str(log)]) == 0
    missing = rows[1]["id"]
    fewer = written(tmp_path / "fewer.jsonl", [row for row in rows if row["id"] != missing])
    words = ["--transcripts", log, "--games", fewer, *TRUTH]
    error = told(capsys, 1, *words)
    assert f"log.json, record {missing}" in error
    assert "there is no such game" in error or "has a dialogue already" in error
    assert main(["evaluate", "questions", *map(str, words), "--skip-bad", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["values"]["task_success"]["n"] == len(rows) - 1
    assert found["values"]["task_success"]["n_failed"] == 1
    assert any("1 bad record was left out" in note for note in found["notes"])


def test_things_that_are_not_known_leave_values_open_and_say_what_to_do(
    rows: Rows, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The effectiveness tools' input holds no things; the games do, and then all is judged."""
    games = written(tmp_path / "g.jsonl", rows)
    said = tmp_path / "said.json"
    lines = {
        str(row["id"]): {
            "gen_dialogue": "<start> is it red ? <yes> is it a car ? <no>",
            "state": "success",
        }
        for row in rows
    }
    said.write_text(json.dumps(lines), "utf-8")
    capsys.readouterr()
    words = ["evaluate", "questions", "--transcripts", str(said), *TRUTH, "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert (
        found["values"]["effectiveness"] | {"value": None, "n_failed": 4}
        == found["values"]["effectiveness"]
    )
    assert any("--games names one that does" in note for note in found["notes"])
    assert main([*words, "--games", str(games)]) == 0
    found = json.loads(capsys.readouterr().out)["values"]["effectiveness"]
    assert (found["n"], found["n_failed"]) == (4, 0)
    assert found["value"] is not None
