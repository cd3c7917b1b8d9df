"""The effectiveness repository's input: one JSON object from game id to dialogue and state.

Files made from VDST's text carry the image, the target and the guess as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from referee.datasets.dialogues.counting import count_dialogues
from referee.datasets.dialogues.dialogue import Dialogue, check_status, spoken, written
from referee.datasets.files import Skipped, dumps, writing
from referee.datasets.formats import Count, Format
from referee.datasets.keys import table
from referee.errors import DataError, UsageError
from referee.games import Status, Transcript


class _Game(Struct, gc=False):
    gen_dialogue: str
    state: Status
    image_id: int | str = ""
    target_object_id: int | str = ""
    guessed_object_id: int | str = ""


_DECODER = msgspec.json.Decoder(_Game)


def read(path: Path, skipped: Skipped = None) -> Iterator[Dialogue]:
    """Each game of an input file, without its scene."""
    return table(Path(path), _DECODER, b'"gen_dialogue"', _dialogue, skipped)


def write(path: Path, transcripts: Iterable[Transcript]) -> int:
    """Writes dialogues as the effectiveness repository reads them, and says how many."""
    rows: dict[str, dict[str, Any]] = {}
    for transcript in transcripts:
        if transcript.game.id in rows:
            raise UsageError(f"the game {transcript.game.id} was played twice")
        rows[transcript.game.id] = {
            "gen_dialogue": written(transcript.turns, start=False),
            "state": transcript.status,
        }
    with writing(Path(path)) as stream:
        stream.write(dumps(rows).encode())
    return len(rows)


def _dialogue(place: int, key: str, row: _Game) -> Dialogue:
    turns, unanswered = spoken(row.gen_dialogue, "$.gen_dialogue")
    target, guess = str(row.target_object_id), str(row.guessed_object_id)
    if target and guess:
        check_status(row.state, target, guess, "$.state")
    return Dialogue(
        place,
        game=key,
        image=str(row.image_id),
        target=target,
        guess=guess,
        turns=turns,
        unanswered=unanswered,
        status=row.state,
    )


def _recognises(_: Path, head: bytes) -> bool:
    return b'"gen_dialogue"' in head and b'"state"' in head and head.lstrip().startswith(b"{")


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    return count_dialogues(read(path, skipped))


FORMATS: tuple[Format, ...] = (
    Format("effectiveness-input", "dialogues with their state (json)", _recognises, _summarise),
)
