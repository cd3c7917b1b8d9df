"""Regions of images as VDST takes them: what each shows, and eight numbers of where it is (facts 1.3).

| file | a region is |
| --- | --- |
| h5: `features` [n, 36, 2056], `idx2img` | as it is: VDST's own files |
| npy [n, R, D] and the json of the same name | as it is |
| the same, with `<name>_boxes.npy` beside it | what it shows; the eight numbers follow from its box |

The third are LXMERT's files, whose boxes are corners in pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor

from referee.datasets.arrays import Array
from referee.datasets.features import (
    SIGNATURE,
    Features,
    RegionBatch,
    Regions,
    extraction,
    open_array,
    open_devries,
    open_regions,
)
from referee.datasets.features_writing import region_paths
from referee.datasets.files import reading
from referee.errors import DataError, UsageError
from referee.games import Box
from referee.players.neural.spatial import SIZE, spatial


@dataclass(frozen=True)
class Placed:
    """Regions whose boxes stand in a file of their own: what each shows, then numbers of where it is."""

    regions: Regions
    numbers: int
    places: Callable[[RegionBatch], NDArray[np.float32]]

    @property
    def shape(self) -> tuple[int, ...]:
        """The regions of an image, and the length of one."""
        count, width = self.regions.features.shape
        return count, width + self.numbers

    def __contains__(self, identity: str) -> bool:
        return identity in self.regions.features

    def of(self, ids: Sequence[str]) -> Array:
        """The regions of some images."""
        found = self.regions.of(ids)
        return np.concatenate([found.features, self.places(found)], axis=2, dtype=np.float32)


class RegionFeatures:
    """The regions of each image, of files separated by commas."""

    def __init__(self, files: str) -> None:
        self.files = files
        self._files = [self.opened(Path(file)) for file in files.split(",")]
        shapes = {tuple(file.shape) for file in self._files}
        if len(shapes) > 1 or len(next(iter(shapes))) != 2:  # noqa: PLR2004 (regions, numbers)
            raise UsageError(
                f"{files}: an image has the shape {', '.join(map(str, sorted(shapes)))}; "
                "regions x numbers are looked at, equally many in every file"
            )

    @staticmethod
    def opened(path: Path) -> Features | Placed:
        """The regions of one file."""
        with reading(path), path.open("rb") as stream:
            hdf = stream.read(len(SIGNATURE)) == SIGNATURE
        if hdf:
            return open_devries(path)
        boxes, info = region_paths(path)
        if boxes.exists():
            return Placed(open_regions(path, boxes, info), SIZE, _places)
        return open_array(path, info)

    @property
    def regions(self) -> int:
        """How many regions an image has."""
        return int(self._files[0].shape[0])

    @property
    def size(self) -> int:
        """The length of a region, the numbers of where it is among them."""
        return int(self._files[0].shape[1])

    def of(self, ids: Sequence[str], games: Sequence[str]) -> Float[Tensor, "row region feature"]:
        """The regions of some images; the games are named when one is missing."""
        found = np.zeros((len(ids), self.regions, self.size), np.float32)
        holders = [self._holder(image, game) for image, game in zip(ids, games, strict=True)]
        for number, rows in enumerate(self._files):
            places = [place for place, holder in enumerate(holders) if holder == number]
            if places:
                found[places] = rows.of([ids[place] for place in places])
        return torch.from_numpy(found)

    def _holder(self, image: str, game: str) -> int:
        for number, rows in enumerate(self._files):
            if image in rows:
                return number
        what = f"the game {game} needs the regions of {image}, and there are none"
        raise DataError(what, file=self.files, record=image, expected=extraction("regions"))


def regions(files: str, count: int, size: int, model: str, option: str) -> RegionFeatures:
    """The regions that a model reads; other ones, and none, are refused."""
    if not files:
        raise UsageError(
            f"{model} sees {count} regions of {size} numbers: give {option}=F,"
            f" {extraction('regions')}"
        )
    return fitting(RegionFeatures(files), count, size, model)


def fitting(found: RegionFeatures, count: int, size: int, model: str) -> RegionFeatures:
    """The same, if they are as many and as long as a model was trained on."""
    if (found.regions, found.size) != (count, size):
        raise DataError(
            f"has {found.regions} regions of {found.size} numbers",
            file=found.files,
            expected=f"{count} of {size}, as {model} was trained on",
        )
    return found


def _places(batch: RegionBatch) -> NDArray[np.float32]:
    """The eight numbers of each region of some images."""
    rows = [
        spatial([Box(x, y, right - x, lower - y) for x, y, right, lower in boxes], *size)
        for boxes, size in zip(batch.boxes.tolist(), batch.sizes.tolist(), strict=True)
    ]
    return np.stack(rows) if rows else np.zeros((*batch.boxes.shape[:2], SIZE), np.float32)
