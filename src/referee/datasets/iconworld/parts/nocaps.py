"""Zero-shot pictures: nocaps' image lists, their Open Images boxes, and CompGuessWhat?!'s games on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from referee.datasets.files import writing
from referee.datasets.iconworld import zero_shot
from referee.datasets.iconworld.parts.coco import images, info
from referee.datasets.iconworld.scenes import Drawn
from referee.datasets.iconworld.vocabulary import vocabulary
from referee.datasets.iconworld.world import ZERO_SHOT, World
from referee.games import Thing
from referee.randomness import key

COLUMNS = (
    *("ImageID", "Source", "LabelName", "Confidence", "XMin", "XMax", "YMin", "YMax"),
    *("IsOccluded", "IsTruncated", "IsGroupOf", "IsDepiction", "IsInside"),
)
DOMAINS = {"nd": "near-domain", "od": "out-domain"}
_ROWS = "nocaps/boxes.csv"
_CLASSES = "nocaps/class-descriptions-boxable.csv"
_TARGETS = "zero-shot targets"


def write(world: World, folder: Path) -> dict[str, int]:
    """nocaps/…, and compguesswhat-zero_shot/0.2.0/compguesswhat.{nd,od}_{valid,test}.jsonl.gz."""
    if not world.plan.zero_shot_scenes:
        return {}
    counts = _tables(world, folder)
    for split in ("val", "test"):
        file = f"nocaps/nocaps_{split}_image_info.json"
        rows = [
            row | {"open_images_id": open_images(drawn), "domain": DOMAINS[name[:2]]}
            for name in ZERO_SHOT
            if name[3:].startswith(split)
            for drawn, row in zip(
                world.splits[name], images(world, world.splits[name]), strict=True
            )
        ]
        document = {"info": info(world), "licenses": [], "images": rows, "annotations": []}
        with writing(folder / file) as stream:
            stream.write(msgspec.json.encode(document))
        counts[file] = len(rows)
    return counts | _games(world, folder)


def open_images(drawn: Drawn) -> str:
    """The id that Open Images would give to the picture."""
    return f"{key('open images', drawn.scene.id):016x}"


def _labels() -> dict[str, str]:
    return {name: f"/m/icon{place:03d}" for place, name in enumerate(vocabulary().categories)}


def _tables(world: World, folder: Path) -> dict[str, int]:
    labels = _labels()
    rows = [
        row for name in ZERO_SHOT for drawn in world.splits[name] for row in _boxes(drawn, labels)
    ]
    with writing(folder / _ROWS) as stream:
        for row in (COLUMNS, *rows):
            stream.write(",".join(map(str, row)).encode() + b"\n")
    with writing(folder / _CLASSES) as stream:
        for name, label in labels.items():
            stream.write(f"{label},{name.capitalize()}\n".encode())
    return {_ROWS: len(rows), _CLASSES: len(labels)}


def _boxes(drawn: Drawn, labels: dict[str, str]) -> Iterator[tuple[object, ...]]:
    width, height = drawn.scene.width, drawn.scene.height
    for thing in drawn.scene.things:
        x, y, right, bottom = thing.box.x, thing.box.y, *_far(thing)
        shares = (x / width, right / width, y / height, bottom / height)
        yield open_images(drawn), "xclick", labels[thing.category], 1, *shares, 0, 0, 0, 1, 0


def _far(thing: Thing) -> tuple[float, float]:
    box = thing.box
    return box.x + box.width, box.y + box.height


def _games(world: World, folder: Path) -> dict[str, int]:
    counts = {}
    encoder = msgspec.json.Encoder()
    for split in ZERO_SHOT:
        name = f"compguesswhat-zero_shot/0.2.0/compguesswhat.{split}.jsonl.gz"
        scenes = world.splits[split]
        count = 0
        with writing(folder / name) as stream:
            found = zero_shot.targets(scenes, key(world.key, _TARGETS))
            for count, (drawn, target) in enumerate(found, start=1):
                stream.write(encoder.encode(_game(world, count - 1, drawn, target)) + b"\n")
        counts[name] = count
    return counts


def _game(world: World, number: int, drawn: Drawn, target: Thing) -> dict[str, Any]:
    (image,) = images(world, [drawn])
    prefix = open_images(drawn)
    identities = {thing.id: f"{prefix}_{place}" for place, thing in enumerate(drawn.scene.things)}
    return {
        "id": number,
        "object_id": identities[target.id],
        "status": "incomplete",
        "image": image | {"open_images_id": prefix},
        "objects": [
            {
                "id": identities[thing.id],
                "category": thing.category,
                "category_id": thing.category_id,
                "bbox": thing.box,
                "area": thing.box.width * thing.box.height,
                "IsOccluded": 0,
                "IsTruncated": 0,
                "segment": [],
                "attributes": thing.attributes,
            }
            for thing in zero_shot.kept(drawn.scene)
        ],
    }
