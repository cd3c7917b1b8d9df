"""The published layouts: which rows a file of features has, and what stands beside them.

| layout | file | a row is |
| --- | --- | --- |
| `devries` | h5 `features`, `idx2img` | a picture, or with boxes an object, by its number |
| `gdse` | h5 `{split}_img_features`, `…2id.json` | a picture, by split and file name |
| `array` | npy and json | a picture, by id |
| `targets` | h5 `objects_features`, `…2id.json` | the target of a game, by game |
| `regions` | npy [N, R, D], `…_boxes.npy`, json | a region of a picture (LXMERT's files) |
| `vdst` | npy [N, R, D + 8] and json | a region and where it is (VDST's input) |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from referee.datasets import features_writing as writing
from referee.datasets.arrays import Array
from referee.datasets.features import GDSE_SPLITS
from referee.errors import DataError, UsageError
from referee.games import Box, GuessWhat
from referee.players.neural.features.crops import Cut, Grid, regions
from referee.players.neural.features.extracting import View
from referee.players.neural.features.pictures import Picture, numbers

Layout: TypeAlias = Literal["devries", "gdse", "array", "targets", "regions", "vdst"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


@dataclass(frozen=True)
class Making:
    """A file to be made: the view of each row in order, and what the file needs besides."""

    path: Path
    layout: Layout
    rows: tuple[View, ...]
    tables: Mapping[str, tuple[int, ...]]
    """The shape of each table but for the length of a row."""
    beside: Mapping[str, Array] = field(default_factory=dict)
    companions: Mapping[Path, Array | Mapping[str, Any]] = field(default_factory=dict)

    def fingerprint(self, *told: str) -> str:
        """A hash of the rows, the pictures' sizes on disk, and of what else is told."""
        found = sha256("\0".join((self.layout, *told)).encode())
        for (path, size), cuts in _by_picture(self.rows):
            found.update(f"\0{path.name}\0{size}\0{cuts}".encode())
        return found.hexdigest()[:32]


def chosen(layout: str | None, out: Path, *, boxes: bool, grid: bool) -> Layout:
    """The layout that was asked for, or the one that goes with the other options."""
    inferred: Layout = "devries"
    if grid:
        inferred = "regions"
    elif out.suffix == ".npy" and not boxes:
        inferred = "array"
    found = next((known for known in LAYOUTS if known == (layout or inferred)), None)
    if found is None:
        raise UsageError(f"there is no layout '{layout}' (there are {', '.join(LAYOUTS)})")
    array = found in {"array", "regions", "vdst"}
    if array != (out.suffix == ".npy"):
        raise UsageError(
            f"the layout {found} is {'an .npy' if array else 'an .h5'} file, not {out}"
        )
    if (found in {"regions", "vdst"}) != grid:
        raise UsageError(f"the layout {found} {'lacks' if not grid else 'has no'} --grid")
    return found


def of_pictures(path: Path, pictures: Sequence[Picture]) -> Making:
    """De Vries' layout, a row a picture."""
    ids = numbers([picture.id for picture in pictures], path)
    rows = tuple(View(picture, None) for picture in pictures)
    return Making(path, "devries", rows, {"features": (len(rows),)}, {"idx2img": _int32(ids)})


def of_objects(path: Path, pictures: Sequence[Picture]) -> Making:
    """De Vries' layout of crops, a row an object."""
    found: dict[str, View] = {}
    for picture in pictures:
        _measured(picture)
        for thing in picture.scene.things:
            found.setdefault(thing.id, View(picture, Cut(thing.box)))
    ids = numbers(list(found), path)
    rows = tuple(found.values())
    return Making(path, "devries", rows, {"features": (len(rows),)}, {"idx2img": _int32(ids)})


def of_splits(path: Path, splits: Mapping[str, Sequence[Picture]]) -> Making:
    """GDSE's layout: a table a split, a row a picture."""
    unknown = sorted(set(splits) - set(GDSE_SPLITS))
    if unknown:
        raise UsageError(f"GDSE has no split {', '.join(unknown)}: {', '.join(GDSE_SPLITS)}")
    named: dict[str, list[Picture]] = {}
    for split, pictures in splits.items():
        if pictures:
            named.setdefault(GDSE_SPLITS[split], []).extend(pictures)
    rows = tuple(View(picture, None) for pictures in named.values() for picture in pictures)
    index = {
        f"{split}2id": writing.places([picture.file for picture in pictures])
        for split, pictures in named.items()
    }
    tables = {f"{split}_img_features": (len(pictures),) for split, pictures in named.items()}
    return Making(path, "gdse", rows, tables, companions={writing.index_path(path): index})


def of_array(path: Path, pictures: Sequence[Picture]) -> Making:
    """One array, a row a picture."""
    rows = tuple(View(picture, None) for picture in pictures)
    return Making(path, "array", rows, {"features": (len(rows),)}, companions=_info(path, pictures))


def of_targets(path: Path, games: Sequence[GuessWhat], pictures: Sequence[Picture]) -> Making:
    """The target of each game whose picture is there, by game."""
    by_scene = {picture.id: picture for picture in pictures}
    kept = {game.id: game for game in games if game.scene.id in by_scene}
    for game in kept.values():
        _measured(by_scene[game.scene.id])
    rows = tuple(
        View(by_scene[game.scene.id], Cut(game.scene.things[game.target_index].box))
        for game in kept.values()
    )
    index = {writing.index_path(path): writing.places(list(kept))}
    return Making(path, "targets", rows, {"objects_features": (len(rows),)}, companions=index)


def of_regions(path: Path, pictures: Sequence[Picture], grid: Grid, layout: Layout) -> Making:
    """As many regions of each picture as the grid has cells: its things first, if any, then cells."""
    for picture in pictures:
        _measured(picture)
    rows = tuple(
        View(picture, cut)
        for picture in pictures
        for cut in regions([thing.box for thing in picture.scene.things], grid, picture.size)
    )
    companions: dict[Path, Array | Mapping[str, Any]] = dict(_info(path, pictures))
    if layout == "regions":
        corners = [_corners(view.cut.box) for view in rows if view.cut is not None]
        boxes = np.array(corners, np.float32).reshape(len(pictures), grid.cells, 4)
        companions[writing.region_paths(path)[0]] = boxes
    shape = {"features": (len(pictures), grid.cells)}
    return Making(path, layout, rows, shape, companions=companions)


def with_boxes(pictures: Sequence[Picture], boxes: Sequence[Any], file: Path) -> list[Picture]:
    """The pictures with the things that another file has in them."""
    known = {scene.id: scene for scene in boxes}
    for picture in pictures:
        if picture.id not in known:
            raise DataError(
                f"has no boxes for the picture {picture.file}", file=file, record=picture.id
            )
    return [picture._replace(scene=known[picture.id]) for picture in pictures]


def _measured(picture: Picture) -> None:
    """Refuses to cut things out of a picture that is not of the size in which their boxes are measured."""
    width, height = picture.scene.width, picture.scene.height
    if picture.scene.things and width and height and (width, height) != picture.size:
        raise DataError(
            f"is {picture.size[0]} x {picture.size[1]} pixels",
            file=picture.path,
            record=picture.id,
            expected=f"{width:g} x {height:g}, in which its boxes are measured",
        )


def _info(path: Path, pictures: Sequence[Picture]) -> Mapping[Path, Mapping[str, Any]]:
    ids, sizes = [each.id for each in pictures], [each.size for each in pictures]
    return {writing.info_path(path): writing.info(ids, sizes)}


def _corners(box: Box) -> tuple[float, float, float, float]:
    return box.x, box.y, box.x + box.width, box.y + box.height


def _int32(ids: Sequence[int]) -> Array:
    return np.array(ids, np.int32)


def _by_picture(rows: Sequence[View]) -> Iterator[tuple[tuple[Path, int], str]]:
    """Each picture's file and its size on disk, with the text of its cuts, in order."""
    sizes: dict[Path, int] = {}
    for view in rows:
        path = view.picture.path
        if path not in sizes:
            sizes[path] = path.stat().st_size
        yield (path, sizes[path]), "" if view.cut is None else repr(view.cut)
