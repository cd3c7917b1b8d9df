"""Records inside a document and rows of a table, each refused alone with the place where it stands."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from referee.datasets.files import Skipped, decode, lines, read_json, refuse
from referee.errors import DataError, UsageError
from referee.games.model import Box, Form

T = TypeVar("T")
Wire = TypeVar("Wire")

Id = int | str
"""An id as files write it; inside it is a string."""


def form_of(identifier: Id) -> Form:
    """The form in which a file wrote an id."""
    return "int" if isinstance(identifier, int) else "str"


def written(identifier: str, form: Form) -> Id:
    """An id in the form in which its file wrote it."""
    if form == "str":
        return identifier
    try:
        return int(identifier)
    except ValueError:
        raise UsageError(f"the id {identifier!r} cannot be written as a whole number") from None


_LIST = msgspec.json.Decoder(list[msgspec.Raw])


def listed(path: Path) -> list[msgspec.Raw]:
    """The records of a document that is one list, not decoded yet."""
    return read_json(path, _LIST)


def each(
    path: Path,
    raws: Sequence[msgspec.Raw],
    decoder: msgspec.json.Decoder[Wire],
    build: Callable[[Wire], T],
    skipped: Skipped = None,
    within: str = "",
) -> Iterator[T]:
    """What `build` makes of each record of a list; `within` names the list inside its document."""
    for number, raw in enumerate(raws):
        record = f"{within}[{number}]"
        try:
            value = build(decode(decoder, bytes(raw), path, record))
        except DataError as error:
            refuse(error.located(file=path, record=record), skipped)
        else:
            yield value


def distinct(
    values: Iterator[T], name: Callable[[T], str], skipped: Skipped, path: Path
) -> Iterator[T]:
    """The values without those whose name came before, each of which is refused."""
    seen: set[str] = set()
    for value in values:
        key = name(value)
        if key in seen:
            refuse(
                DataError("comes twice", file=path, record=key, expected="distinct ids"), skipped
            )
            continue
        seen.add(key)
        yield value


def box(x: float, y: float, width: float, height: float, field: str = "bbox") -> Box:
    """A box, if its numbers are finite and its size is not negative."""
    if not all(map(math.isfinite, (x, y, width, height))) or width < 0 or height < 0:
        raise DataError(
            f"{[x, y, width, height]} is no box",
            field=field,
            expected="four finite numbers, width and height not negative",
        )
    return Box(x, y, width, height)


def rows(
    path: Path, skipped: Skipped = None, delimiter: str = ","
) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with the numbers of the lines on which they end."""
    at = [0]

    def texts() -> Iterator[str]:
        for number, line in lines(path, skipped):
            at[0] = number
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8") + "\n"
            except UnicodeDecodeError as error:
                broken = DataError(f"not UTF-8: {error.reason}", file=path, record=number)
                refuse(broken, skipped)

    reader = csv.reader(texts(), delimiter=delimiter)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            refuse(DataError(f"not a row: {error}", file=path, record=at[0]), skipped)
            continue
        yield at[0], row


def table(
    path: Path,
    kind: type[Wire],
    build: Callable[[Wire], T],
    skipped: Skipped = None,
    delimiter: str = ",",
) -> Iterator[T]:
    """What `build` makes of each row under the header, typed by the columns' names."""
    header: list[str] | None = None
    for number, row in rows(path, skipped, delimiter):
        if header is None:
            header = [name.strip() for name in row]
            check_header(header, kind, path)
            continue
        try:
            value = build(convert(header, row, kind))
        except DataError as error:
            refuse(error.located(file=path, record=number), skipped)
        else:
            yield value
    if header is None:
        raise DataError("the table is empty", file=path, expected=f"a header: {columns(kind)}")


def convert(header: Sequence[str], row: Sequence[str], kind: type[Wire]) -> Wire:
    """The typed value of a row of strings."""
    if len(row) != len(header):
        raise DataError(f"has {len(row)} fields", expected=f"{len(header)} fields")
    try:
        return msgspec.convert(dict(zip(header, row, strict=True)), kind, strict=False)
    except msgspec.ValidationError as error:
        message, _, field = str(error).partition(" - at ")
        raise DataError(message, field=field.strip("`$.") or None) from None


def columns(kind: type) -> list[str]:
    """The columns that a table of this kind must have."""
    return [field.encode_name for field in msgspec.structs.fields(kind) if field.required]


def check_header(header: Sequence[str], kind: type, path: Path) -> None:
    """Raises the first column that is missing."""
    for name in columns(kind):
        if name not in header:
            raise DataError("the column is missing", file=path, record=1, field=name)
