"""A file of vectors by the hash of their texts, to which processes append.

    MAGIC and dimension, 16 bytes; then records of one length:
    hash of the text, 16 bytes | vector, 4 bytes a number | checksum of both, 4 bytes

A record is used when its checksum is right. A tail that was cut off is overwritten by the next
writer; a file with another beginning is replaced. What a store cannot keep is computed again.
"""

from __future__ import annotations

import os
import sys
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

_MAGIC = b"REFEREE-EMB1"
_HEADER = 16
_KEY = 16


class Store:
    """The vectors of one model, in one file."""

    def __init__(self, path: Path, dimension: int) -> None:
        self.path = path
        self.dimension = dimension
        self._header = _MAGIC + dimension.to_bytes(_HEADER - len(_MAGIC), "little")
        self._record = np.dtype(
            [("key", f"V{_KEY}"), ("vector", "<f4", (dimension,)), ("checksum", "<u4")]
        )

    def get(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """The texts' vectors, [len(texts), dimension], and which were there."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        found = np.zeros(len(texts), np.bool_)
        records = self._records()
        # A text that comes twice was stored by two processes at once; the later one is as good.
        rows = {key: row for row, key in enumerate(records["key"].tolist())}
        for place, text in enumerate(texts if rows else ()):
            row = rows.get(_key(text))
            if row is not None and _checksum(records[row]) == records[row]["checksum"]:
                vectors[place], found[place] = records[row]["vector"], True
        return vectors, found

    def put(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Appends vectors; where the disk refuses, they are not kept."""
        records = np.zeros(len(texts), self._record)
        records["key"] = np.array([_key(text) for text in texts], f"V{_KEY}")
        records["vector"] = vectors
        records["checksum"] = [_checksum(record) for record in records]
        try:
            with self._alone() as file:
                whole = (file.seek(0, os.SEEK_END) - _HEADER) // self._record.itemsize
                file.seek(_HEADER + whole * self._record.itemsize)
                file.write(records.tobytes())
                file.truncate()
        except OSError as error:
            said = error.strerror or error
            sys.stderr.write(f"referee: embeddings are not kept in {self.path}: {said}\n")

    def _records(self) -> NDArray[Any]:
        """The whole records of the file, mapped; none where it is not ours."""
        try:
            with self.path.open("rb") as file:
                ours = file.read(_HEADER) == self._header
                size = file.seek(0, os.SEEK_END) - _HEADER
                count = size // self._record.itemsize if ours else 0
                if count > 0:
                    return np.memmap(file, self._record, "r", _HEADER, (count,))
        except OSError:
            pass
        return np.zeros(0, self._record)

    @contextmanager
    def _alone(self) -> Iterator[IO[bytes]]:
        """The file, open for writing, with no other writer at it."""
        import fcntl

        self.path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            if not self._begun():
                self._begin()
            with self.path.open("r+b", buffering=0) as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                # Meanwhile another process may have put a new file in the place of a damaged one.
                if self.path.exists() and os.path.samestat(
                    os.fstat(file.fileno()), self.path.stat()
                ):
                    yield file
                    return

    def _begun(self) -> bool:
        try:
            with self.path.open("rb") as file:
                return file.read(_HEADER) == self._header
        except FileNotFoundError:
            return False

    def _begin(self) -> None:
        """Puts an empty store in the place; readers of the old file keep what they have mapped."""
        with tempfile.NamedTemporaryFile(dir=self.path.parent, delete=False) as file:
            file.write(self._header)
        Path(file.name).replace(self.path)


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY).digest()


def _checksum(record: Any) -> int:
    return zlib.crc32(record["vector"].tobytes(), zlib.crc32(record["key"].tobytes()))
