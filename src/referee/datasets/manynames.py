"""ManyNames' table of Visual Genome objects, each with its box, name, synset and category."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from referee.datasets.files import Skipped
from referee.datasets.formats import Count, Format
from referee.datasets.records import box, columns, distinct, table
from referee.errors import DataError
from referee.games.model import Box


class NamedObject(Struct, frozen=True):
    """An object of Visual Genome as ManyNames lists it."""

    id: str
    image: str
    file: str
    name: str
    box: Box
    synset: str
    category: str


class _Row(Struct):
    vg_image_id: str
    vg_image_name: str
    vg_object_id: str
    vg_obj_name: str
    bbox_xywh: str
    vg_synset: str
    vg_cat: str

    def built(self) -> NamedObject:
        try:
            x, y, width, height = _BOX.decode(self.bbox_xywh)
        except (msgspec.DecodeError, UnicodeError):
            raise DataError(
                f"{self.bbox_xywh!r} is no box", field="bbox_xywh", expected="[x, y, width, height]"
            ) from None
        return NamedObject(
            self.vg_object_id,
            self.vg_image_id,
            self.vg_image_name,
            self.vg_obj_name,
            box(x, y, width, height, field="bbox_xywh"),
            self.vg_synset,
            self.vg_cat,
        )


_BOX = msgspec.json.Decoder(tuple[float, float, float, float])


def read(path: Path, skipped: Skipped = None) -> Iterator[NamedObject]:
    """The objects of objects.tsv, in its order."""
    found = table(path, _Row, _Row.built, skipped, delimiter="\t")
    yield from distinct(found, lambda thing: thing.id, skipped, path)


def _count(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    found = list(read(path, skipped))
    return {
        "objects": len(found),
        "images": len({thing.image for thing in found}),
        "names": len({thing.name for thing in found}),
        "categories": len({thing.category for thing in found}),
    }


FORMATS: tuple[Format, ...] = (
    Format(
        "manynames",
        "ManyNames objects",
        lambda _, head: (
            set(head.partition(b"\n")[0].strip().split(b"\t"))
            >= {name.encode() for name in columns(_Row)}
        ),
        _count,
    ),
)
