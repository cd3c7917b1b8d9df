"""The oracle-answers table: what people and each of several oracles answered to the same questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, convert

from referee.datasets.counting import shares
from referee.datasets.dialogues.dialogue import answer_of
from referee.datasets.files import Skipped, refuse
from referee.datasets.formats import Count, Format
from referee.datasets.records import check_header, rows
from referee.errors import DataError
from referee.games import ANSWERS


class OracleAnswer(Struct, frozen=True):
    """One question of a human game: the human answer, and each oracle's by the oracle's name."""

    game: str
    position: int
    question_id: str
    human: str
    oracles: dict[str, str]


class _Columns(Struct):
    gid: str
    pos: Annotated[int, Meta(ge=0)]
    question_id: str
    human: str


_FIXED = _Columns.__struct_fields__


def read(path: Path, skipped: Skipped = None) -> Iterator[OracleAnswer]:
    """Each row; every column that is not one of the four fixed ones is an oracle."""
    path = Path(path)
    header: list[str] | None = None
    seen: set[tuple[str, int]] = set()
    for number, row in rows(path, skipped):
        if header is None:
            header = row
            check_header(header, _Columns, path)
            continue
        try:
            answer = _answer(header, row)
            place = (answer.game, answer.position)
            if place in seen:
                refuse(_twice(place).located(file=path, record=number), skipped)
                continue
            seen.add(place)
        except DataError as error:
            refuse(error.located(file=path, record=number), skipped)
        else:
            yield answer
    if header is None:
        raise DataError("the table is empty", file=path, expected=f"a header: {', '.join(_FIXED)}")


def agreement(answers: Iterable[OracleAnswer], human: str | None = None) -> dict[str, float]:
    """Of each oracle's answers, the share in percent that equals the human answer.

    With `human`, only the questions count that people answered so.
    """
    equal: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for answer in answers:
        if human in (None, answer.human):
            for oracle, said in answer.oracles.items():
                total[oracle] += 1
                equal[oracle] += said == answer.human
    return {oracle: 100 * equal[oracle] / count for oracle, count in total.items()}


def _answer(header: list[str], row: list[str]) -> OracleAnswer:
    if len(row) != len(header):
        raise DataError(f"has {len(row)} fields", expected=f"{len(header)} fields")
    fields = dict(zip(header, row, strict=True))
    try:
        position = convert(fields["pos"], Annotated[int, Meta(ge=0)], strict=False)
    except ValueError:
        raise DataError(
            f"{fields['pos']!r} is no place", field="pos", expected="a whole number from 0"
        ) from None
    return OracleAnswer(
        fields["gid"],
        position,
        fields["question_id"],
        answer_of(fields["human"], "human"),
        {name: answer_of(said, name) for name, said in fields.items() if name not in _FIXED},
    )


def _twice(place: tuple[str, int]) -> DataError:
    return DataError(
        f"the question {place[1]} of game {place[0]} is there a second time",
        field="gid, pos",
        expected="each question once",
    )


def _recognises(_: Path, head: bytes) -> bool:
    columns = head.split(b"\n", 1)[0].strip().split(b",")
    return all(name.encode() in columns for name in _FIXED)


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    answers = list(read(path, skipped))
    counts: dict[str, Count] = {
        "questions": len(answers),
        "games": len({answer.game for answer in answers}),
    }
    human = Counter(answer.human for answer in answers)
    counts |= shares(human, ANSWERS, "answer ")
    for only in (None, *ANSWERS):
        where = "" if only is None else f" where people say {only}"
        for name, share in agreement(answers, only).items():
            counts[f"agreement {name}{where} %"] = round(share, 2)
    return counts


FORMATS: tuple[Format, ...] = (
    Format("oracle-answers", "human answers and oracles' (csv)", _recognises, _summarise),
)
