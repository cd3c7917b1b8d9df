"""Visual Genome's files about the pictures of the human games: what is where, and what is beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from referee.datasets.files import writing
from referee.datasets.iconworld.concepts import synset
from referee.datasets.iconworld.human_games import GENOME_IDS
from referee.datasets.iconworld.scenes import IDS_A_SCENE
from referee.datasets.iconworld.truth import members, sight
from referee.datasets.iconworld.vocabulary import RELATIONS
from referee.datasets.iconworld.world import HUMAN, World
from referee.games import Scene

Row: TypeAlias = dict[str, Any]
_SYNSETS = {"next to": ["beside.r.01"], "above": ["above.r.01"], "below": ["below.r.01"]}


def write(world: World, folder: Path) -> dict[str, int]:
    """scene_graphs, objects, attributes, relationships and image_data, all .json."""
    documents: dict[str, list[Row]] = {
        name: []
        for name in ("scene_graphs", "objects", "attributes", "relationships", "image_data")
    }
    for split in HUMAN:
        for drawn in world.splits[split]:
            for name, row in _rows(drawn.scene).items():
                documents[name].append(row)
    counts = {}
    for name, rows in documents.items():
        file = f"visual_genome/{name}.json"
        with writing(folder / file) as stream:
            stream.write(msgspec.json.encode(rows))
        counts[file] = len(rows)
    return counts


def _rows(scene: Scene) -> dict[str, Row]:
    number = int(scene.id)
    image = {"image_id": GENOME_IDS + number}
    plain = [_object(scene, place) for place in range(len(scene.things))]
    worn = [
        row | {"attributes": thing.attributes}
        for row, thing in zip(plain, scene.things, strict=True)
    ]
    joined = list(_relationships(scene))
    ends = [row | {"name": row["names"][0]} for row in plain]
    return {
        "scene_graphs": image | {"objects": worn, "relationships": [_by_id(row) for row in joined]},
        "objects": image | {"objects": plain},
        "attributes": image | {"attributes": worn},
        "relationships": image
        | {
            "relationships": [
                row | {"subject": ends[row["subject"]], "object": ends[row["object"]]}
                for row in joined
            ]
        },
        "image_data": {
            "width": int(scene.width),
            "height": int(scene.height),
            "url": scene.url,
            **image,
            "coco_id": number,
            "flickr_id": None,
        },
    }


def _object(scene: Scene, place: int) -> Row:
    thing = scene.things[place]
    return {
        "object_id": _id(scene, place),
        "x": int(thing.box.x),
        "y": int(thing.box.y),
        "w": int(thing.box.width),
        "h": int(thing.box.height),
        "names": [thing.category],
        "synsets": [synset(thing.category)],
    }


def _id(scene: Scene, place: int) -> int:
    return GENOME_IDS * IDS_A_SCENE + int(scene.things[place].id)


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
