"""Dialogues as plain text, one a line: questions, answers, image and the target's category, no objects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from referee.datasets.dialogues.counting import count_dialogues
from referee.datasets.dialogues.dialogue import Dialogue, answer_of
from referee.datasets.files import Skipped, records
from referee.datasets.formats import Count, Format
from referee.datasets.guesswhat.reading import repeated
from referee.errors import DataError
from referee.games import Status, Turn


class _Turn(Struct, gc=False):
    question: str
    answer: str


class _Game(Struct, gc=False):
    source: str
    index: int
    qas: list[_Turn]
    image_id: int | str
    target_category: str
    status: Status


_DECODER = msgspec.json.Decoder(_Game)


def read(path: Path, skipped: Skipped = None) -> Iterator[Dialogue]:
    """Each dialogue of a plain file; the image and the category of the target may tell its game."""
    seen: set[int] = set()

    def build(row: _Game) -> Dialogue:
        if row.index in seen:
            raise repeated(row.index, "$.index")
        seen.add(row.index)
        return Dialogue(
            row.index,
            image=str(row.image_id),
            target_category=row.target_category,
            turns=tuple(
                Turn(turn.question, answer_of(turn.answer, "$.qas[...].answer")) for turn in row.qas
            ),
            status=row.status,
        )

    return records(Path(path), _DECODER, build, skipped)


def _recognises(_: Path, head: bytes) -> bool:
    names = (b'"qas"', b'"image_id"', b'"target_category"', b'"index"')
    return all(name in head for name in names) and b'"objects"' not in head


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    return count_dialogues(read(path, skipped))


FORMATS: tuple[Format, ...] = (
    Format(
        "plain-dialogues", "GuessWhat?! dialogues without objects (jsonl)", _recognises, _summarise
    ),
)
