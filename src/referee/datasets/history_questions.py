"""The questions of human GuessWhat?! games that can be understood only from the dialogue before them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from referee.datasets.files import Skipped
from referee.datasets.formats import Count, Format
from referee.datasets.records import distinct, table
from referee.errors import DataError


class HistoryQuestion(Struct, frozen=True):
    """A question by its id and its game's."""

    question_id: str
    game_id: str
    question: str


def read(path: Path, skipped: Skipped = None) -> Iterator[HistoryQuestion]:
    """Each question of the table, each once."""
    found = table(Path(path), HistoryQuestion, _whole, skipped)
    return distinct(found, lambda each: each.question_id, skipped, Path(path))


def _whole(row: HistoryQuestion) -> HistoryQuestion:
    if not row.question.strip():
        raise DataError("no text", field="question", expected="a question")
    for field in ("question_id", "game_id"):
        if not getattr(row, field).isdecimal():
            raise DataError(repr(getattr(row, field)), field=field, expected="a whole number")
    return row


def _recognises(_: Path, head: bytes) -> bool:
    return head.split(b"\n", 1)[0].strip() == b"question_id,game_id,question"


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    questions = list(read(path, skipped))
    return {"questions": len(questions), "games": len({each.game_id for each in questions})}


FORMATS: tuple[Format, ...] = (
    Format("history-questions", "questions that need the history (csv)", _recognises, _summarise),
)
