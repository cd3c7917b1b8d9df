"""Builds CompGuessWhat?!'s layer of attributes on games, and writes it in the released layout.

| file | holds |
| --- | --- |
| `<split>/<image>.npz` | for each thing of a picture its abstract and its situated attributes |
| `abstract_attribute_names.json`, `situated_attribute_names.json` | the names of the columns |
| `scene_graphs/by-id/<id>.json` | the graph with attributes and what was not mapped |
| `gw_vg_metadata.json` | by picture its things, and which object of Visual Genome each is |
| `mapping.jsonl` | how each thing was mapped |
| `report.json` | the counts, and every choice as resolved |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import msgspec

from referee.annotate.attributes import games
from referee.annotate.attributes.concepts import Concepts, Roles, read_roles
from referee.annotate.attributes.games import Split
from referee.annotate.attributes.how import How
from referee.annotate.attributes.pictures import Annotated, Picture, annotate
from referee.annotate.attributes.report import Counts, Report, attribute_counts
from referee.annotate.attributes.vectors import Vectors
from referee.annotate.attributes.wordnet import WordNet
from referee.datasets import genome_mapping, visa, visual_genome_folder, visual_genome_writing
from referee.datasets.compguesswhat import write_attributes, write_names
from referee.datasets.files import Skipped, dumps, refuse
from referee.datasets.genome_mapping import PictureMapping
from referee.datasets.visual_genome import Graph, Image
from referee.errors import DataError, UsageError

GRAPHS = "scene_graphs/by-id"
METADATA = "gw_vg_metadata.json"
MAPPING = "mapping.jsonl"
REPORT = "report.json"
_TOGETHER = 512
"""Graphs that are held and mapped at a time."""


@dataclass(frozen=True)
class Sources:
    """The files that attributes are made from; `imsitu` and `wordnet` may be left out."""

    games: Sequence[Path]
    visual_genome: Path
    visa: Path
    imsitu: Path | None = None
    wordnet: WordNet | None = None


def build(sources: Sources, how: How, out: Path, skipped: Skipped = None) -> Report:
    """Builds the attributes of the games' things into a new folder, and says what was made of them."""
    refuse_existing(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    part = Path(mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        report = _build(sources, how, part, skipped)
        part.chmod(0o755)
        part.replace(out)
    finally:
        rmtree(part, ignore_errors=True)
    return report


def refuse_existing(out: Path) -> None:
    """Nothing is written over."""
    if out.exists():
        raise UsageError(f"{out} exists; attributes need a new folder")


def _build(sources: Sources, how: How, out: Path, skipped: Skipped) -> Report:
    splits = games.read(sources.games, skipped)
    if how.over == "train" and all(split.name != "train" for split in splits):
        raise UsageError(
            "no file of games is of the split train, over which attributes are counted"
        )
    concepts = _concepts(sources, how, skipped)
    images = visual_genome_folder.pictures(sources.visual_genome, skipped)
    games.link(splits, images, sources.visual_genome)
    vectors, counts = Vectors(how), Counts()
    mappings: list[PictureMapping] = []
    metadata: dict[str, Any] = {}
    (out / GRAPHS).mkdir(parents=True)
    for found in _annotated(sources, splits, images, concepts, how, skipped):
        graph = _file_name(found.graph.image, sources.visual_genome)
        visual_genome_writing.write(out / GRAPHS / f"{graph}.json", found.graph)
        mappings.append(found.mapping)
        metadata[found.picture.scene.id] = _metadata(found)
        vectors.add(found)
        counts.add(found)
    if not counts.images:
        raise DataError(
            "has the graph of no picture of the games",
            file=sources.visual_genome,
            expected="the graphs of the pictures that image_data.json or the games link to",
        )
    _write_vectors(vectors, splits, out)
    genome_mapping.write(out / MAPPING, mappings)
    (out / METADATA).write_text(dumps(metadata), encoding="utf-8")
    report = _report(sources, how, splits, vectors, counts, skipped)
    text = msgspec.json.format(msgspec.json.encode(report), indent=2)
    (out / REPORT).write_bytes(text + b"\n")
    return report


def _concepts(sources: Sources, how: How, skipped: Skipped) -> Concepts:
    roles = Roles() if sources.imsitu is None else read_roles(sources.imsitu, skipped)
    concepts = tuple(visa.read(sources.visa, skipped))
    if not concepts:
        raise DataError(
            "names no concepts",
            file=sources.visa,
            expected="VISA's visa.jsonl: wordnet_id, concept_id and data on each line",
        )
    return Concepts(concepts, roles, sources.wordnet, how)


def _annotated(
    sources: Sources,
    splits: Sequence[Split],
    images: dict[str, Image],
    concepts: Concepts,
    how: How,
    skipped: Skipped,
) -> Iterator[Annotated]:
    wanted: dict[str, dict[str, list[Split]]] = {}
    for split in splits:
        for image, genome in split.links.items():
            if image in split.scenes:
                wanted.setdefault(genome, {}).setdefault(image, []).append(split)
    found = visual_genome_folder.graphs(sources.visual_genome, wanted, skipped)
    while together := list(islice(found, _TOGETHER)):
        pictures = [
            Picture(
                tuple(split.name for split in of),
                reduce(games.joined, (split.scenes[image] for split in of)),
                graph,
                images[graph.image],
            )
            for graph in together
            if graph.image in images or _refused(graph, sources, skipped)
            for image, of in wanted[graph.image].items()
        ]
        yield from annotate(pictures, concepts, how)


def _refused(graph: Graph, sources: Sources, skipped: Skipped) -> bool:
    error = DataError(
        "the graph's picture has no size",
        file=sources.visual_genome / visual_genome_folder.IMAGES,
        record=f"image {graph.image}",
        field="width, height",
        expected="a record of each picture that has a graph; --skip-bad leaves the picture out",
    )
    refuse(error, skipped)
    return False


def _metadata(found: Annotated) -> dict[str, Any]:
    objects = [
        {
            "id": each.thing.id,
            "category": each.thing.category,
            "category_id": each.thing.category_id,
            "bbox": msgspec.to_builtins(each.thing.box),
            "vg_object_id": None if each.object is None else each.object.id,
        }
        for each in found.things
    ]
    return {"vg_image_id": found.graph.image, "gw_objects": objects}


def _write_vectors(vectors: Vectors, splits: Sequence[Split], out: Path) -> None:
    names = vectors.names()
    write_names(out, names)
    files = {split.name: split.path for split in splits}
    for split in files:
        (out / split).mkdir()
    for split, image, attributes in vectors.arrays(names):
        write_attributes(out / split / f"{_file_name(image, files[split])}.npz", attributes)


def _file_name(picture: str, source: Path) -> str:
    """The id of a picture, unless it is a path: data must not choose where files are written."""
    if not picture or "\0" in picture or Path(picture).name != picture:
        raise DataError(
            f"{picture!r} cannot name a file",
            file=source,
            field="id of a picture",
            expected="an id without a path",
        )
    return picture


def _report(
    sources: Sources,
    how: How,
    splits: Sequence[Split],
    vectors: Vectors,
    counts: Counts,
    skipped: Skipped,
) -> Report:
    wordnet = sources.wordnet
    lacking = {split.name: counts.lacking(split) for split in splits}
    return Report(
        how,
        "none" if wordnet is None else wordnet.version,
        tuple(counts.of_split(split) for split in splits),
        counts.pictures,
        dict(counts.mapped),
        counts.objects,
        counts.mapped_objects,
        dict(sorted(counts.concepts.items())),
        {name: number for name, number in lacking.items() if number},
        attribute_counts(vectors.names(), vectors.abstract.numbers, vectors.situated.numbers),
        len(skipped or ()),
    )
