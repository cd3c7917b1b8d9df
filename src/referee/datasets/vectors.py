"""Word vectors: fastText models and texts, GloVe texts, and packages that bring them as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from referee.datasets.arrays import load_npy
from referee.datasets.fasttext import MAGIC, FastText
from referee.datasets.files import lines, reading
from referee.datasets.formats import Count, Format
from referee.datasets.parquet import read_parquet
from referee.errors import DataError

Found = tuple[NDArray[np.float32], NDArray[np.bool_]]

_FEWEST_NUMBERS = 8
"""A line of text with fewer numbers is not taken for a word and its vector without further sign."""


@runtime_checkable
class Vectors(Protocol):
    """A table of word vectors, from which only what is asked for is read."""

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    def vectors(self, words: Sequence[str]) -> Found:
        """The vectors, [len(words), dimension], and which words have one; the others' are zero."""
        ...


def open_vectors(path: Path) -> Vectors:
    """The table in a fastText .bin or .vec, a GloVe .txt, or a folder with an array and its words."""
    path = Path(path)
    if path.is_dir():
        return ArrayVectors(path)
    with reading(path), path.open("rb") as stream:
        binary = stream.read(len(MAGIC)) == MAGIC
    return FastText(path) if binary else TextVectors(path)


class TextVectors:
    """A text with a word and its numbers on each line; fastText's says first how many and how long.

    A look-up reads through the file once. Of a word that comes twice the first counts.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self.stated: int | None = None
        start = [line.rstrip() for _, line in islice(lines(self.path), 2)] or [b""]
        fields = start[0].split()
        if len(fields) == 2 and all(field.isdigit() for field in fields):  # noqa: PLR2004 a header
            self.stated, self._dimension = int(fields[0]), int(fields[1])
        else:
            self._dimension = len(fields) - 1
        if self._dimension < 1:
            raise DataError(
                "has no vectors", file=path, record=1, expected="a word and its numbers"
            )
        if self.stated:
            # A line must be as long as is stated before anything of that length is made.
            self._split(2, start[-1])

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._dimension

    def vectors(self, words: Sequence[str]) -> Found:
        """The vectors, [len(words), dimension], and which words have one; the others' are zero."""
        places: dict[bytes, list[int]] = {}
        for place, word in enumerate(words):
            places.setdefault(word.encode("utf-8", "surrogatepass"), []).append(place)
        vectors = np.zeros((len(words), self.dimension), np.float32)
        found = np.zeros(len(words), np.bool_)
        starts = {word.partition(b" ")[0] for word in places}
        entries, number, line = 0, 0, b""
        for number, line in self._lines():
            if not places:
                break
            entries += 1
            if line.partition(b" ")[0] in starts:
                entry, numbers = self._split(number, line)
                if entry in places:
                    at = places.pop(entry)
                    vectors[at], found[at] = self._vector(number, numbers), True
        if places and entries:
            # Not found may mean cut off: the end must be whole, and as far away as is stated.
            self._split(number, line)
            self._check_count(entries)
        return vectors, found

    def check(self) -> dict[str, Count]:
        """Reads every line; the counts of `referee data check`."""
        words = set[bytes]()
        entries = 0
        for number, line in self._lines():
            word, numbers = self._split(number, line)
            self._vector(number, numbers)
            words.add(word)
            entries += 1
        self._check_count(entries)
        return {"words": len(words), "repeated words": entries - len(words)}

    def _check_count(self, entries: int) -> None:
        if self.stated not in {None, entries}:
            raise DataError(
                f"has {entries} vectors",
                file=self.path,
                record=1,
                expected=f"the stated {self.stated}",
            )

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        for number, line in lines(self.path):
            if number > 1 or self.stated is None:
                yield number, line.rstrip()

    def _split(self, number: int, line: bytes) -> tuple[bytes, list[bytes]]:
        # Some words of GloVe's have spaces in them: the numbers are counted from the end.
        word, *numbers = line.rsplit(b" ", self.dimension)
        if len(numbers) != self.dimension:
            raise DataError(
                f"has {len(numbers)} numbers",
                file=self.path,
                record=number,
                expected=f"{self.dimension}",
            )
        return word, numbers

    def _vector(self, number: int, numbers: list[bytes]) -> NDArray[np.float32]:
        try:
            vector = np.array([float(text) for text in numbers], np.float64)
        except ValueError as error:
            raise DataError(str(error), file=self.path, record=number, expected="numbers") from None
        if not np.isfinite(vector).all() or np.abs(vector).max() > np.finfo(np.float32).max:
            raise DataError(
                "holds NaN or infinity", file=self.path, record=number, expected="finite numbers"
            )
        return vector.astype(np.float32)


class ArrayVectors:
    """An array `*_emb.npy` whose rows belong to the words of `*_index.parquet`, column `index`."""

    def __init__(self, folder: Path) -> None:
        import polars as pl

        self.path = Path(folder)
        self._matrix = load_npy(_only(self.path, "*_emb.npy"), mapped=True)
        index = _only(self.path, "*_index.parquet")
        try:
            words = read_parquet(index)["index"].cast(pl.String).to_list()
        except pl.exceptions.PolarsError as error:
            raise DataError(
                f"cannot be read: {error}", file=index, field="index", expected="a column of words"
            ) from None
        if self._matrix.ndim != 2 or len(self._matrix) != len(words):  # noqa: PLR2004 a matrix
            raise DataError(
                f"has the shape {self._matrix.shape}",
                file=self.path,
                expected=f"one row for each of {len(words)} words",
            )
        self._rows = {word: row for row, word in reversed(list(enumerate(words)))}

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self._matrix.shape[1])

    def __len__(self) -> int:
        return len(self._rows)

    def vectors(self, words: Sequence[str]) -> Found:
        """The vectors, [len(words), dimension], and which words have one; the others' are zero."""
        rows = np.array([self._rows.get(word, -1) for word in words], np.int64)
        found = rows >= 0
        vectors = np.zeros((len(words), self.dimension), np.float32)
        vectors[found] = self._matrix[rows[found]]
        return vectors, found


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise DataError(f"holds {len(found)} of {pattern}", file=folder, expected="one")
    return found[0]


def _count_model(path: Path, _: list[DataError]) -> dict[str, Count]:
    model = FastText(path)
    header = model.header
    return {
        "words": len(model),
        "dimension": model.dimension,
        "n-grams": f"{header.shortest} to {header.longest} in {header.buckets} buckets",
    }


def _count_text(path: Path, _: list[DataError]) -> dict[str, Count]:
    vectors = TextVectors(path)
    return {**vectors.check(), "dimension": vectors.dimension}


def _count_array(path: Path, _: list[DataError]) -> dict[str, Count]:
    vectors = ArrayVectors(path)
    return {"words": len(vectors), "dimension": vectors.dimension}


def _is_text(path: Path, head: bytes) -> bool:
    if ".vec" in path.suffixes:
        return True
    fields = head.partition(b"\n")[0].split()[1:]
    try:
        return len(fields) >= _FEWEST_NUMBERS and bool([float(field) for field in fields])
    except ValueError:
        return False


def _is_array(path: Path, _: bytes) -> bool:
    return path.is_dir() and any(path.glob("*_emb.npy")) and any(path.glob("*_index.parquet"))


FORMATS: tuple[Format, ...] = (
    Format(
        "fasttext-bin",
        "a fastText model with its n-grams",
        lambda _, head: head.startswith(MAGIC),
        _count_model,
    ),
    Format(
        "word-vectors-text", "word vectors as text, fastText's or GloVe's", _is_text, _count_text
    ),
    Format("word-vectors-array", "word vectors as an array and its index", _is_array, _count_array),
)
