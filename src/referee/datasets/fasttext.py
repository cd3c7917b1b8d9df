"""fastText's binary models: the vector of any word, from its own row and those of its n-grams.

The file is a header, the dictionary, and the input matrix, whose first rows belong to the words and
whose others to the buckets into which n-grams of characters are hashed. The matrix stays on disk: a
look-up reads the rows that it needs.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.datasets.files import reading
from referee.errors import DataError

MAGIC = struct.pack("<i", 793712314)
VERSIONS = (11, 12)
END_OF_SENTENCE = b"</s>"

_SUPERVISED = 3
_WORD = 0
_FNV_OFFSET = 2166136261
_FNV_PRIME = 16777619
_CONTINUES, _CONTINUATION = 0xC0, 0x80
_NEGATIVE = 0x80


@dataclass(frozen=True)
class Header:
    """What of the training arguments a look-up needs."""

    dimension: int
    shortest: int
    longest: int
    buckets: int


class FastText:
    """A fastText model opened for look-ups; equal to Facebook's get_word_vector.

    A word of the dictionary has the mean of its own row and the rows of its n-grams, any other word
    that of its n-grams alone. The end of sentence has no n-grams.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        with reading(self.path), self.path.open("rb") as stream:
            if stream.read(len(MAGIC)) != MAGIC:
                raise DataError("is no fastText model", file=path, expected="its signature")
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
                reader = _Reader(data, self.path)
                self.header = reader.header()
                self._rows = reader.words()
                shape = reader.matrix(self.header, len(self._rows))
                offset = reader.at
        self._matrix = np.memmap(self.path, "<f4", "r", offset, shape)

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self.header.dimension

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the dictionary, the most frequent first."""
        return tuple(word.decode("utf-8", "replace") for word in self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def vectors(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """The vectors, [len(words), dimension], and which words have one; the others' are zero."""
        vectors = np.zeros((len(words), self.dimension), np.float32)
        found = np.zeros(len(words), np.bool_)
        for place, text in enumerate(words):
            rows = self._rows_of(text.encode("utf-8", "surrogatepass"))
            if rows:
                # One after another and in single precision, as the original adds them up.
                total = self._matrix[rows].sum(axis=0, dtype=np.float32)
                vectors[place] = total * np.float32(1 / len(rows))
                found[place] = True
        return vectors, found

    def _rows_of(self, word: bytes) -> list[int]:
        own = self._rows.get(word)
        rows = [] if own is None else [own]
        if word != END_OF_SENTENCE and self.header.buckets:
            first = len(self._rows)
            rows.extend(
                first + value % self.header.buckets
                for value in hashes(word, self.header.shortest, self.header.longest)
            )
        return rows


def hashes(word: bytes, shortest: int, longest: int) -> Iterator[int]:
    """The hashes of a word's n-grams, "<" before it and ">" after it, by start and then by length.

    FNV-1a in 32 bits over bytes taken as signed, which is how the published models were trained. An
    n-gram holds whole characters, and neither bracket is an n-gram by itself.
    """
    text = b"<" + word + b">"
    end = len(text)
    starts = [i for i in range(end) if text[i] & _CONTINUES != _CONTINUATION] + [end]
    for first in range(len(starts) - 1):
        value = _FNV_OFFSET
        for size in range(1, min(longest, len(starts) - 1 - first) + 1):
            for byte in text[starts[first + size - 1] : starts[first + size]]:
                value ^= byte | 0xFFFFFF00 if byte & _NEGATIVE else byte
                value = value * _FNV_PRIME & 0xFFFFFFFF
            lone = size == 1 and (first == 0 or starts[first + 1] == end)
            if size >= shortest and not lone:
                yield value


class _Reader:
    def __init__(self, data: mmap.mmap, path: Path) -> None:
        self.data = data
        self.path = path
        self.at = len(MAGIC)

    def take(self, form: str, field: str) -> tuple[int, ...]:
        try:
            values = struct.unpack_from(form, self.data, self.at)
        except struct.error:
            raise self.wrong("the file ends here", field, "a whole file") from None
        self.at += struct.calcsize(form)
        return values

    def wrong(self, message: str, field: str, expected: str) -> DataError:
        return DataError(
            message, file=self.path, record=f"byte {self.at}", field=field, expected=expected
        )

    def header(self) -> Header:
        (version,) = self.take("<i", "version")
        if version not in VERSIONS:
            raise self.wrong(
                f"has the version {version}", "version", " or ".join(map(str, VERSIONS))
            )
        arguments = self.take("<12id", "arguments")
        dimension, model, buckets, shortest, longest = (arguments[i] for i in (0, 7, 8, 9, 10))
        if dimension < 1 or buckets < 0:
            raise self.wrong(
                f"a dimension of {dimension}, {buckets} buckets",
                "arguments",
                "1 or more, 0 or more",
            )
        if version == VERSIONS[0] and model == _SUPERVISED:
            longest = 0
        return Header(dimension, shortest, longest, buckets)

    def words(self) -> dict[bytes, int]:
        size, words, labels, _, pruned = self.take("<iiiqq", "dictionary")
        if size < 0 or words + labels != size:
            raise self.wrong(f"{size} entries", "dictionary", f"{words} words and {labels} labels")
        rows: dict[bytes, int] = {}
        for entry in range(size):
            end = self.data.find(b"\0", self.at)
            if end < 0:
                raise self.wrong("the file ends here", f"entry {entry}", "a word that ends in zero")
            word = self.data[self.at : end]
            self.at = end + 1
            _, kind = self.take("<qb", f"entry {entry}")
            if kind == _WORD:
                rows[word] = entry
        if len(rows) != words:
            raise self.wrong(f"{len(rows)} different words", "dictionary", f"{words} of them")
        if pruned > 0:
            raise self.wrong("is pruned", "dictionary", "a model that is not compressed")
        return rows

    def matrix(self, header: Header, words: int) -> tuple[int, int]:
        (quantised,) = self.take("<b", "quantised")
        if quantised:
            raise self.wrong("is quantised", "quantised", "a model that is not compressed")
        rows, columns = self.take("<qq", "matrix")
        if (rows, columns) != (words + header.buckets, header.dimension):
            raise self.wrong(
                f"is {rows} x {columns}", "matrix", f"{words + header.buckets} x {header.dimension}"
            )
        if self.at + 4 * rows * columns > len(self.data):
            raise self.wrong("the file ends in it", "matrix", "a whole file")
        return rows, columns
