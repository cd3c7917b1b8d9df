"""The boxes that can be candidates: the four conditions of appendix A.4, over tables of any length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from referee.annotate.zero_shot.kinds import Kinds
from referee.annotate.zero_shot.pictures import Pictures
from referee.annotate.zero_shot.scanning import KIND, LINE, MARKS, PICTURE, SIDES, scan
from referee.datasets.files import Skipped

if TYPE_CHECKING:
    import polars as pl


CONDITIONS = ("too small", "occluded", "truncated", "of a human body")
READ, KEPT = "read", "kept"
_DIGITS = 6


@dataclass(frozen=True)
class Boxes:
    """Boxes as columns, a row each; `picture` and `kind` are places in `Pictures` and `Kinds`."""

    picture: NDArray[np.uint32]
    place: NDArray[np.uint32]
    """Which of the boxes of its picture it is, those that were not kept counted too."""
    kind: NDArray[np.uint16]
    sides: NDArray[np.float64]
    """XMin, XMax, YMin, YMax as shares of the picture, [N, 4]."""
    table: NDArray[np.uint8]
    line: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.picture)

    def rows(self, chosen: NDArray[Any]) -> Boxes:
        """Some of the rows."""
        return Boxes(*(getattr(self, field.name)[chosen] for field in fields(self)))


@dataclass(frozen=True)
class Kept:
    """The kept boxes in the order of pictures and places, and what was seen on the way."""

    boxes: Boxes
    near: NDArray[np.bool_]
    """The pictures that have an annotated box of a COCO category."""
    left_out: Counter[str]
    """How many boxes failed each condition; a box may fail several."""


class _Reader:
    def __init__(self, pictures: Pictures, kinds: Kinds, least_area: float) -> None:
        self._sizes = pictures.sizes
        self._kinds = kinds
        self._least = least_area
        self._seen = np.zeros(len(pictures), np.uint32)
        self.near = np.zeros(len(pictures), np.bool_)
        self.left_out = Counter[str]()

    def kept(self, chunk: pl.DataFrame, table: int) -> Boxes:
        """The boxes of a chunk that pass; the places of all of them are counted."""
        picture, kind = chunk[PICTURE].to_numpy(), chunk[KIND].to_numpy()
        sides = np.stack([chunk[name].to_numpy() for name in SIDES], axis=1)
        coco = self._kinds.categories[kind] > 0
        self.near[picture[coco]] = True
        fails = (
            # Shares are rounded: 20 by 25 pixels come back as a hair more or less than 500.
            areas(sides, self._sizes[picture]).round(_DIGITS) <= self._least,
            # A mark of -1 says that nobody looked: such a box is not known to be whole.
            *(chunk[name].to_numpy() != 0 for name in MARKS),
            self._kinds.bodily[kind],
        )
        failed = {why: int(fail.sum()) for why, fail in zip(CONDITIONS, fails, strict=True)}
        self.left_out.update(failed | {READ: len(chunk)})
        found = Boxes(
            picture,
            places(picture, self._seen),
            kind.astype(np.uint16),
            sides,
            np.full(len(chunk), table, np.uint8),
            chunk[LINE].to_numpy(),
        )
        return found.rows(~np.any(fails, axis=0))


def read(
    tables: Sequence[Path],
    pictures: Pictures,
    kinds: Kinds,
    least_area: float,
    skipped: Skipped = None,
) -> Kept:
    """The kept boxes of the pictures, from all tables."""
    reader = _Reader(pictures, kinds, least_area)
    images = [image.open_images for image in pictures.images]
    found = [
        reader.kept(chunk, number)
        for number, path in enumerate(tables)
        for chunk in scan(path, images, kinds.labels, skipped)
    ]
    return Kept(_ordered(found), reader.near, reader.left_out)


def places(picture: NDArray[np.uint32], seen: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Which box of its picture each row is, where `seen` counts those before; it goes on counting.

    >>> seen = np.array([0, 5], np.uint32)
    >>> places(np.array([1, 0, 1], np.uint32), seen).tolist(), seen.tolist()
    ([5, 0, 6], [1, 7])
    """
    order = np.argsort(picture, kind="stable")
    ordered = picture[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1) != 0)
    lengths = np.diff(starts, append=len(ordered))
    within = np.arange(len(ordered)) - np.repeat(starts, lengths)
    found = np.empty(len(ordered), np.uint32)
    found[order] = within + seen[ordered]
    seen[ordered[starts]] += lengths.astype(np.uint32)
    return found


def areas(sides: NDArray[np.float64], sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The areas in pixels, in the order of operations that gives the released numbers."""
    left, right, top, bottom = sides.T
    result: NDArray[np.float64] = ((right - left) * sizes[:, 0]) * ((bottom - top) * sizes[:, 1])
    return result


def _ordered(found: Sequence[Boxes]) -> Boxes:
    if not found:
        none = np.empty(0, np.uint32)
        return Boxes(
            none, none, none.astype(np.uint16), np.empty((0, 4)), none.astype(np.uint8), none
        )
    joined = Boxes(
        *(np.concatenate([getattr(each, field.name) for each in found]) for field in fields(Boxes))
    )
    # Rows of one picture come in the order of their places, which a stable sort keeps.
    return joined.rows(np.argsort(joined.picture, kind="stable"))
