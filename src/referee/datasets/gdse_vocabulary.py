"""GDSE's vocabulary: words to numbers and back, with eight marks at its head."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from referee.datasets.files import read_json
from referee.datasets.formats import Count, Format
from referee.errors import DataError

MARKS = ("<padding>", "<start>", "<stop>", "<stop_dialogue>", "<unk>", "<yes>", "<no>", "<n/a>")


class _File(Struct):
    word2i: dict[str, int]
    i2word: dict[str, str] = {}


class Vocabulary(Struct, frozen=True):
    """The words in the order of their numbers."""

    words: tuple[str, ...]

    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}


_DECODER = msgspec.json.Decoder(_File)


def read(path: Path) -> Vocabulary:
    """The vocabulary; its numbers must be 0, 1, 2 … and its two tables each other's inverse."""
    path = Path(path)
    file = read_json(path, _DECODER)
    words = tuple(sorted(file.word2i, key=lambda word: file.word2i[word]))
    if [file.word2i[word] for word in words] != list(range(len(words))):
        raise DataError(
            "the numbers have gaps or stand twice",
            file=path,
            field="$.word2i",
            expected=f"each of 0 to {len(words) - 1} once",
        )
    if file.i2word and file.i2word != {str(number): word for number, word in enumerate(words)}:
        raise DataError(
            "the two tables differ", file=path, field="$.i2word", expected="the inverse of word2i"
        )
    if words[: len(MARKS)] != MARKS:
        raise DataError(
            f"begins with {' '.join(words[: len(MARKS)])}",
            file=path,
            field="$.word2i",
            expected=f"the marks {' '.join(MARKS)}",
        )
    return Vocabulary(words)


def _recognises(_: Path, head: bytes) -> bool:
    return b'"word2i"' in head


def _summarise(path: Path, _skipped: list[DataError]) -> dict[str, Count]:
    return {"words": len(read(path).words)}


FORMATS: tuple[Format, ...] = (
    Format("gdse-vocabulary", "words and their numbers (json)", _recognises, _summarise),
)
