"""VisDial's JSON document as published, and the key by which everything said of its rounds is paired.

The files count rounds from 0 or from 1 and name images by number or by text. Inside there is one
key, `RoundKey`; each reader converts to it and each writer converts back, and nothing is ever paired
by its place in a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from referee.datasets.files import Skipped, read_json
from referee.datasets.records import Id, distinct, each, listed

OPTIONS = 100
"""The published number of answer options of a round."""
ROUNDS = 10
"""The published number of rounds of a dialogue; a dialogue of the test split may have fewer."""

Index: TypeAlias = Annotated[int, Meta(ge=0)]
FromZero: TypeAlias = Annotated[int, Meta(ge=0, le=ROUNDS - 1)]
FromOne: TypeAlias = Annotated[int, Meta(ge=1, le=ROUNDS)]


class RoundKey(NamedTuple):
    """A round of a dialogue: its image, and its number counted from 0 whatever its file counts from."""

    image: str
    round: int

    def __str__(self) -> str:
        return f"image {self.image}, round {self.round} (from 0)"


class HasKey(Protocol):
    """A row about one round."""

    @property
    def key(self) -> RoundKey:
        """The round."""


T = TypeVar("T")
Row = TypeVar("Row", bound=HasKey)


def rows(
    path: Path, decoder: msgspec.json.Decoder[T], build: Callable[[T], Row], skipped: Skipped
) -> Iterator[Row]:
    """What `build` makes of each element of a JSON array; no two may be about the same round."""
    built = each(path, listed(path), decoder, build, skipped)
    return distinct(built, lambda row: str(row.key), skipped, path)


class FileRound(Struct, frozen=True, omit_defaults=True, gc=False):
    """A round as published: every text is an index into the pools of its file."""

    question: Index
    answer: Index | None = None
    answer_options: tuple[Index, ...] | None = None
    gt_index: Index | None = None


class FileDialogue(Struct, frozen=True, gc=False):
    """A dialogue as published."""

    image_id: Id
    caption: str
    dialog: tuple[FileRound, ...]


class Header(Struct, frozen=True):
    """What a file says before its dialogues: version, split, and the pools of distinct texts."""

    version: str = "1.0"
    split: str = ""
    questions: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


class _Data(Struct, frozen=True):
    questions: tuple[str, ...]
    answers: tuple[str, ...]
    dialogs: list[Raw]


class _File(Struct, frozen=True):
    data: _Data
    version: str = "1.0"
    split: str = ""


_BEGINNING = re.compile(rb'"data"\s*:\s*\{\s*"(questions|answers|dialogs)"')
_FILE = msgspec.json.Decoder(_File)
_DIALOGUE = msgspec.json.Decoder(FileDialogue)


@dataclass(frozen=True, eq=False)
class Document:
    """An open file: its header, and its dialogues, which stay JSON until they are asked for."""

    path: Path
    header: Header
    encoded: list[Raw]

    def dialogues(self, skipped: Skipped = None) -> Iterator[FileDialogue]:
        """The dialogues one by one; no two may be about the same image."""
        decoded = each(self.path, self.encoded, _DIALOGUE, _same, skipped, "data.dialogs")
        return distinct(decoded, lambda one: f"image {one.image_id}", skipped, self.path)


def _same(dialogue: FileDialogue) -> FileDialogue:
    return dialogue


def is_dialogues(head: bytes) -> bool:
    """Whether a file begins as VisDial's dialogues do."""
    return _BEGINNING.search(head) is not None


def open_document(path: Path) -> Document:
    """The file with its pools decoded; the same text is one string in every round that has it."""
    file = read_json(path, _FILE)
    header = Header(file.version, file.split, file.data.questions, file.data.answers)
    return Document(path, header, file.data.dialogs)


def ground_truths(path: Path, skipped: Skipped = None) -> dict[RoundKey, int]:
    """The place of the ground truth among the options, for each round that tells it."""
    return {
        RoundKey(str(dialogue.image_id), number): asked.gt_index
        for dialogue in open_document(path).dialogues(skipped)
        for number, asked in enumerate(dialogue.dialog)
        if asked.gt_index is not None
    }
