"""A folder of Visual Genome's files, as they are downloaded: pictures with their sizes, and graphs.

The graphs are those of scene_graphs.json; where that is absent, of objects.json with the attributes of
attributes.json and the relationships of relationships.json.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path

from msgspec.structs import replace

from referee.datasets import visual_genome
from referee.datasets.files import Skipped, refuse
from referee.datasets.visual_genome import Graph, Image
from referee.errors import DataError

IMAGES = "image_data.json"
WHOLE = "scene_graphs.json"
OBJECTS, ATTRIBUTES, RELATIONSHIPS = "objects.json", "attributes.json", "relationships.json"


def pictures(folder: Path, skipped: Skipped = None) -> dict[str, Image]:
    """The pictures of image_data.json by id, each with a size."""
    if not (folder / IMAGES).is_file():
        raise DataError(
            f"there is no {IMAGES}",
            file=folder,
            expected=f"Visual Genome's {IMAGES}, which says how large each picture is,"
            f" and {WHOLE} or {ATTRIBUTES}",
        )
    return {image.id: image for image in visual_genome.images(folder / IMAGES, skipped)}


def graphs(folder: Path, wanted: Container[str], skipped: Skipped = None) -> Iterator[Graph]:
    """The graphs of the wanted pictures; an object without area is refused, and left out if skipped."""
    file, found = _graphs(folder, wanted, skipped)
    for graph in found:
        yield _with_areas(graph, file, skipped)


def _graphs(folder: Path, wanted: Container[str], skipped: Skipped) -> tuple[Path, Iterator[Graph]]:
    def read(name: str) -> Iterator[Graph]:
        path = folder / name
        found = visual_genome.graphs(path, skipped) if path.is_file() else ()
        return (graph for graph in found if graph.image in wanted)

    if (folder / WHOLE).is_file():
        return folder / WHOLE, read(WHOLE)
    named = OBJECTS if (folder / OBJECTS).is_file() else ATTRIBUTES
    if not (folder / named).is_file():
        raise DataError(
            "there are no graphs", file=folder, expected=f"{WHOLE}, {OBJECTS} or {ATTRIBUTES}"
        )
    joined = {graph.image: graph for graph in read(RELATIONSHIPS)}
    worn = {} if named == ATTRIBUTES else {graph.image: graph for graph in read(ATTRIBUTES)}

    def whole() -> Iterator[Graph]:
        for graph in read(named):
            relations = joined.get(graph.image, graph).relationships
            found = replace(graph, relationships=relations)
            if graph.image in worn:
                found = _wearing(found, worn[graph.image], folder / ATTRIBUTES, skipped)
            yield found

    return folder / named, whole()


def _wearing(graph: Graph, worn: Graph, file: Path, skipped: Skipped) -> Graph:
    """The graph with the attributes of another file's."""
    attributes = {thing.id: thing.attributes for thing in worn.objects}
    for unknown in attributes.keys() - {thing.id for thing in graph.objects}:
        error = DataError(
            f"has attributes of the object {unknown}, which {OBJECTS} lacks",
            file=file,
            record=f"image {graph.image}",
            field="object_id",
            expected=f"an object of {OBJECTS}; --skip-bad leaves these attributes out",
        )
        refuse(error, skipped)
    things = [replace(t, attributes=attributes.get(t.id, t.attributes)) for t in graph.objects]
    return replace(graph, objects=tuple(things))


def _with_areas(graph: Graph, file: Path, skipped: Skipped) -> Graph:
    kept = [thing for thing in graph.objects if thing.box.width > 0 and thing.box.height > 0]
    if len(kept) == len(graph.objects):
        return graph
    for thing in graph.objects:
        if thing.box.width <= 0 or thing.box.height <= 0:
            error = DataError(
                f"the object {thing.id} has no area",
                file=file,
                record=f"image {graph.image}",
                field="w, h",
                expected="a width and a height above 0; --skip-bad leaves the object out",
            )
            refuse(error, skipped)
    return replace(graph, objects=tuple(kept))
