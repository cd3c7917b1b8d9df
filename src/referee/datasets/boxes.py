"""Open Images and nocaps: tables of labelled boxes, the class names, their hierarchy, the image lists.

Boxes are fractions of the picture in the table and pixels in Referee; nocaps has no table of its own
but takes its boxes from that of Open Images V4, by the id that Open Images gives to a picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from referee.datasets.files import Skipped, read_json, refuse
from referee.datasets.formats import Count, Format
from referee.datasets.records import Id, columns, convert, distinct, each, rows, table
from referee.errors import DataError
from referee.games.model import Box

Flag: TypeAlias = bool | None
"""Whether something was marked; None where nobody looked (-1 in the table)."""


class LabelledBox(Struct, frozen=True):
    """A box in a picture of Open Images; `left`, `right`, `top` and `bottom` are between 0 and 1."""

    image: str
    label: str
    left: float
    right: float
    top: float
    bottom: float
    confidence: float = 1.0
    occluded: Flag = None
    truncated: Flag = None
    group: Flag = None
    depiction: Flag = None
    inside: Flag = None

    def pixels(self, width: float, height: float) -> Box:
        """The box in a picture of this size."""
        return Box(
            self.left * width,
            self.top * height,
            (self.right - self.left) * width,
            (self.bottom - self.top) * height,
        )


class NocapsImage(Struct, frozen=True):
    """A picture of nocaps; `domain` is in, near or out of COCO's, where the file says."""

    id: str
    open_images: str
    width: float
    height: float
    file: str = ""
    url: str = ""
    domain: str = ""
    license: int = 0
    captured: str = ""


class Entity(
    Struct, frozen=True, rename={"label": "LabelName", "kinds": "Subcategory", "parts": "Part"}
):
    """A class of the hierarchy, with the classes that are kinds of it and those that are parts of it."""

    label: str
    kinds: tuple[Entity, ...] = ()
    parts: tuple[Entity, ...] = ()

    def walk(self, *, parts: bool = True) -> Iterator[Entity]:
        """This class and all below it; one that has several parents comes several times."""
        waiting = [self]
        while waiting:
            entity = waiting.pop()
            yield entity
            waiting.extend(reversed(entity.kinds + entity.parts if parts else entity.kinds))

    def find(self, label: str) -> Entity | None:
        """The class of this label, if it is this one or one below."""
        return next((entity for entity in self.walk() if entity.label == label), None)

    def descendants(self) -> frozenset[str]:
        """The labels of all kinds of this class, itself not among them, and parts left out."""
        below = (entity for kind in self.kinds for entity in kind.walk(parts=False))
        return frozenset(entity.label for entity in below)

    def parts_below(self) -> frozenset[str]:
        """The labels of everything that is a part of something: of a body, a car, a house."""
        parts = (part for entity in self.walk() for part in entity.parts)
        return frozenset(below.label for part in parts for below in part.walk())


class _Row(
    Struct,
    rename={
        "image": "ImageID",
        "label": "LabelName",
        "left": "XMin",
        "right": "XMax",
        "top": "YMin",
        "bottom": "YMax",
        "confidence": "Confidence",
        "occluded": "IsOccluded",
        "truncated": "IsTruncated",
        "group": "IsGroupOf",
        "depiction": "IsDepiction",
        "inside": "IsInside",
    },
):
    image: str
    label: str
    left: float
    right: float
    top: float
    bottom: float
    confidence: float = 1.0
    occluded: int = -1
    truncated: int = -1
    group: int = -1
    depiction: int = -1
    inside: int = -1

    def built(self) -> LabelledBox:
        for name in ("left", "right", "top", "bottom", "confidence"):
            if not 0 <= getattr(self, name) <= 1:
                raise DataError(
                    f"{getattr(self, name)} is not a share",
                    field=_NAMES[name],
                    expected="a number from 0 to 1",
                )
        if self.left > self.right or self.top > self.bottom:
            raise DataError("the box is turned over", expected="XMin <= XMax and YMin <= YMax")
        return LabelledBox(
            self.image,
            self.label,
            self.left,
            self.right,
            self.top,
            self.bottom,
            self.confidence,
            *(
                self._flag(name)
                for name in ("occluded", "truncated", "group", "depiction", "inside")
            ),
        )

    def _flag(self, name: str) -> Flag:
        value: int = getattr(self, name)
        if value not in {-1, 0, 1}:
            raise DataError(f"{value} is no mark", field=_NAMES[name], expected="0, 1 or -1")
        return None if value < 0 else bool(value)


_NAMES = {field.name: field.encode_name for field in msgspec.structs.fields(_Row)}


class _NocapsImage(Struct):
    id: Id
    open_images_id: str
    width: float
    height: float
    file_name: str = ""
    coco_url: str = ""
    domain: str = ""
    license: int = 0
    date_captured: str = ""

    def built(self) -> NocapsImage:
        if not (self.width > 0 and self.height > 0):
            raise DataError("has no size", field="width, height", expected="both above zero")
        return NocapsImage(
            str(self.id),
            self.open_images_id,
            self.width,
            self.height,
            self.file_name,
            self.coco_url,
            self.domain,
            self.license,
            self.date_captured,
        )


class _NocapsDocument(Struct):
    images: list[msgspec.Raw]


_HIERARCHY = msgspec.json.Decoder(Entity)
_DOCUMENT = msgspec.json.Decoder(_NocapsDocument)
_IMAGE = msgspec.json.Decoder(_NocapsImage)


def read(path: Path, skipped: Skipped = None) -> Iterator[LabelledBox]:
    """The boxes of a table of Open Images, row by row; the marks may be missing."""
    yield from table(path, _Row, _Row.built, skipped)


def checked(row: Mapping[str, str]) -> LabelledBox:
    """The box of one row, by the names of its columns; what is wrong with it is a DataError."""
    return convert(list(row), list(row.values()), _Row).built()


def classes(path: Path, skipped: Skipped = None) -> dict[str, str]:
    """The names of the classes by label, in the file's order; the published file has no header."""
    found: dict[str, str] = {}
    for number, row in rows(path, skipped):
        label, name = (*row, "", "")[:2]
        if number == 1 and label == "LabelName":
            continue
        if not (label.startswith("/") and name):
            wrong = DataError("is no class", file=path, record=number, expected="/label,name")
            refuse(wrong, skipped)
        elif label in found:
            again = DataError(f"{label} comes twice", file=path, record=number, expected="one name")
            refuse(again, skipped)
        else:
            found[label] = name
    return found


def hierarchy(path: Path) -> Entity:
    """The root of the hierarchy of classes."""
    return read_json(path, _HIERARCHY)


def nocaps(path: Path, skipped: Skipped = None) -> Iterator[NocapsImage]:
    """The pictures of a nocaps image list."""
    found = each(
        path, read_json(path, _DOCUMENT).images, _IMAGE, _NocapsImage.built, skipped, "images"
    )
    yield from distinct(found, lambda image: image.id, skipped, path)


def _count_boxes(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    images, labels, boxes = set[str](), set[str](), 0
    for found in read(path, skipped):
        boxes += 1
        images.add(found.image)
        labels.add(found.label)
    return {"images": len(images), "boxes": boxes, "classes": len(labels)}


def _count_hierarchy(path: Path, _: list[DataError]) -> dict[str, Count]:
    root = hierarchy(path)
    labels = {entity.label for entity in root.walk()}
    return {"classes below the root": len(labels - {root.label}), "parts": len(root.parts_below())}


def _count_nocaps(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    found = list(nocaps(path, skipped))
    domains = Counter(image.domain for image in found if image.domain)
    return {"images": len(found), **domains}


def _first_line(head: bytes) -> bytes:
    return head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]


def _is_boxes(_: Path, head: bytes) -> bool:
    header = {name.strip() for name in _first_line(head).split(b",")}
    return header >= {name.encode() for name in columns(_Row)}


def _is_hierarchy(_: Path, head: bytes) -> bool:
    return head.lstrip().startswith(b"{") and b'"LabelName"' in head and b'"Subcategory"' in head


FORMATS: tuple[Format, ...] = (
    Format("open-images-boxes", "Open Images boxes", _is_boxes, _count_boxes),
    Format(
        "open-images-classes",
        "the names of the boxable classes of Open Images",
        lambda _, head: _first_line(head).startswith((b"/m/", b"LabelName,DisplayName")),
        lambda path, skipped: {"classes": len(classes(path, skipped))},
    ),
    Format(
        "open-images-hierarchy", "the hierarchy of Open Images", _is_hierarchy, _count_hierarchy
    ),
    Format(
        "nocaps-images",
        "nocaps image list",
        lambda _, head: b'"images"' in head and b'"open_images_id"' in head,
        _count_nocaps,
    ),
)
