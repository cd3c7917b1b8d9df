"""COCO annotations: instances, captions and person keypoints.

The id of a thing is the id of its annotation, which is the object id of GuessWhat?!.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from referee.datasets.files import Skipped, read_json, refuse
from referee.datasets.formats import Count, Format
from referee.datasets.records import Id, box, distinct, each
from referee.errors import DataError
from referee.games.model import Scene, Thing


class Category(Struct, frozen=True):
    """A row of the category table; ids run from 1 to 90 with holes."""

    id: int
    name: str
    supercategory: str = ""


class Caption(Struct, frozen=True):
    """What one person wrote about an image."""

    id: str
    image: str
    text: str


class Instances(Struct, frozen=True):
    """The scenes of a file, and the ids of those of its things that are a crowd and not one object."""

    scenes: tuple[Scene, ...]
    categories: tuple[Category, ...]
    crowds: frozenset[str] = frozenset()


class Captions(Struct, frozen=True):
    """The pictures of a file, without things, and their captions."""

    scenes: tuple[Scene, ...]
    captions: tuple[Caption, ...]


class _Image(Struct):
    id: Id
    width: float
    height: float
    file_name: str = ""
    coco_url: str = ""

    def built(self) -> Scene:
        if not (self.width > 0 and self.height > 0):
            raise DataError("has no size", field="width, height", expected="both above zero")
        return Scene(str(self.id), self.width, self.height, file=self.file_name, url=self.coco_url)


class _Instance(Struct):
    id: Id
    image_id: Id
    category_id: int
    bbox: tuple[float, float, float, float]
    area: float | None = None
    iscrowd: int = 0
    attributes: tuple[str, ...] = ()


class _Caption(Struct):
    id: Id
    image_id: Id
    caption: str

    def built(self) -> Caption:
        return Caption(str(self.id), str(self.image_id), self.caption)


class _Document(Struct):
    images: list[msgspec.Raw]
    annotations: list[msgspec.Raw]
    categories: tuple[Category, ...] = ()


class _Placed(Struct):
    image: str
    thing: Thing
    crowd: bool


_DOCUMENT = msgspec.json.Decoder(_Document)
_IMAGE = msgspec.json.Decoder(_Image)
_INSTANCE = msgspec.json.Decoder(_Instance)
_CAPTION = msgspec.json.Decoder(_Caption)


def read_instances(path: Path, skipped: Skipped = None) -> Instances:
    """The scenes of an instances (or person keypoints) file, with their things in the file's order."""
    document = read_json(path, _DOCUMENT)
    names = {category.id: category.name for category in document.categories}
    scenes = _scenes(document, path, skipped)
    things: dict[str, list[Thing]] = {scene: [] for scene in scenes}
    crowds = set()
    placed = each(
        path,
        document.annotations,
        _INSTANCE,
        lambda wire: _placed(wire, names),
        skipped,
        "annotations",
    )
    for found in distinct(placed, lambda found: found.thing.id, skipped, path):
        if found.image not in things:
            refuse(_homeless(path, found.thing.id, found.image), skipped)
            continue
        things[found.image].append(found.thing)
        if found.crowd:
            crowds.add(found.thing.id)
    return Instances(
        tuple(
            msgspec.structs.replace(scene, things=tuple(things[scene.id]))
            for scene in scenes.values()
        ),
        document.categories,
        frozenset(crowds),
    )


def read_captions(path: Path, skipped: Skipped = None) -> Captions:
    """The captions of a file, in its order."""
    document = read_json(path, _DOCUMENT)
    scenes = _scenes(document, path, skipped)
    found = each(path, document.annotations, _CAPTION, _Caption.built, skipped, "annotations")
    captions = []
    for caption in distinct(found, lambda caption: caption.id, skipped, path):
        if caption.image in scenes:
            captions.append(caption)
        else:
            refuse(_homeless(path, caption.id, caption.image), skipped)
    return Captions(tuple(scenes.values()), tuple(captions))


def scenes(path: Path, skipped: Skipped = None) -> Iterator[Scene]:
    """The scenes of an instances file whose things are single objects: the crowds are left out."""
    found = read_instances(path, skipped)
    for scene in found.scenes:
        single = tuple(thing for thing in scene.things if thing.id not in found.crowds)
        yield msgspec.structs.replace(scene, things=single)


def _scenes(document: _Document, path: Path, skipped: Skipped) -> dict[str, Scene]:
    found = each(path, document.images, _IMAGE, _Image.built, skipped, "images")
    return {scene.id: scene for scene in distinct(found, lambda scene: scene.id, skipped, path)}


def _placed(wire: _Instance, names: dict[int, str]) -> _Placed:
    if wire.category_id not in names:
        raise DataError(
            f"there is no category {wire.category_id}",
            field="category_id",
            expected="one of the file's categories",
        )
    place = box(*wire.bbox)
    name = names[wire.category_id]
    thing = Thing(str(wire.id), name, wire.category_id, place, wire.area, wire.attributes)
    return _Placed(str(wire.image_id), thing, bool(wire.iscrowd))


def _homeless(path: Path, record: str, image: str) -> DataError:
    return DataError(
        f"there is no image {image}",
        file=path,
        record=record,
        field="image_id",
        expected="one of the file's images",
    )


def _count_instances(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    found = read_instances(path, skipped)
    return {
        "images": len(found.scenes),
        "objects": sum(len(scene.things) for scene in found.scenes),
        "crowds": len(found.crowds),
        "categories": len(found.categories),
    }


def _count_captions(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    found = read_captions(path, skipped)
    return {"images": len(found.scenes), "captions": len(found.captions)}


# The annotations stand at the end of a published file and may lie beyond the head, while their kind
# stands in the name; a renamed file is known by what its first annotation or category holds.
def _is(kind: str, *keys: bytes) -> Callable[[Path, bytes], bool]:
    def recognises(path: Path, head: bytes) -> bool:
        if not head.lstrip().startswith(b"{") or b'"images"' not in head:
            return False
        kinds = [name for name in ("instances", "captions", "keypoints") if name in path.name]
        return kinds == [kind] if kinds else all(key in head for key in keys)

    return recognises


FORMATS: tuple[Format, ...] = (
    Format(
        "coco-keypoints",
        "COCO person keypoints",
        _is("keypoints", b'"keypoints"', b'"annotations"'),
        _count_instances,
    ),
    Format(
        "coco-instances",
        "COCO instances: the objects of each image with their boxes",
        _is("instances", b'"annotations"', b'"bbox"', b'"category_id"'),
        _count_instances,
    ),
    Format(
        "coco-captions",
        "COCO captions",
        _is("captions", b'"annotations"', b'"caption"', b'"image_id"'),
        _count_captions,
    ),
)
