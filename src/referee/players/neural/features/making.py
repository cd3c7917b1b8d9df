"""Makes a file of features: what is wanted in, rows to disk, how far it is out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from referee.datasets import guesswhat
from referee.datasets.arrays import Array
from referee.datasets.features_writing import Growing
from referee.errors import UsageError
from referee.games import Scene
from referee.players.neural import spatial
from referee.players.neural.features import layouts, pictures
from referee.players.neural.features.crops import SCALE, Fit, Grid
from referee.players.neural.features.extracting import View, extract
from referee.players.neural.features.extractor import Extractor, Rows
from referee.players.neural.features.layouts import Layout, Making
from referee.players.neural.features.pictures import Found, Picture


@dataclass(frozen=True)
class Wanted:
    """What features are wanted of which pictures."""

    images: Path
    out: Path
    layout: Layout
    games: tuple[tuple[str, Path], ...] = ()
    """Games files, each with the split that it is."""
    boxes: Path | None = None
    grid: Grid | None = None
    split: str = "train"
    skip_broken: bool = False

    def __post_init__(self) -> None:
        if self.layout == "targets" and not self.games:
            raise UsageError("the layout targets needs --games, whose targets are cut out")
        if self.boxes is not None and self.layout in {"gdse", "array", "targets"}:
            raise UsageError(f"the layout {self.layout} has no use for --boxes")


class Told(NamedTuple):
    """How many rows are there, of how many."""

    done: int
    rows: int


def planned(wanted: Wanted) -> tuple[Making, Found]:
    """The rows of the file that is wanted, and the pictures that were found or are lacking."""
    by_split = {split: _found(wanted, scenes) for split, scenes in _scenes(wanted).items()}
    everything = Found(
        tuple(picture for found in by_split.values() for picture in found.pictures),
        tuple(lack for found in by_split.values() for lack in found.lacking),
    )
    if not wanted.skip_broken:
        everything.whole(wanted.images)
    seen = list({picture.id: picture for picture in everything.pictures}.values())
    made = _making(wanted, seen, {split: each.pictures for split, each in by_split.items()})
    if not made.rows:
        raise UsageError(f"{len(seen)} pictures are left, and there is nothing in them to extract")
    return made, everything


def make(making: Making, extractor: Extractor, fit: Fit, batch: int) -> Iterator[Told]:
    """Writes the file; what an interrupted making of the same file left is kept."""
    more = spatial.SIZE if making.layout == "vdst" else 0
    width = extractor.width + more
    tables = {name: (*shape, width) for name, shape in making.tables.items()}
    told = f"{extractor.name} {extractor.version}"
    made = making.fingerprint(told, fit, str(SCALE))
    file = Growing(making.path, tables, made, beside=making.beside, model=told)
    yield Told(file.done, file.rows)
    start = file.done
    for rows in extract(islice(making.rows, start, None), extractor, fit, batch):
        if more:
            views = making.rows[file.done : file.done + len(rows)]
            file.append(np.concatenate([rows, _places(views)], axis=1))
        else:
            file.append(rows)
        yield Told(file.done, file.rows)
    file.finish(_signed(making, told))


def _scenes(wanted: Wanted) -> dict[str, list[Scene]]:
    if wanted.games:
        found: dict[str, list[Scene]] = {}
        for split, path in wanted.games:
            found.setdefault(split, []).extend(pictures.scenes_of(path))
        return {
            split: list({scene.id: scene for scene in scenes}.values())
            for split, scenes in found.items()
        }
    if wanted.boxes is not None:
        return {wanted.split: pictures.scenes_of(wanted.boxes)}
    return {wanted.split: pictures.in_folder(wanted.images)}


def _found(wanted: Wanted, scenes: list[Scene]) -> Found:
    return pictures.find(wanted.images, scenes, thorough=wanted.skip_broken)


def _making(
    wanted: Wanted, seen: list[Picture], by_split: dict[str, tuple[Picture, ...]]
) -> Making:
    if wanted.boxes is not None and wanted.games:
        seen = layouts.with_boxes(seen, pictures.scenes_of(wanted.boxes), wanted.boxes)
    if wanted.grid is not None:
        if wanted.boxes is None:
            seen = [picture._replace(scene=Scene(picture.id)) for picture in seen]
        return layouts.of_regions(wanted.out, seen, wanted.grid, wanted.layout)
    if wanted.layout == "gdse":
        return layouts.of_splits(wanted.out, by_split)
    if wanted.layout == "targets":
        games = [game for _, path in wanted.games for game in guesswhat.games(path)]
        return layouts.of_targets(wanted.out, games, seen)
    if wanted.layout == "array":
        return layouts.of_array(wanted.out, seen)
    return (layouts.of_objects if wanted.boxes else layouts.of_pictures)(wanted.out, seen)


def _places(views: tuple[View, ...]) -> Rows:
    """Where each region is in its picture, as eight numbers."""
    rows = [
        spatial.spatial([view.cut.box], *view.picture.size)[0]
        for view in views
        if view.cut is not None
    ]
    return np.stack(rows)


def _signed(making: Making, model: str) -> dict[Path, Array | Mapping[str, Any]]:
    """The companions; an info file says which model made the rows."""
    return {
        path: {**content, "model": model}
        if isinstance(content, Mapping) and "image_id2image_pos" in content
        else content
        for path, content in making.companions.items()
    }
