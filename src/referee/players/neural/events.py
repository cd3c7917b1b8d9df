"""Scalars in the event files that TensorBoard reads: a few bytes a number, so no package is needed.

A file is a run of records: length (8 bytes), its masked CRC-32C, the bytes of an `Event` message, their
masked CRC-32C. Of the message only what scalars need is written: wall_time (1), step (2), the file's
version (3), and summary (5) with its values (1), each a tag (1) and a simple_value (2).
"""

from __future__ import annotations

import struct
import time
from collections.abc import Mapping
from pathlib import Path

_POLYNOMIAL = 0x82F63B78
_MASK = 0xA282EAD8
_DOUBLE, _BYTES, _FLOAT = 1, 2, 5


def _entry(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
    return byte


_TABLE = tuple(map(_entry, range(256)))


def crc32c(data: bytes) -> int:
    """Castagnoli's checksum.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    value = 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ _TABLE[(value ^ byte) & 0xFF]
    return value ^ 0xFFFFFFFF


def record(data: bytes) -> bytes:
    """One framed record."""
    length = struct.pack("<Q", len(data))
    return length + _masked(length) + data + _masked(data)


def _masked(data: bytes) -> bytes:
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + _MASK) & 0xFFFFFFFF)


def _varint(number: int) -> bytes:
    written = bytearray()
    while number > 0x7F:  # noqa: PLR2004 seven bits a byte
        written.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*written, number))


def _field(number: int, kind: int, value: bytes) -> bytes:
    size = _varint(len(value)) if kind == _BYTES else b""
    return _varint(number << 3 | kind) + size + value


def _event(step: int, content: bytes) -> bytes:
    wall = _field(1, _DOUBLE, struct.pack("<d", time.time()))
    return record(wall + _field(2, 0, _varint(step)) + content)


class Events:
    """An event file of one training run; a resumed run begins another beside it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"events.out.tfevents.{time.time_ns()}.referee"
        self._path.write_bytes(_event(0, _field(3, _BYTES, b"brain.Event:2")))

    def write(self, step: int, scalars: Mapping[str, float]) -> None:
        """Some numbers at a step."""
        values = b"".join(
            _field(
                1,
                _BYTES,
                _field(1, _BYTES, name.encode()) + _field(2, _FLOAT, struct.pack("<f", value)),
            )
            for name, value in scalars.items()
        )
        with self._path.open("ab") as stream:
            stream.write(_event(step, _field(5, _BYTES, values)))
