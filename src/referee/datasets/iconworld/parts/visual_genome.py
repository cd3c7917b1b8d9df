"""Visual Genome's files about the pictures of the human games: what is where, and what is beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from referee.datasets import genome_mapping
from referee.datasets.files import writing
from referee.datasets.genome_mapping import Mapped, PictureMapping
from referee.datasets.iconworld.genome_views import Seen, View
from referee.datasets.iconworld.human_games import GENOME_IDS, genome_row
from referee.datasets.iconworld.scenes import IDS_A_SCENE, Drawn
from referee.datasets.iconworld.truth import members, sight
from referee.datasets.iconworld.vocabulary import RELATIONS
from referee.datasets.iconworld.world import HUMAN, World
from referee.games import Scene

Row: TypeAlias = dict[str, Any]
PARTS_FROM = 50
"""What is added to a thing's number for that of its part."""
_SYNSETS = {"next to": ["beside.r.01"], "above": ["above.r.01"], "below": ["below.r.01"]}


def write(world: World, folder: Path) -> dict[str, int]:
    """scene_graphs, objects, attributes, relationships and image_data, all .json, and the mapping.

    mapping.jsonl is what no published file says: which object each thing is.
    """
    documents: dict[str, list[Row]] = {
        name: []
        for name in ("scene_graphs", "objects", "attributes", "relationships", "image_data")
    }
    planted = []
    for split in HUMAN:
        for drawn in world.splits[split]:
            seen = world.view(drawn)
            for name, row in _rows(drawn, seen).items():
                documents[name].append(row)
            planted.append(_mapping(drawn.scene, seen))
    counts = {}
    for name, rows in documents.items():
        file = f"visual_genome/{name}.json"
        with writing(folder / file) as stream:
            stream.write(msgspec.json.encode(rows))
        counts[file] = len(rows)
    file = "visual_genome/mapping.jsonl"
    counts[file] = genome_mapping.write(folder / file, planted)
    return counts


def _rows(drawn: Drawn, view: View) -> dict[str, Row]:
    scene = drawn.scene
    image = {"image_id": GENOME_IDS + int(scene.id)}
    plain = [_object(scene, seen) for seen in view.seen]
    worn = [
        row | {"attributes": seen.attributes} for row, seen in zip(plain, view.seen, strict=True)
    ]
    whole = {
        seen.place: row | {"name": row["names"][0]}
        for row, seen in zip(plain, view.seen, strict=True)
        if not seen.part
    }
    joined = [row for row in _relationships(scene) if {row["subject"], row["object"]} <= set(whole)]
    return {
        "scene_graphs": image | {"objects": worn, "relationships": [_by_id(row) for row in joined]},
        "objects": image | {"objects": plain},
        "attributes": image | {"attributes": worn},
        "relationships": image
        | {
            "relationships": [
                row | {"subject": whole[row["subject"]], "object": whole[row["object"]]}
                for row in joined
            ]
        },
        "image_data": genome_row(drawn, view[:2]),
    }


def _object(scene: Scene, seen: Seen) -> Row:
    return {
        "object_id": _id(scene, seen.place, part=seen.part),
        "x": int(seen.box.x),
        "y": int(seen.box.y),
        "w": int(seen.box.width),
        "h": int(seen.box.height),
        "names": [seen.name],
        "synsets": [seen.synset],
    }


def _id(scene: Scene, place: int, *, part: bool = False) -> int:
    return GENOME_IDS * IDS_A_SCENE + int(scene.things[place].id) + part * PARTS_FROM


def _mapping(scene: Scene, view: View) -> PictureMapping:
    whole = {seen.place for seen in view.seen if not seen.part}
    things = {
        thing.id: Mapped(str(_id(scene, place)), "planted") if place in whole else Mapped()
        for place, thing in enumerate(scene.things)
    }
    return PictureMapping(scene.id, str(GENOME_IDS + int(scene.id)), things)


def _relationships(scene: Scene) -> Iterator[Row]:
    """Each thing and the things close to it, one relationship for each direction they are in."""
    view = sight(scene)
    number = 0
    for subject in range(len(scene.things)):
        for other in members(view.near(subject)):
            for relation in RELATIONS:
                if view.stands(relation, subject, other):
                    number += 1
                    yield {
                        "relationship_id": int(scene.id) * 1000 + number,
                        "predicate": relation,
                        "synsets": _SYNSETS.get(relation, []),
                        "subject": subject,
                        "object": other,
                    } | {"ids": (_id(scene, subject), _id(scene, other))}


def _by_id(row: Row) -> Row:
    kept = {name: row[name] for name in ("relationship_id", "predicate", "synsets")}
    subject, other = row["ids"]
    return kept | {"subject_id": subject, "object_id": other}
