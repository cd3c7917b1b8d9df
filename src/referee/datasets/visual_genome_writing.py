"""Graphs of Visual Genome written one a file, as in CompGuessWhat?!'s folder by-id."""

from __future__ import annotations

from pathlib import Path

import msgspec

from referee.datasets.records import Id
from referee.datasets.visual_genome import Graph, VisualObject


def write(path: Path, found: Graph) -> None:
    """Writes the one graph of a file of CompGuessWhat?!'s folder by-id."""
    row = {
        "image_id": _number(found.image),
        "objects": [_row(thing) for thing in found.objects],
        "relationships": [
            {
                "relationship_id": _number(each.id),
                "predicate": each.predicate,
                "synsets": each.synsets,
                "subject_id": _number(each.subject),
                "object_id": _number(each.object),
            }
            for each in found.relationships
        ],
    }
    path.write_bytes(msgspec.json.encode(row))


def _row(thing: VisualObject) -> dict[str, object]:
    row: dict[str, object] = {
        "object_id": _number(thing.id),
        "x": _number(thing.box.x),
        "y": _number(thing.box.y),
        "w": _number(thing.box.width),
        "h": _number(thing.box.height),
        "names": thing.names,
        "synsets": thing.synsets,
        "attributes": thing.attributes,
        "situated_attributes": thing.situated,
        "abstract_attributes": thing.abstract,
    }
    return row | ({"guesswhat": True} if thing.guesswhat else {})


def _number(value: str | float) -> Id | float:
    """Whole numbers without a fraction; an id that is no number as it is."""
    if isinstance(value, str):
        return int(value) if value.isdecimal() and value == str(int(value)) else value
    return int(value) if value == int(value) else value
