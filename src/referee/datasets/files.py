"""Opening and decoding with errors that name the place: what every reader is built on.

A reader takes `skipped`: None raises the first bad record as a DataError, a list collects them.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeVar, cast

import msgspec

from referee.errors import DataError

T = TypeVar("T")

LONGEST_LINE = 64 * 1024 * 1024
"""A longer line is no record of any published format; it is refused before it is held in memory."""

_BLOCK = 256 * 1024
_BITE = 1024
_GZIP = b"\x1f\x8b"

Skipped = list[DataError] | None


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turns what the system or the decompressor says of a file into a DataError that names it."""
    from isal import igzip, isal_zlib

    broken = (
        EOFError,
        zlib.error,
        cast("type[Exception]", isal_zlib.error),
        igzip.BadGzipFile,
    )
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


def is_gzip(path: Path) -> bool:
    """Whether the file begins as gzip does, whatever its name."""
    with path.open("rb") as stream:
        return stream.read(len(_GZIP)) == _GZIP


def check_gzip(path: Path) -> None:
    """Reads a gzip file to its end, whatever is in it; any other file is left alone."""
    with reading(path):
        if is_gzip(path):
            with open_bytes(path) as stream:
                while stream.read(_BLOCK):
                    pass


def open_bytes(path: Path) -> IO[bytes]:
    """The file as a stream of bytes, inflated in a thread of its own where it is gzip."""
    if not is_gzip(path):
        return path.open("rb")
    from isal import igzip_threaded

    return cast("IO[bytes]", igzip_threaded.open(path, "rb", threads=1))  # type: ignore[no-untyped-call]


def lines(path: Path, skipped: Skipped = None) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers from 1.

    With `skipped`, a line that is too long is passed over, and damage ends the lines; both are noted.
    """
    number = 0
    with reading(path):
        blocks = _blocks(open_bytes(path)) if skipped is None else _salvaged(path.open("rb"))
    try:
        with reading(path), closing(blocks):
            for line in _split(blocks):
                number += 1
                if line is None:
                    refuse(_too_long(path, number), skipped)
                elif line and not line.isspace():
                    yield number, line
    except DataError as error:
        whole = number if skipped is not None else _whole_lines(path)
        refuse(error.located(record=whole + 1), skipped)


def _whole_lines(path: Path) -> int:
    """How many lines stand before the damage, of which the threaded inflater loses a block."""
    count = 0
    with suppress(DataError), reading(path), closing(_salvaged(path.open("rb"))) as blocks:
        for _ in _split(blocks):
            count += 1
    return count


def _blocks(stream: IO[bytes]) -> Generator[bytes, None, None]:
    with stream:
        while block := stream.read(_BLOCK):
            yield block


def _salvaged(stream: IO[bytes]) -> Generator[bytes, None, None]:
    # The threaded inflater loses the whole block before the damage; little bites lose next to nothing.
    with stream:
        bite = stream.read(_BITE)
        if not bite.startswith(_GZIP):
            while bite:
                yield bite
                bite = stream.read(_BLOCK)
            return
        from isal import isal_zlib

        inflater = isal_zlib.decompressobj(wbits=31)
        while bite:
            yield inflater.decompress(bite)
            bite = inflater.unused_data
            if inflater.eof and (bite := bite or stream.read(_BITE)):
                inflater = isal_zlib.decompressobj(wbits=31)
            elif not inflater.eof:
                bite = stream.read(_BITE)
        if not inflater.eof:
            raise EOFError("the end of the compressed data is missing")


def _split(blocks: Iterable[bytes]) -> Iterator[bytes | None]:
    # Blocks are split at once: iterating a stream is as fast, but would hold a line of any length.
    # A line that is longer than allowed comes out as None, and no more of it than that is held.
    carried: list[bytes] = []
    length = 0
    for block in blocks:
        first, *rest = block.split(b"\n")
        length += len(first)
        if length <= LONGEST_LINE:
            carried.append(first)
        else:
            carried.clear()
        if rest:
            yield b"".join(carried) if length <= LONGEST_LINE else None
            carried = [rest.pop()]
            length = len(carried[0])
            yield from rest
    if length:
        yield b"".join(carried) if length <= LONGEST_LINE else None


def _too_long(path: Path, number: int) -> DataError:
    return DataError(
        f"the line is longer than {LONGEST_LINE} bytes",
        file=path,
        record=number,
        expected="one record a line",
    )


def refuse(error: DataError, skipped: Skipped) -> None:
    """Raises the error, or notes it where errors are collected."""
    if skipped is None:
        raise error from None
    skipped.append(error)


def read_head(path: Path, size: int = 64 * 1024) -> bytes:
    """The first bytes, inflated where the file is gzip; of a damaged one, those that could be had."""
    with reading(path):
        stream = path.open("rb")
    head = b""
    try:
        with reading(path), closing(_salvaged(stream)) as blocks:
            for block in blocks:
                head += block
                if len(head) >= size:
                    break
    except DataError:
        pass  # whoever reads the file will say what is wrong with it
    return head[:size]


def read_bytes(path: Path) -> bytes:
    """The whole file, inflated where it is gzip."""
    with reading(path), open_bytes(path) as stream:
        return stream.read()


def decode(
    decoder: msgspec.json.Decoder[T], data: bytes, path: Path, record: str | int | None = None
) -> T:
    """The typed value of some JSON, or a DataError that names the field.

    NaN and Infinity, which Python writes and JSON has not, stand only where nobody reads them or in
    records that are decoded later; one that is read is an error of its own record and field.
    """
    try:
        if record is not None and not data.isascii():
            data.decode()  # the decoder does not look at the text of fields that nobody asked for
        try:
            return decoder.decode(data)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError:
            if b"NaN" not in data and b"Infinity" not in data:
                raise
            beyond = _NOT_FINITE.sub(_beyond, data)
        return decoder.decode(beyond)
    except msgspec.ValidationError as error:
        raise _mistyped(str(error), path, record) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _malformed(error, path, record) from None


_NOT_FINITE = re.compile(rb'"(?:[^"\\]|\\.)*+"?|-?\b(?:NaN|Infinity)\b', re.DOTALL)


def _beyond(found: re.Match[bytes]) -> bytes:
    """A text as it is; in place of what is no number, one that JSON can say and no float can hold."""
    return found[0] if found[0].startswith(b'"') else b"1e999"


def _mistyped(text: str, path: Path, record: str | int | None) -> DataError:
    message, _, field = text.partition(" - at ")
    field = field.strip("`")
    expected = None
    if message.startswith("Expected "):
        expected, _, found = message.removeprefix("Expected ").replace("`", "").partition(", got ")
        message = f"found {found}" if found else "not what belongs here"
    elif message.startswith("Object missing required field "):
        name = message.rpartition(" ")[2].strip("`")
        message, field, expected = "is missing", f"{field or '$'}.{name}", "a value"
    elif message == "Number out of range":
        message, expected = "NaN or Infinity", "a finite number"
    return DataError(message, file=path, record=record, field=field or None, expected=expected)


def _malformed(error: Exception, path: Path, record: str | int | None) -> DataError:
    if isinstance(error, UnicodeDecodeError):
        message, expected = f"not valid text: {error.reason}", "UTF-8"
    elif isinstance(error, RecursionError):
        message, expected = "nested too deeply", "JSON of a published format"
    else:
        message, expected = f"not valid JSON: {error}", "JSON"
    return DataError(message, file=path, record=record, expected=expected)


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
    for number, line in lines(path, skipped):
        try:
            yield build(decode(decoder, line, path, number))
        except DataError as error:
            refuse(error.located(file=path, record=number), skipped)


def dumps(value: Any) -> str:
    """JSON text as the published files have it: plain, one line, unicode kept."""
    return json.dumps(value, ensure_ascii=False)


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """A new file, gzip where its name ends in .gz; it appears whole or not at all.

    The gzip header carries neither name nor time, so that equal content gives equal bytes.
    """
    part = path.with_name(f"{path.name}.part")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with part.open("wb") as raw:
            if path.suffix == ".gz":
                with gzip.GzipFile("", "wb", 6, raw, mtime=0) as stream:
                    yield cast("IO[bytes]", stream)
            else:
                yield raw
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_lines(path: Path, rows: Iterable[Any]) -> int:
    """Writes a new file of one JSON value a line, and says how many."""
    count = 0
    with writing(Path(path)) as stream:
        for row in rows:
            stream.write(f"{dumps(row)}\n".encode())
            count += 1
    return count
