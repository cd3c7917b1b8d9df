"""The pictures themselves."""

from __future__ import annotations

from pathlib import Path

from referee.datasets.iconworld.drawing import png
from referee.datasets.iconworld.world import World


def write(world: World, folder: Path) -> dict[str, int]:
    """images/iconworld_<number>.png, of every split."""
    place = folder / "images"
    place.mkdir(parents=True, exist_ok=True)
    count = 0
    for scenes in world.splits.values():
        for drawn in scenes:
            (place / drawn.scene.file).write_bytes(png(drawn))
            count += 1
    return {"images/": count}
