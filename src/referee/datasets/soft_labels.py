"""Files of soft labels: a line of JSON for each labelled turn, with a reason for each candidate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import isfinite
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from referee.datasets.counting import shares
from referee.datasets.files import Skipped, records, writing
from referee.datasets.formats import Count, Format
from referee.datasets.records import distinct
from referee.errors import DataError
from referee.games import Transcript

TOLERANCE = 1e-3
"""How far a label may be from summing to one."""


class SoftLabel(Struct, frozen=True, omit_defaults=True):
    """How likely each candidate is the target, by what was answered up to a turn (the first is 1).

    `type` is the question's (category, object, spatial, colour), or "dialogue" where several turns are
    read together; `reference` says which candidates are in the reference set at all, and `turns` which
    turns were read. `source` names the rules, or people.
    """

    game: str
    image: str
    turn: Annotated[int, Meta(ge=1)]
    question: str
    answer: Literal["Yes", "No"]
    type: Literal["category", "object", "spatial", "colour", "dialogue", "other"]
    objects: tuple[str, ...]
    probabilities: tuple[Annotated[float, Meta(ge=0)], ...]
    reference: tuple[bool, ...]
    source: str
    turns: tuple[int, ...] = ()
    why: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, int]:
        """The turn of the game."""
        return self.game, self.turn


_DECODER = msgspec.json.Decoder(SoftLabel)


def read(path: Path, skipped: Skipped = None) -> Iterator[SoftLabel]:
    """The soft labels of a file, each turn once."""
    found = records(path, _DECODER, _checked, skipped)
    return distinct(found, lambda row: f"game {row.game}, turn {row.turn}", skipped, path)


def write(path: Path, labels: Iterable[SoftLabel]) -> int:
    """Writes soft labels, and says how many."""
    encoder = msgspec.json.Encoder()
    count = 0
    with writing(Path(path)) as stream:
        for row in labels:
            stream.write(encoder.encode(row) + b"\n")
            count += 1
    return count


def fits(row: SoftLabel, transcript: Transcript) -> None:
    """Refuses a label whose candidates are not the game's, or whose question was not asked there."""
    turns = transcript.turns
    ids = tuple(thing.id for thing in getattr(transcript.game, "scene").things)  # noqa: B009
    if row.objects != ids:
        raise DataError(
            f"is about {len(row.objects)} objects that are not those of the game",
            record=f"game {row.game}, turn {row.turn}",
            field="objects",
            expected=f"the {len(ids)} objects of the scene in their order",
        )
    asked = turns[row.turn - 1] if row.turn <= len(turns) else None
    if asked is None or (asked.question, asked.answer) != (row.question, row.answer):
        found = "no such turn" if asked is None else f"{asked.question!r} {asked.answer}"
        raise DataError(
            f"is about {row.question!r} {row.answer}",
            record=f"game {row.game}, turn {row.turn}",
            field="question",
            expected=found,
        )


def _checked(row: SoftLabel) -> SoftLabel:
    for name in ("probabilities", "reference", *(("why",) if row.why else ())):
        many = len(getattr(row, name))
        if many != len(row.objects):
            raise DataError(
                f"has {many} entries for {len(row.objects)} objects",
                field=name,
                expected="one for each object",
            )
    total = sum(row.probabilities)
    if not isfinite(total) or abs(total - 1) > TOLERANCE:
        raise DataError(f"sum to {total:.6g}", field="probabilities", expected="a sum of one")
    return row


def _recognises(_: Path, head: bytes) -> bool:
    first = head.partition(b"\n")[0]
    return first.startswith(b'{"game":') and b'"reference":[' in first and b'"objects":[' in first


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    types: Counter[str] = Counter()
    games: set[str] = set()
    candidates = left = 0
    for row in read(path, skipped):
        types[row.type] += 1
        games.add(row.game)
        candidates += len(row.objects)
        left += sum(row.reference)
    counts: dict[str, Count] = {
        "labels": sum(types.values()),
        "games": len(games),
        "candidates": candidates,
        "in the reference set": left,
    }
    order = ("category", "object", "spatial", "colour", "dialogue", "other")
    return counts | shares(types, order)


FORMATS: tuple[Format, ...] = (
    Format("soft-labels", "soft labels of turns (jsonl)", _recognises, _summarise),
)
