"""Opening and decoding with errors that name the place: what every reader is built on.

A reader takes `skipped`: None raises the first bad record as a DataError, a list collects them.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from referee.errors import DataError

T = TypeVar("T")

LONGEST_LINE = 64 * 1024 * 1024
"""A longer line is no record of any published format; it is refused before it is held in memory."""

Skipped = list[DataError] | None


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turns what the system or the decompressor says of a file into a DataError that names it."""
    from isal import igzip, isal_zlib

    broken = (EOFError, zlib.error, isal_zlib.error, igzip.BadGzipFile)
    try:
        yield
    except FileNotFoundError:
        raise DataError("there is no such file", file=path) from None
    except IsADirectoryError:
        raise DataError("is a folder", file=path, expected="a file") from None
    except broken as error:
        raise DataError(
            f"the compressed data is damaged or cut short: {error}",
            file=path,
            expected="a whole gzip file",
        ) from None
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", file=path) from None


def open_bytes(path: Path) -> IO[bytes]:
    """The file as a stream of bytes, inflated in a thread of its own where it is gzip."""
    with path.open("rb") as stream:
        magic = stream.read(2)
    if magic != b"\x1f\x8b":
        return path.open("rb")
    from isal import igzip_threaded

    opened: IO[bytes] = igzip_threaded.open(path, "rb", threads=1)
    return opened


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers from 1."""
    with reading(path), open_bytes(path) as stream:
        number = 0
        while line := stream.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise DataError(
                    f"the line is longer than {LONGEST_LINE} bytes",
                    file=path,
                    record=number,
                    expected="one record a line",
                )
            if not line.isspace():
                yield number, line


def read_bytes(path: Path) -> bytes:
    """The whole file, inflated where it is gzip."""
    with reading(path), open_bytes(path) as stream:
        return stream.read()


def decode(
    decoder: msgspec.json.Decoder[T], data: bytes, path: Path, record: str | int | None = None
) -> T:
    """The typed value of some JSON, or a DataError that names the field."""
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        message, _, field = str(error).partition(" - at ")
        raise DataError(message, file=path, record=record, field=field.strip("`") or None) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"not valid JSON: {error}", file=path, record=record) from None


def read_json(path: Path, decoder: msgspec.json.Decoder[T]) -> T:
    """The typed value of a whole JSON file."""
    return decode(decoder, read_bytes(path), path)


def records(
    path: Path,
    decoder: msgspec.json.Decoder[T],
    build: Callable[[T], Any],
    skipped: Skipped = None,
) -> Iterator[Any]:
    """What `build` makes of each line; a DataError from it is completed with file and line."""
    for number, line in lines(path):
        try:
            yield build(decode(decoder, line, path, number))
        except DataError as error:
            located = error.located(file=path, record=number)
            if skipped is None:
                raise located from None
            skipped.append(located)


def dumps(value: Any) -> str:
    """JSON text as the published files have it: plain, one line, unicode kept."""
    return json.dumps(value, ensure_ascii=False)
