"""Writes a world as a folder of the published file formats, with a manifest of what is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

import msgspec

from referee import __version__
from referee.datasets.iconworld.parts import (
    attributes,
    coco,
    guesswhat,
    knowledge,
    nocaps,
    pictures,
    pools,
    visdial,
    visual_genome,
)
from referee.datasets.iconworld.world import Plan, World
from referee.errors import UsageError

Write = Callable[[World, Path], dict[str, int]]

PARTS: dict[str, Write] = {
    "guesswhat": guesswhat.write,
    "compguesswhat": guesswhat.write_original,
    "coco": coco.write,
    "visual-genome": visual_genome.write,
    "knowledge": knowledge.write,
    "attributes": attributes.write,
    "zero-shot": nocaps.write,
    "visdial": visdial.write,
    "pools": pools.write,
    "pictures": pictures.write,
}
"""Everything a world's folder can hold, in the order in which it is written."""
MANIFEST = "manifest.json"


def make(
    folder: Path,
    plan: Plan,
    parts: Iterable[str] = tuple(PARTS),
    started: Callable[[str], None] = lambda _: None,
) -> World:
    """Writes the world to a new folder; the manifest comes last, so that a folder with one is whole."""
    chosen = set(parts)
    if unknown := sorted(chosen - set(PARTS)):
        raise UsageError(f"a world has no part {unknown[0]!r}: {', '.join(PARTS)}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists; a world needs a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    world = World(plan)
    records: dict[str, int] = {}
    for name, write in PARTS.items():
        if name in chosen:
            started(name)
            records |= write(world, folder)
    manifest = {
        "world": "iconworld",
        "version": __version__,
        "plan": plan,
        "parts": [name for name in PARTS if name in chosen],
        "pictures": {split: len(scenes) for split, scenes in world.splits.items()},
        "files": {name: _entry(folder / name, count) for name, count in records.items()},
    }
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
    (folder / MANIFEST).write_bytes(text + b"\n")
    return world


def _entry(path: Path, records: int) -> dict[str, int | str]:
    if path.is_dir():
        return {"records": records}
    content = path.read_bytes()
    return {"records": records, "bytes": len(content), "sha256": sha256(content).hexdigest()}
