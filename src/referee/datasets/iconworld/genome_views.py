"""How Visual Genome has the pictures of a world: as COCO has them, or different as its real ones are.

A different picture has another size, and now and then a banner above or below it, by which everything
in it is moved. Its boxes were drawn by other people, so that their edges are elsewhere; some things were
not seen, some have another name, and of some a part has a box of its own.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from referee.datasets.iconworld.concepts import synset
from referee.datasets.iconworld.vocabulary import vocabulary
from referee.errors import UsageError
from referee.games import Box, Scene, Thing
from referee.randomness import Stream, mix

SCALES = (0.8, 1.25, 1.5625, 2.0, 3.2)
"""How many times as large a picture is; 1.5625 makes 500 pixels of 320."""
BANNER = (0.05, 0.25)
"""The height of a banner, at least and at most, as a share of the picture's."""
PART = "part.n.03"
_VIEWS = 23


class Mismatch(Struct, frozen=True):
    """How much a world's Visual Genome differs from its COCO; every number is a share."""

    banner: float = 0.3
    jitter: float = 0.1
    """How far an edge is at most from where it should be, as a share of the box's side."""
    missing: float = 0.1
    renamed: float = 0.1
    part: float = 0.2

    def __post_init__(self) -> None:
        if not all(0 <= getattr(self, name) <= 1 for name in self.__struct_fields__):
            raise UsageError("how much Visual Genome differs is told in shares, from 0 to 1")


class Seen(NamedTuple):
    """An object as Visual Genome has it; `place` is that of the thing in the scene."""

    place: int
    box: Box
    name: str
    synset: str
    attributes: tuple[str, ...]
    part: bool = False


class View(NamedTuple):
    """A picture as Visual Genome has it; the scene begins `shift` pixels from its top."""

    width: int
    height: int
    scale: float
    banner: int
    shift: int
    seen: tuple[Seen, ...]


def view(scene: Scene, key: int, mismatch: Mismatch | None) -> View:
    """The view of a scene, the same for the same key of the world; with no mismatch all is alike."""
    width, height = int(scene.width), int(scene.height)
    if mismatch is None:
        things = tuple(_whole(place, thing, thing.box) for place, thing in enumerate(scene.things))
        return View(width, height, 1.0, 0, 0, things)
    draw = Stream(mix(mix(key, int(scene.id)), _VIEWS))
    scale = draw.choice(SCALES)
    width, height = round(width * scale), round(height * scale)
    banner = shift = 0
    if draw.random() < mismatch.banner:
        least, most = BANNER
        banner = round(height * (least + (most - least) * draw.random()))
        shift = banner * draw.below(2)
    seen: list[Seen] = []
    for place, thing in enumerate(scene.things):
        found = _thing(draw, place, thing, (scale, shift), mismatch)
        if found is not None:
            seen.append(found)
        if draw.random() < mismatch.part:
            seen.append(_part(place, _moved(thing.box, scale, shift)))
    return View(width, height + banner, scale, banner, shift, tuple(seen))


def _whole(place: int, thing: Thing, box: Box) -> Seen:
    return Seen(place, box, thing.category, synset(thing.category), thing.attributes)


def _thing(
    draw: Stream, place: int, thing: Thing, where: tuple[float, int], mismatch: Mismatch
) -> Seen | None:
    box = _jittered(draw, _moved(thing.box, *where), mismatch.jitter)
    missing, renamed = draw.random() < mismatch.missing, draw.random() < mismatch.renamed
    other = _other_name(thing.category)
    if missing:
        return None
    whole = _whole(place, thing, box)
    return whole._replace(name=other) if renamed and other else whole


def _moved(box: Box, scale: float, shift: int) -> Box:
    return Box(box.x * scale, box.y * scale + shift, box.width * scale, box.height * scale)


def _jittered(draw: Stream, box: Box, most: float) -> Box:
    def edge(at: float, side: float) -> int:
        return max(0, round(at + (2 * draw.random() - 1) * most * side))

    left, right = edge(box.x, box.width), edge(box.x + box.width, box.width)
    top, bottom = edge(box.y, box.height), edge(box.y + box.height, box.height)
    return Box(left, top, max(1, right - left), max(1, bottom - top))


def _part(place: int, box: Box) -> Seen:
    quarter = Box(
        round(box.x), round(box.y), max(1, round(box.width / 2)), max(1, round(box.height / 2))
    )
    return Seen(place, quarter, "part", PART, (), part=True)


def _other_name(category: str) -> str:
    """Another name without a word in common, "" where there is none."""
    words = set(category.split())
    others = vocabulary().noun(category).also
    return next((name for name in others if not words & set(name.split())), "")
