"""Regions of images as LXMERT takes them: what each shows, and its corners as shares of the picture.

The files are bottom-up attention's, or those that `referee features extract --layout regions` writes:
F.npy [n, regions, numbers], F_boxes.npy and F.json (facts 1.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from referee.datasets.features import extraction, open_regions
from referee.datasets.features_writing import region_paths
from referee.errors import DataError, UsageError


class CornerRegions:
    """The regions of each image, of one file with its boxes."""

    def __init__(self, file: str) -> None:
        self.file = file
        boxes, info = region_paths(Path(file))
        if not boxes.exists():
            raise DataError(
                "has no boxes beside it", file=file, expected=f"{boxes.name} and {info.name}"
            )
        self._regions = open_regions(Path(file), boxes, info)

    @property
    def size(self) -> int:
        """The length of what a region shows."""
        return int(self._regions.features.shape[1])

    def of(self, ids: Sequence[str], games: Sequence[str]) -> Float[Tensor, "row region feature"]:
        """The regions of some images; the games are named when one is missing."""
        for image, game in zip(ids, games, strict=True):
            if image not in self._regions.features:
                what = f"the game {game} needs the regions of {image}, and there are none"
                raise DataError(what, file=self.file, record=image)
        found = self._regions.of(ids)
        sizes = np.concatenate([found.sizes, found.sizes], axis=1)[:, None].astype(np.float32)
        rows = np.concatenate([found.features, found.boxes / sizes], axis=2, dtype=np.float32)
        return torch.from_numpy(rows)


def corner_regions(file: str, size: int, model: str) -> CornerRegions:
    """The regions that a model reads; other ones, and none, are refused."""
    if not file:
        made = extraction("regions")
        raise UsageError(f"{model} sees regions of {size} numbers: give features=F, {made}")
    found = CornerRegions(file)
    if found.size != size:
        raise DataError(
            f"has regions of {found.size} numbers",
            file=file,
            expected=f"{size}, as {model} was trained on",
        )
    return found
