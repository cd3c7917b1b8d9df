"""Dialogues of Q-Bot and A-Bot: two models talk about a picture that only the second one sees.

The published files carry the decoder's scores behind the question mark of each question
("is it sunny ?:C:0.95;NP:0.51") and a number behind the caption ("a dog on a beach:6"); neither was
said, and reading leaves them out unless asked to keep them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct

from referee.datasets.files import Skipped, read_json, writing
from referee.datasets.formats import Count, Format
from referee.datasets.records import Id, distinct, each, form_of, written
from referee.errors import DataError, UsageError
from referee.games.model import (
    Ask,
    Event,
    Forms,
    Reply,
    Round,
    Scene,
    Sitting,
    Transcript,
    VisDial,
)


class _Exchange(Struct, frozen=True):
    question: str
    answer: str


class _Dialogue(Struct, frozen=True):
    image_id: Id
    caption: str
    dialog: tuple[_Exchange, ...]


class _File(Struct, frozen=True):
    data: list[Raw]
    opts: dict[str, Any] = {}


_FILE = msgspec.json.Decoder(_File)
_DIALOGUE = msgspec.json.Decoder(_Dialogue)
_SCORES = re.compile(r"\?\s*:[A-Z]+:.*$", re.DOTALL)
_CAPTION_NUMBER = re.compile(r":\d+\s*$")


def asked(question: str) -> str:
    """The question without the decoder's scores.

    >>> asked("is the photo in color ?:C:0.95;NP:0.51H:7.83;N:9.20 ")
    'is the photo in color ?'
    """
    return _SCORES.sub("?", question).strip()


def described(caption: str) -> str:
    """The caption without the number behind it.

    >>> described("a dog on a beach:6")
    'a dog on a beach'
    """
    return _CAPTION_NUMBER.sub("", caption).strip()


def read(path: Path, skipped: Skipped = None, *, keep_scores: bool = False) -> Iterator[Transcript]:
    """The dialogues as transcripts of VisDial games without options."""
    file = read_json(path, _FILE)
    seats = tuple(
        Sitting(seat, player)
        for seat, bot in (("questioner", "qbot"), ("answerer", "abot"))  # codespell:ignore abot
        if isinstance(player := file.opts.get(bot), str)
    )
    talked = each(path, file.data, _DIALOGUE, _checked, skipped, "data")
    for dialogue in distinct(talked, lambda one: f"image {one.image_id}", skipped, path):
        yield _transcript(dialogue, seats, keep_scores=keep_scores)


def _checked(dialogue: _Dialogue) -> _Dialogue:
    if not dialogue.dialog:
        raise DataError(
            "has no rounds",
            record=f"image {dialogue.image_id}",
            field="$.dialog",
            expected="at least one",
        )
    return dialogue


def _transcript(
    dialogue: _Dialogue, seats: tuple[Sitting, ...], *, keep_scores: bool
) -> Transcript:
    image, form = str(dialogue.image_id), form_of(dialogue.image_id)
    rounds = tuple(
        Round(one.question if keep_scores else asked(one.question), one.answer)
        for one in dialogue.dialog
    )
    caption = dialogue.caption if keep_scores else described(dialogue.caption)
    events: list[Event] = []
    for one in rounds:
        events += [Ask(one.question), Reply((one.answer or "",))]
    game = VisDial(image, Scene(image), caption, rounds, Forms(game=form, scene=form))
    return Transcript(game, tuple(events), "success", seats)


def options(path: Path) -> dict[str, Any]:
    """The settings with which the bots talked, as their file has them."""
    return read_json(path, _FILE).opts


def write(
    path: Path, transcripts: Iterable[Transcript], settings: Mapping[str, Any] | None = None
) -> None:
    """The turns of VisDial transcripts as a file of dialogues."""
    data: list[_Dialogue] = []
    for transcript in transcripts:
        game = transcript.game
        if not isinstance(game, VisDial):
            raise UsageError(f"game {game.id} is no VisDial dialogue, so it has no place in {path}")
        exchanges = tuple(_Exchange(turn.question, turn.answer) for turn in transcript.turns)
        data.append(_Dialogue(written(game.image, game.forms.scene), game.caption, exchanges))
    with writing(path) as stream:
        stream.write(msgspec.json.encode({"data": data, "opts": dict(settings or {})}))


def distinct_questions(transcript: Transcript) -> int:
    """How many different questions were asked."""
    return len({turn.question for turn in transcript.turns})


_BEGINNING = re.compile(
    rb'"data"\s*:\s*\[\s*\{[^\[\]]*"dialog"\s*:\s*\[\s*\{\s*"(answer|question)"'
)


def _recognises(path: Path, head: bytes) -> bool:
    del path
    return head.lstrip().startswith(b"{") and _BEGINNING.search(head) is not None


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    found = list(read(path, skipped))
    turns = [len(transcript.turns) for transcript in found]
    distinct = sum(map(distinct_questions, found))
    counts: dict[str, Count] = {
        "dialogues": len(found),
        "rounds": sum(turns),
        "rounds a dialogue": f"{min(turns, default=0)} to {max(turns, default=0)}",
        "distinct questions a dialogue": round(distinct / max(len(found), 1), 3),
    }
    if found:
        counts |= {sitting.seat: sitting.player for sitting in found[0].seats}
    return counts


FORMATS = (
    Format(
        "qbot",
        "dialogues of Q-Bot and A-Bot about pictures",
        _recognises,
        _summarise,
    ),
)
