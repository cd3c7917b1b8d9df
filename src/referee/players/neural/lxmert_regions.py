"""Regions of images as LXMERT takes them: what each shows, and its corners as shares of the picture.

The files are bottom-up attention's, or those of `referee features extract --grid`: F.npy [n, regions,
numbers], F_boxes.npy and F.json (facts 1.3).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.datasets.features import RegionBatch, extraction, open_regions
from referee.datasets.features_writing import region_paths
from referee.errors import DataError, UsageError
from referee.players.neural.vdst_regions import Placed, RegionFeatures

CORNERS = 4


class CornerRegions(RegionFeatures):
    """The regions of each image, of files separated by commas, each with its boxes."""

    @property
    def shown(self) -> int:
        """The length of what a region shows, its corners left out."""
        return self.size - CORNERS

    @staticmethod
    def opened(path: Path) -> Placed:
        """The regions of one file."""
        boxes, info = region_paths(path)
        if not boxes.exists():
            raise DataError(
                "has no boxes beside it", file=path, expected=f"{boxes.name} and {info.name}"
            )
        return Placed(open_regions(path, boxes, info), CORNERS, _corners)


def corner_regions(files: str, size: int, model: str) -> CornerRegions:
    """The regions that a model reads; other ones, and none, are refused."""
    if not files:
        made = extraction("regions")
        raise UsageError(f"{model} sees regions of {size} numbers: give features=F, {made}")
    found = CornerRegions(files)
    if found.shown != size:
        raise DataError(
            f"has regions of {found.shown} numbers",
            file=files,
            expected=f"{size}, as {model} was trained on",
        )
    return found


def _corners(batch: RegionBatch) -> NDArray[np.float32]:
    """Left, top, right and bottom of each region over the picture's width and height."""
    sizes = np.concatenate([batch.sizes, batch.sizes], axis=1)[:, None]
    corners: NDArray[np.float32] = (batch.boxes / sizes).astype(np.float32)
    return corners
