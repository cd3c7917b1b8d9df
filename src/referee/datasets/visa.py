"""VISA: the attributes that people gave to concepts, which are CompGuessWhat?!'s abstract attributes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from referee.datasets.files import Skipped, records, write_lines
from referee.datasets.formats import Count, Format
from referee.datasets.records import distinct
from referee.errors import DataError

OF_PICTURES = frozenset({"shape_size", "colour_patterns", "texture_material", "structure"})
"""The kinds of attributes that depend on the picture in which a thing is, and so are not abstract."""


class Concept(Struct, frozen=True):
    """A concept, the synset it stands for, its attributes by kind, and the classes it belongs to."""

    id: str
    synset: str
    attributes: dict[str, tuple[str, ...]]
    types: tuple[str, ...] = ()


class _Data(Struct):
    attributes: dict[str, tuple[str, ...]]
    types: tuple[str, ...] = ()


class _Record(Struct):
    wordnet_id: str
    concept_id: str
    data: _Data

    def built(self) -> Concept:
        return Concept(self.concept_id, self.wordnet_id, self.data.attributes, self.data.types)


_RECORD = msgspec.json.Decoder(_Record)


def read(path: Path, skipped: Skipped = None) -> Iterator[Concept]:
    """The concepts of visa.jsonl; several may share a synset."""
    found = records(path, _RECORD, _Record.built, skipped)
    yield from distinct(found, lambda concept: concept.id, skipped, path)


def write(path: Path, concepts: Iterable[Concept]) -> None:
    """Writes the concepts, one a line."""
    write_lines(path, map(_row, concepts))


def _row(concept: Concept) -> dict[str, Any]:
    data = {"attributes": concept.attributes, "types": concept.types}
    return {"wordnet_id": concept.synset, "concept_id": concept.id, "data": data}


def _count(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    found = list(read(path, skipped))
    kinds = {kind for concept in found for kind in concept.attributes}
    held = [each for concept in found for kind in concept.attributes.values() for each in kind]
    return {
        "concepts": len(found),
        "synsets": len({concept.synset for concept in found}),
        "kinds of attributes": len(kinds),
        "attributes": len(set(held)),
        "attributes of concepts": len(held),
    }


FORMATS: tuple[Format, ...] = (
    Format(
        "visa",
        "VISA concepts and their attributes",
        lambda _, head: (
            head.lstrip().startswith(b"{") and b'"wordnet_id"' in head and b'"concept_id"' in head
        ),
        _count,
    ),
)
