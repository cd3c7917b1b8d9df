"""Dialogues of Q-Bot and A-Bot, without what the decoder left behind the texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.datasets import qbot
from referee.errors import DataError, UsageError
from referee.games import GuessWhich, Scene, Sitting, Transcript, VisDial

DATA = Path(__file__).resolve().parent.parent / "data" / "guesswhich"
REAL = {"dialogs_SL-QBOT-ABOT.json": 6.575, "dialogs_SL_Div-QBOT-ABOT.json": 7.3}


@pytest.mark.parametrize("name", REAL)
def test_real_dialogues_repeat_themselves_as_published(shared: Path, name: str) -> None:
    """80 dialogues of ten rounds; of ten questions about 6.58 and 7.30 are distinct."""
    skipped: list[DataError] = []
    (kind,) = qbot.FORMATS
    path = shared / "guesswhich" / name
    assert kind.recognises(path, path.read_bytes()[:65_536])
    counts = kind.summarise(path, skipped)
    assert not skipped
    assert (counts["dialogues"], counts["rounds"]) == (80, 800)
    assert counts["rounds a dialogue"] == "10 to 10"
    assert counts["distinct questions a dialogue"] == REAL[name]


@pytest.mark.parametrize("name", REAL)
def test_no_real_text_keeps_a_suffix(shared: Path, name: str) -> None:
    """Every question ends with its question mark, and no caption with a number."""
    for transcript in qbot.read(shared / "guesswhich" / name):
        assert all(turn.question.endswith(" ?") for turn in transcript.turns)
        assert isinstance(transcript.game, VisDial)
        assert not transcript.game.caption[-1].isdigit()


@pytest.mark.parametrize("name", REAL)
def test_a_real_file_is_written_as_it_was_read(shared: Path, tmp_path: Path, name: str) -> None:
    """With the suffixes kept, reading and writing gives equal JSON."""
    path = shared / "guesswhich" / name
    qbot.write(tmp_path / name, qbot.read(path, keep_scores=True), qbot.options(path))
    assert json.loads((tmp_path / name).read_bytes()) == json.loads(path.read_bytes())


def test_the_small_file_holds_what_was_said_and_by_whom() -> None:
    first, second = qbot.read(DATA / "dialogues.json")
    assert [(turn.question, turn.answer) for turn in first.turns] == [
        ("is it sunny ?", "yes"),
        ("is it sunny ?", "no"),
        ("what is on it ?", "2 cups"),
    ]
    assert qbot.distinct_questions(first) == 2
    assert isinstance(first.game, VisDial)
    assert first.game.caption == "a table by a window"
    assert second.game.image == "4202"
    assert first.seats == (
        Sitting("questioner", "questioner.vd"),
        Sitting("answerer", "answerer.vd"),
    )


def test_only_what_the_decoder_wrote_is_taken_away() -> None:
    """Colons and numbers that belong to a text stay."""
    assert qbot.asked("is the sign blue: yes or no ?") == "is the sign blue: yes or no ?"
    assert qbot.asked("what ? why ?:N:7.42 ") == "what ? why ?"
    assert qbot.described("a clock that shows 10:30 pm") == "a clock that shows 10:30 pm"


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "image missing": ({"image_id": ...}, "image_id"),
    "caption missing": ({"caption": ...}, "caption"),
    "no rounds": ({"dialog": []}, "dialog"),
    "answer missing": ({"dialog": [{"question": "is it ?"}]}, "answer"),
    "question no text": ({"dialog": [{"question": 4, "answer": "no"}]}, "question"),
    "seen before": ({"image_id": 4101}, ""),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_dialogues_are_named_or_collected(tmp_path: Path, name: str) -> None:
    """The error tells file, record, field and what was expected; the other dialogue survives."""
    changes, field = BAD[name]
    content = json.loads((DATA / "dialogues.json").read_bytes())
    dialogue = content["data"][1] | changes
    content["data"][1] = {key: value for key, value in dialogue.items() if value is not ...}
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(content))
    with pytest.raises(DataError) as caught:
        list(qbot.read(path))
    assert caught.value.file == str(path)
    assert caught.value.record is not None
    assert field in (caught.value.field or "")
    assert caught.value.expected
    skipped: list[DataError] = []
    assert len(list(qbot.read(path, skipped))) == 1
    assert [str(error) for error in skipped] == [str(caught.value)]


def test_a_game_of_another_kind_has_no_place_in_the_file(tmp_path: Path) -> None:
    game = GuessWhich("1", (Scene("a"), Scene("b")), "a")
    with pytest.raises(UsageError, match="no VisDial dialogue"):
        qbot.write(tmp_path / "no.json", [Transcript(game)])
