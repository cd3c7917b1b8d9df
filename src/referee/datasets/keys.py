"""JSON objects used as tables: a key that stands twice would lose a record without a word."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from referee.datasets.files import Skipped, decode, read_bytes, refuse
from referee.errors import DataError

T = TypeVar("T")
R = TypeVar("R")

_TABLE = msgspec.json.Decoder(dict[str, msgspec.Raw])


def refuse_repeated_keys(data: bytes, mark: bytes, count: int, field: str = "$") -> None:
    """Refuses JSON in which a key stands twice.

    A decoder keeps the last of two values in silence, and only Python's own slow one can tell. It is
    asked where the text has `mark`, a field that each record has once, other than `count` times.
    """
    if data.count(mark) == count:
        return

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            names = [name for name, _ in items]
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(
                f"the key {twice!r} is there a second time",
                field=field,
                expected="an id of its own for each",
            )
        return found

    try:
        json.loads(data, object_pairs_hook=pairs, parse_int=str, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise DataError(f"not valid JSON: {error}", expected="JSON") from None


def table(
    path: Path,
    decoder: msgspec.json.Decoder[T],
    mark: bytes,
    build: Callable[[int, str, T], R],
    skipped: Skipped = None,
) -> Iterator[R]:
    """What `build` makes of each place, key and record of a file that is one JSON object.

    `mark` is a field that each record has once.
    """
    data = read_bytes(path)
    rows = decode(_TABLE, data, path)
    try:
        refuse_repeated_keys(data, mark, len(rows))
    except DataError as error:
        refuse(error.located(file=path), skipped)
    for place, (key, raw) in enumerate(rows.items()):
        try:
            yield build(place, key, decode(decoder, bytes(raw), path, key))
        except DataError as error:
            refuse(error.located(file=path, record=key), skipped)
