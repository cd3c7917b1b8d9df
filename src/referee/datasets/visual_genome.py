"""Visual Genome: what people saw in a picture, as objects, attributes, relations, regions, questions.

Every file is one JSON document with a record for each image. The records are decoded one by one, so
that a bad one is named and the typed form of a file of several hundred megabytes is never held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sized
from pathlib import Path

import msgspec
from msgspec import Struct

from referee.datasets.files import Skipped, read_json
from referee.datasets.formats import Count, Format
from referee.datasets.records import Id, box, distinct, each, listed
from referee.errors import DataError
from referee.games.model import Box


class VisualObject(Struct, frozen=True):
    """One object of a graph; CompGuessWhat?! splits its attributes into situated and abstract ones."""

    id: str
    names: tuple[str, ...]
    synsets: tuple[str, ...]
    box: Box
    attributes: tuple[str, ...] = ()
    situated: tuple[str, ...] = ()
    abstract: tuple[str, ...] = ()
    guesswhat: bool = False


class Relationship(Struct, frozen=True):
    """`subject` does `predicate` to `object`; both are ids of objects of the same graph."""

    id: str
    subject: str
    predicate: str
    object: str
    synsets: tuple[str, ...] = ()


class Graph(Struct, frozen=True):
    """The objects of one image and the relations between them."""

    image: str
    objects: tuple[VisualObject, ...]
    relationships: tuple[Relationship, ...] = ()


class Image(Struct, frozen=True):
    """Where a picture comes from; `coco` and `flickr` are None for a picture that is not theirs."""

    id: str
    width: int
    height: int
    url: str
    coco: str | None = None
    flickr: str | None = None


class Region(Struct, frozen=True):
    """A phrase about a part of an image."""

    id: str
    image: str
    phrase: str
    box: Box


class Question(Struct, frozen=True):
    """A question about an image and its answer."""

    id: str
    image: str
    question: str
    answer: str


def node(thing: str) -> str:
    """The id in a graph of a thing of GuessWhat?!, whose own id an object may have too.

    >>> node("37105"), node("gw_37105")
    ('gw_37105', 'gw_37105')
    """
    return f"gw_{thing.removeprefix('gw_')}"


class _Object(Struct):
    object_id: Id
    x: float
    y: float
    w: float
    h: float
    name: str | None = None
    names: tuple[str, ...] = ()
    synsets: tuple[str, ...] = ()
    attributes: tuple[str, ...] | None = None
    situated_attributes: tuple[str, ...] = ()
    abstract_attributes: tuple[str, ...] = ()
    guesswhat: bool = False

    def built(self) -> VisualObject:
        return VisualObject(
            node(str(self.object_id)) if self.guesswhat else str(self.object_id),
            self.names or (() if self.name is None else (self.name,)),
            self.synsets,
            box(self.x, self.y, self.w, self.h, field="x, y, w, h"),
            self.attributes or (),
            self.situated_attributes,
            self.abstract_attributes,
            self.guesswhat,
        )


class _Relationship(Struct):
    relationship_id: Id
    predicate: str
    synsets: tuple[str, ...] = ()
    subject_id: Id | None = None
    object_id: Id | None = None
    subject: _Object | None = None
    object: _Object | None = None

    def built(self) -> Relationship:
        subject = self.subject.object_id if self.subject else self.subject_id
        target = self.object.object_id if self.object else self.object_id
        if subject is None or target is None:
            raise DataError(
                "lacks an end", field="relationships", expected="subject and object, or their ids"
            )
        return Relationship(
            str(self.relationship_id), str(subject), self.predicate, str(target), self.synsets
        )


class _Graph(Struct):
    image_id: Id
    objects: tuple[_Object, ...] = ()
    attributes: tuple[_Object, ...] = ()
    relationships: tuple[_Relationship, ...] = ()

    def built(self) -> Graph:
        ends = (end for each in self.relationships for end in (each.subject, each.object) if end)
        things = self.objects or self.attributes or {end.object_id: end for end in ends}.values()
        return Graph(
            str(self.image_id),
            tuple(thing.built() for thing in things),
            tuple(each.built() for each in self.relationships),
        )


class _Image(Struct):
    url: str
    image_id: Id
    width: int | None = None
    height: int | None = None
    coco_id: Id | None = None
    flickr_id: Id | None = None

    def built(self) -> Image:
        if not (self.width and self.height) or min(self.width, self.height) < 0:
            sides = ("?" if side is None else str(side) for side in (self.width, self.height))
            raise DataError(
                f"is {' x '.join(sides)} pixels large",
                record=f"image {self.image_id}",
                field="width, height",
                expected="the size to which the boxes of its graph are scaled;"
                " --skip-bad leaves the picture out",
            )
        coco, flickr = (None if i is None else str(i) for i in (self.coco_id, self.flickr_id))
        return Image(str(self.image_id), self.width, self.height, self.url, coco, flickr)


class _Region(Struct):
    region_id: Id
    image_id: Id
    phrase: str
    x: float
    y: float
    width: float
    height: float

    def built(self) -> Region:
        place = box(self.x, self.y, self.width, self.height, field="x, y, width, height")
        return Region(str(self.region_id), str(self.image_id), self.phrase, place)


class _Question(Struct):
    qa_id: Id
    image_id: Id
    question: str
    answer: str

    def built(self) -> Question:
        return Question(str(self.qa_id), str(self.image_id), self.question, self.answer)


class _Regions(Struct):
    id: Id
    regions: tuple[_Region, ...]

    def built(self) -> tuple[Id, tuple[Region, ...]]:
        return self.id, tuple(region.built() for region in self.regions)


class _Questions(Struct):
    id: Id
    qas: tuple[_Question, ...]

    def built(self) -> tuple[Id, tuple[Question, ...]]:
        return self.id, tuple(question.built() for question in self.qas)


_GRAPH = msgspec.json.Decoder(_Graph)
_IMAGE = msgspec.json.Decoder(_Image)
_REGIONS = msgspec.json.Decoder(_Regions)
_QUESTIONS = msgspec.json.Decoder(_Questions)


def graphs(path: Path, skipped: Skipped = None) -> Iterator[Graph]:
    """The graphs of scene_graphs.json, objects.json, attributes.json or relationships.json.

    Only scene_graphs.json has both objects and relationships; in relationships.json the objects are
    those that some relationship joins. A relationship of a published scene graph may name an object
    that the graph lacks.
    """
    records = each(path, listed(path), _GRAPH, _Graph.built, skipped)
    yield from distinct(records, lambda graph: graph.image, skipped, path)


def graph(path: Path) -> Graph:
    """The one graph of a file of CompGuessWhat?!'s folder by-id."""
    try:
        return read_json(path, _GRAPH).built()
    except DataError as error:
        raise error.located(file=path) from None


def images(path: Path, skipped: Skipped = None) -> Iterator[Image]:
    """The pictures of image_data.json."""
    records = each(path, listed(path), _IMAGE, _Image.built, skipped)
    yield from distinct(records, lambda image: image.id, skipped, path)


def regions(path: Path, skipped: Skipped = None) -> Iterator[tuple[Region, ...]]:
    """The phrases of region_descriptions.json, image by image."""
    pairs = each(path, listed(path), _REGIONS, _Regions.built, skipped)
    yield from (parts for _, parts in distinct(pairs, _image_of, skipped, path))


def questions(path: Path, skipped: Skipped = None) -> Iterator[tuple[Question, ...]]:
    """The questions of question_answers.json, image by image."""
    pairs = each(path, listed(path), _QUESTIONS, _Questions.built, skipped)
    yield from (parts for _, parts in distinct(pairs, _image_of, skipped, path))


def _image_of(pair: tuple[Id, object]) -> str:
    return f"image {pair[0]}"


def _dangling(graph: Graph) -> int:
    known = {thing.id for thing in graph.objects}
    return sum(not {each.subject, each.object} <= known for each in graph.relationships)


def _count(found: Iterable[Graph]) -> dict[str, Count]:
    counts = Counter[str]()
    for graph in found:
        counts["images"] += 1
        counts["objects"] += len(graph.objects)
        counts["attributes"] += sum(len(thing.attributes) for thing in graph.objects)
        counts["relationships"] += len(graph.relationships)
        counts["relationships that lack an object"] += _dangling(graph)
    return {name: number for name, number in counts.items() if number or name == "images"}


def _count_images(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    found = list(images(path, skipped))
    return {"images": len(found), "in COCO": sum(image.coco is not None for image in found)}


def _count_parts(name: str, parts: Iterable[Sized]) -> dict[str, Count]:
    sizes = [len(part) for part in parts]
    return {"images": len(sizes), name: sum(sizes)}


def _holds(start: bytes, *keys: bytes) -> Callable[[Path, bytes], bool]:
    quoted = [b'"%s"' % key for key in keys]
    return lambda _, head: head.lstrip().startswith(start) and all(key in head for key in quoted)


FORMATS: tuple[Format, ...] = (
    Format(
        "visual-genome-graphs",
        "Visual Genome objects, attributes, relationships or scene graphs",
        _holds(b"[", b"image_id", b"object_id", b"synsets"),
        lambda path, skipped: _count(graphs(path, skipped)),
    ),
    Format(
        "visual-genome-graph",
        "the Visual Genome graph of one image, with CompGuessWhat?!'s attributes",
        _holds(b"{", b"image_id", b"objects", b"object_id", b"synsets"),
        lambda path, _: _count([graph(path)]),
    ),
    Format(
        "visual-genome-images",
        "Visual Genome image data",
        _holds(b"[", b"image_id", b"coco_id", b"flickr_id", b"url"),
        _count_images,
    ),
    Format(
        "visual-genome-regions",
        "Visual Genome region descriptions",
        _holds(b"[", b"regions", b"region_id", b"phrase"),
        lambda path, skipped: _count_parts("regions", regions(path, skipped)),
    ),
    Format(
        "visual-genome-questions",
        "Visual Genome questions and answers",
        _holds(b"[", b"qas", b"qa_id", b"question", b"answer"),
        lambda path, skipped: _count_parts("questions", questions(path, skipped)),
    ),
)
