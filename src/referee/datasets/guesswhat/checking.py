"""How `referee data check` knows a GuessWhat?! file, and what it counts there."""

from __future__ import annotations

from pathlib import Path

from referee.datasets.counting import count_games
from referee.datasets.formats import Count, Format
from referee.datasets.guesswhat.reading import read
from referee.errors import DataError


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    return count_games(read(path, skipped))


def _old(_: Path, head: bytes) -> bool:
    names = (b'"objects"', b'"object_id"', b'"image"', b'"status"')
    return all(name in head for name in names) and head.lstrip().startswith(b"{")


def _new(_: Path, head: bytes) -> bool:
    names = (b'"objects"', b'"object_id"', b'"picture"', b'"dialogue_id"')
    return all(name in head for name in names)


FORMATS: tuple[Format, ...] = (
    Format("guesswhat-new", "GuessWhat?! games, the release of 2022 (jsonl)", _new, _summarise),
    Format("guesswhat-old", "GuessWhat?! games, the release of 2016 (jsonl)", _old, _summarise),
)
