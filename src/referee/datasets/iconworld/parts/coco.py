"""COCO's instances and captions of every picture that is not kept for zero-shot games."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from referee.datasets.files import writing
from referee.datasets.iconworld.captions import captions
from referee.datasets.iconworld.human_games import polygon
from referee.datasets.iconworld.scenes import IDS_A_SCENE, Drawn
from referee.datasets.iconworld.vocabulary import vocabulary
from referee.datasets.iconworld.world import HUMAN, POOLS, World
from referee.randomness import mix

COCO_NAMES = {"valid": "val"}
"""COCO and VisDial say val where GuessWhat?! says valid."""
_CAPTIONS = 11


def write(world: World, folder: Path) -> dict[str, int]:
    """annotations/{instances,captions}_{train,val,test,pools}.json."""
    counts = {}
    for split in (*HUMAN, POOLS):
        scenes = world.splits[split]
        name = COCO_NAMES.get(split, split)
        for kind, rows in (
            ("instances", _instances(scenes)),
            ("captions", _captions(world, scenes)),
        ):
            file = f"annotations/{kind}_{name}.json"
            document = {"info": info(world), "licenses": [], "images": images(world, scenes)}
            document["annotations"] = rows
            if kind == "instances":
                document["categories"] = _categories()
            with writing(folder / file) as stream:
                stream.write(msgspec.json.encode(document))
            counts[file] = len(rows)
    return counts


def info(world: World) -> dict[str, object]:
    """The head of a document."""
    day = world.plan.date
    return {
        "description": f"Iconworld, seed {world.plan.seed}",
        "version": "1.0",
        "year": int(day[:4]),
        "date_created": day.replace("-", "/"),
    }


def images(world: World, scenes: Iterable[Drawn]) -> list[dict[str, object]]:
    """The pictures of a document."""
    return [
        {
            "id": int(drawn.scene.id),
            "file_name": drawn.scene.file,
            "width": int(drawn.scene.width),
            "height": int(drawn.scene.height),
            "coco_url": drawn.scene.url,
            "date_captured": world.plan.date,
            "license": 0,
        }
        for drawn in scenes
    ]


def captions_of(world: World, drawn: Drawn, count: int = 5) -> list[str]:
    """The captions of a picture, the same in every file; the first is the one that dialogues show."""
    number = int(drawn.scene.id)
    return captions(drawn.scene, mix(mix(world.key, number), _CAPTIONS), count)


def _instances(scenes: Iterable[Drawn]) -> list[dict[str, object]]:
    return [
        {
            "id": int(thing.id),
            "image_id": int(drawn.scene.id),
            "category_id": thing.category_id,
            "bbox": thing.box,
            "area": thing.area,
            "segmentation": [polygon(drawn, place)],
            "iscrowd": 0,
            "attributes": thing.attributes,
        }
        for drawn in scenes
        for place, thing in enumerate(drawn.scene.things)
    ]


def _captions(world: World, scenes: Iterable[Drawn]) -> list[dict[str, object]]:
    return [
        {
            "id": int(drawn.scene.id) * IDS_A_SCENE + place,
            "image_id": int(drawn.scene.id),
            "caption": text,
        }
        for drawn in scenes
        for place, text in enumerate(captions_of(world, drawn), start=1)
    ]


def _categories() -> list[dict[str, object]]:
    kinds = (kind for kind in vocabulary().categories.values() if not kind.unseen)
    return [
        {"supercategory": kind.super_category, "id": kind.id, "name": kind.name} for kind in kinds
    ]
