"""GuessWhat?! games written in the names of either release, ids in the form in which they came."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, TypeAlias

from referee.datasets.files import write_lines
from referee.datasets.records import written
from referee.errors import UsageError
from referee.games import GuessWhat, Scene, Thing, Transcript

Release: TypeAlias = Literal["old", "new"]


def write(path: Path, transcripts: Iterable[Transcript], release: Release = "old") -> int:
    """Writes a game a line, gzip where the name ends in .gz, and says how many.

    Segments were not kept by the reader: as in the dumps of the original code, they come out empty.
    """
    row = {"old": old_row, "new": new_row}.get(release)
    if row is None:
        raise UsageError(f"there is no release {release!r} of GuessWhat?!: old or new")
    return write_lines(path, map(row, transcripts))


def old_row(transcript: Transcript) -> dict[str, Any]:
    """A line of the old release."""
    game = guesswhat_of(transcript)
    objects = [
        {"id": written(thing.id, game.forms.thing), **object_row(thing)}
        for thing in game.scene.things
    ]
    return {
        "id": written(game.id, game.forms.game),
        "image": {"id": written(game.scene.id, game.forms.scene), **image_row(game.scene)},
        "objects": objects,
        "object_id": written(game.target, game.forms.thing),
        "qas": _turns(transcript, game, "question", "answer"),
        "status": transcript.status,
    }


def new_row(transcript: Transcript) -> dict[str, Any]:
    """A line of the new release."""
    game = guesswhat_of(transcript)
    return {
        "dialogue_id": written(game.id, game.forms.game),
        "picture_id": written(game.scene.id, game.forms.scene),
        "picture": image_row(game.scene),
        "objects": {thing.id: object_row(thing) for thing in game.scene.things},
        "object_id": written(game.target, game.forms.thing),
        "qas": _turns(transcript, game, "q", "a"),
        "status": transcript.status,
    }


def guesswhat_of(transcript: Transcript) -> GuessWhat:
    """The game of a transcript, which must be GuessWhat?!."""
    if not isinstance(transcript.game, GuessWhat):
        raise UsageError(f"the game {transcript.game.id} is not GuessWhat?!")
    return transcript.game


def image_row(scene: Scene) -> dict[str, Any]:
    """A picture without its id."""
    return {
        "width": _whole(scene.width),
        "height": _whole(scene.height),
        "file_name": scene.file,
        "coco_url": scene.url,
    }


def object_row(thing: Thing) -> dict[str, Any]:
    """An object without its id."""
    box = thing.box
    row: dict[str, Any] = {
        "category": thing.category,
        "category_id": thing.category_id,
        "bbox": [box.x, box.y, box.width, box.height],
        **({} if thing.area is None else {"area": thing.area}),
        "segment": [],
    }
    if thing.attributes:
        row["attributes"] = list(thing.attributes)
    return row


def _turns(
    transcript: Transcript, game: GuessWhat, question: str, answer: str
) -> list[dict[str, Any]]:
    return [
        {
            **({"id": written(turn.id, game.forms.turn)} if turn.id else {}),
            question: turn.question,
            answer: turn.answer,
        }
        for turn in transcript.turns
    ]


def _whole(size: float) -> float:
    return int(size) if float(size).is_integer() else size
