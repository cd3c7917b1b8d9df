"""The attributes of the things of some pictures: found among Visual Genome's objects, and looked up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import astuple, replace
from numpy.typing import NDArray

from referee.annotate.attributes.concepts import Concepts, Known
from referee.annotate.attributes.how import How
from referee.datasets import visual_genome
from referee.datasets.genome_mapping import Mapped, PictureMapping
from referee.datasets.visual_genome import Graph, Image, VisualObject
from referee.games import Box, Scene, Thing
from referee.metrics.boxes import (
    BY_IOU,
    LOCATIONS,
    UNMAPPED,
    Mapping,
    Side,
    locations,
    map_boxes,
    scaled,
    tokens,
)

Size = tuple[float, float]


@dataclass(frozen=True)
class Picture:
    """One picture in both versions, with the things of all games about it, of whatever splits."""

    splits: tuple[str, ...]
    scene: Scene
    graph: Graph
    image: Image


@dataclass(frozen=True)
class Described:
    """A thing with its attributes; `object` is what it is in the graph."""

    thing: Thing
    object: VisualObject | None
    abstract: Known
    situated: frozenset[str]


@dataclass(frozen=True)
class Annotated:
    """A picture whose things are described, its graph with attributes, and its mapping."""

    picture: Picture
    things: tuple[Described, ...]
    graph: Graph
    mapping: PictureMapping


def annotate(pictures: Sequence[Picture], concepts: Concepts, how: How) -> Iterator[Annotated]:
    """Each picture with its things described; all boxes are mapped at once."""
    found = _mapped(pictures, how)
    row = begin = 0
    for picture in pictures:
        things, objects = picture.scene.things, picture.graph.objects
        rows = slice(row, row + len(things))
        chosen = [int(place) - begin if place >= 0 else -1 for place in found.rows[rows]]
        graph = _described_graph(picture, concepts, how)
        described = tuple(_described(picture, graph, chosen, concepts, how))
        yield Annotated(
            picture,
            described,
            replace(graph, objects=graph.objects + tuple(_nodes(described, how))),
            _mapping(picture, found, rows, chosen),
        )
        row, begin = rows.stop, begin + len(objects)


def _mapped(pictures: Sequence[Picture], how: How) -> Mapping:
    known: dict[str, int] = {}
    things = [picture.scene.things for picture in pictures]
    objects = [picture.graph.objects for picture in pictures]
    widths = np.array([len(each) for each in things], dtype=np.int64)
    other_widths = np.array([len(each) for each in objects], dtype=np.int64)
    sizes = np.array([(p.image.width, p.image.height) for p in pictures], dtype=np.float64)
    to = np.array([(p.scene.width, p.scene.height) for p in pictures], dtype=np.float64)
    boxes = scaled(_boxes([o.box for each in objects for o in each]), other_widths, sizes, to)
    ours = Side(
        _boxes([thing.box for each in things for thing in each]),
        widths,
        tokens([(thing.category,) for each in things for thing in each], known),
    )
    names = tokens([thing.names for each in objects for thing in each], known)
    return map_boxes(ours, Side(boxes, other_widths, names), how.thresholds)


def _boxes(boxes: Sequence[Box]) -> NDArray[np.float64]:
    return np.array([astuple(box) for box in boxes], dtype=np.float64).reshape(-1, 4)


def _described_graph(picture: Picture, concepts: Concepts, how: How) -> Graph:
    """The graph with the abstract and situated attributes of its objects."""
    size = (float(picture.image.width), float(picture.image.height))
    objects = picture.graph.objects
    where = _located([thing.box for thing in objects], size, how)
    return replace(
        picture.graph,
        objects=tuple(
            replace(
                thing,
                abstract=tuple(sorted(concepts.of_object(thing.synsets, thing.names).attributes)),
                situated=(*worn(thing), *places),
            )
            for thing, places in zip(objects, where, strict=True)
        ),
    )


def worn(thing: VisualObject) -> tuple[str, ...]:
    """An object's attributes in lower case; one that is called as a location is would be taken for it."""
    texts = (text.strip().lower() for text in thing.attributes)
    return tuple(dict.fromkeys(text for text in texts if text and text not in LOCATIONS))


def _located(boxes: Sequence[Box], size: Size, how: How) -> list[tuple[str, ...]]:
    found = locations(_boxes(boxes), np.array(size), how.rule)
    return [tuple(name for name, one in zip(LOCATIONS, row, strict=True) if one) for row in found]


def _described(
    picture: Picture, graph: Graph, chosen: Sequence[int], concepts: Concepts, how: How
) -> Iterator[Described]:
    """The things of a picture, with the attributes of the objects that they are."""
    scene, image = picture.scene, picture.image
    size = (scene.width, scene.height)
    if how.frame == "genome":
        size = (float(image.width), float(image.height))
    where = _located([thing.box for thing in scene.things], size, how)
    for thing, place, own in zip(scene.things, chosen, where, strict=True):
        category = concepts.of_category(thing.category)
        if place < 0:
            situated = own if how.unmapped == "location" else ()
            yield Described(thing, None, category, frozenset(situated))
            continue
        found = graph.objects[place]
        abstract = concepts.of_object(found.synsets, found.names)
        seen = found.situated if how.frame == "genome" else (*worn(found), *own)
        known = abstract if abstract.attributes else category
        yield Described(thing, found, known, frozenset(seen))


def _nodes(things: Sequence[Described], how: How) -> Iterator[VisualObject]:
    """A node for each thing that no object is; in the code, only if its category is a concept."""
    for each in things:
        thing = each.thing
        if each.object is None and not (how.concept == "name" and each.abstract.found == "none"):
            yield VisualObject(
                visual_genome.node(thing.id),
                (thing.category,),
                (),
                thing.box,
                situated=tuple(sorted(each.situated)),
                abstract=tuple(sorted(each.abstract.attributes)),
                guesswhat=True,
            )


def _mapping(
    picture: Picture, found: Mapping, rows: slice, chosen: Sequence[int]
) -> PictureMapping:
    things = {}
    for thing, row, place in zip(
        picture.scene.things, range(rows.start, rows.stop), chosen, strict=True
    ):
        iou = round(float(found.iou[row]), 4)
        if found.how[row] == UNMAPPED:
            things[thing.id] = Mapped(iou=iou)
            continue
        things[thing.id] = Mapped(
            picture.graph.objects[place].id,
            "overlap" if found.how[row] == BY_IOU else "name",
            iou,
            round(float(found.jaccard[row]), 4),
        )
    return PictureMapping(picture.scene.id, picture.graph.image, things)
