"""Which object of Visual Genome each thing of a game's picture is: a line of JSON for each picture.

The format is Referee's own. `annotate attributes` writes what it found, Iconworld what it planted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from referee.datasets.files import Skipped, records, writing
from referee.datasets.formats import Count, Format
from referee.datasets.records import distinct
from referee.errors import DataError

By = Literal["overlap", "name", "planted", "none"]


class Mapped(Struct, frozen=True, omit_defaults=True):
    """What a thing is mapped to and how; of one that is not mapped, `iou` is the greatest there was."""

    object: str | None = None
    by: By = "none"
    iou: float | None = None
    jaccard: float | None = None

    def __post_init__(self) -> None:
        if (self.object is None) != (self.by == "none"):
            raise ValueError("an object is named where the thing is mapped, and nowhere else")


class PictureMapping(Struct, frozen=True):
    """The things of one picture, by id."""

    image: str
    visual_genome: str
    things: dict[str, Mapped]


_LINE = msgspec.json.Decoder(PictureMapping)


def read(path: Path, skipped: Skipped = None) -> Iterator[PictureMapping]:
    """The pictures of a mapping."""
    found = records(path, _LINE, lambda picture: picture, skipped)
    yield from distinct(found, lambda picture: picture.image, skipped, path)


def write(path: Path, pictures: Iterable[PictureMapping]) -> int:
    """Writes the pictures, one a line, and says how many."""
    count = 0
    with writing(path) as stream:
        for picture in pictures:
            stream.write(msgspec.json.encode(picture) + b"\n")
            count += 1
    return count


def _count(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    found = list(read(path, skipped))
    ways = [thing.by for picture in found for thing in picture.things.values()]
    counts: dict[str, Count] = {"pictures": len(found), "things": len(ways)}
    return counts | {way: ways.count(way) for way in sorted(set(ways))}


FORMATS: tuple[Format, ...] = (
    Format(
        "visual-genome-mapping",
        "which object of Visual Genome each thing of a game's picture is",
        lambda _, head: (
            head.startswith(b"{") and b'"visual_genome":' in head and b'"things":' in head
        ),
        _count,
    ),
)
