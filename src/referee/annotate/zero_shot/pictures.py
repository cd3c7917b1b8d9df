"""The pictures that games may be made of: those of nocaps' lists, in the order of their ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.datasets import boxes
from referee.datasets.boxes import NocapsImage
from referee.datasets.files import Skipped, refuse
from referee.errors import DataError


@dataclass(frozen=True)
class Pictures:
    """The pictures of all lists; the place in the order of ids stands for a picture in arrays."""

    images: tuple[NocapsImage, ...]
    splits: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.images)

    @property
    def sizes(self) -> NDArray[np.float64]:
        """Width and height, [P, 2]."""
        sizes = [(image.width, image.height) for image in self.images]
        return np.array(sizes, np.float64).reshape(-1, 2)


def read(lists: Mapping[str, Path], skipped: Skipped = None) -> Pictures:
    """The pictures of the lists, each once; a list is of one split."""
    found: dict[str, tuple[NocapsImage, str]] = {}
    for split, path in lists.items():
        for image in boxes.nocaps(path, skipped):
            if image.open_images in found:
                before = found[image.open_images][0].id
                again = DataError(
                    f"{image.open_images} is the picture {before} too",
                    file=path,
                    record=image.id,
                    field="open_images_id",
                    expected="a picture once, in one list",
                )
                refuse(again, skipped)
                continue
            found[image.open_images] = image, split
    ordered = sorted(found.values(), key=lambda each: (*_natural(each[0].id), each[1]))
    return Pictures(tuple(image for image, _ in ordered), tuple(split for _, split in ordered))


def _natural(name: str) -> tuple[int, str]:
    """Ids that are numbers by their size, then the others."""
    return (int(name), "") if name.isdecimal() else (1 << 64, name)
