"""What turns pictures into vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.datasets.files import reading

Pixels: TypeAlias = NDArray[np.uint8]
"""Pictures of one size, [n, height, width, 3], red, green, blue."""
Rows: TypeAlias = NDArray[np.float32]
"""Their vectors, [n, width of a vector]."""
Size: TypeAlias = tuple[int, int]
"""Width and height in pixels."""


class Extractor(ABC):
    """A vision model.

    `version` is a hash of its weights and of how they are used: equal versions give equal vectors, up
    to what the order of sums does to floats.
    """

    name: str
    """As a user named it."""

    @property
    @abstractmethod
    def version(self) -> str:
        """Sixteen hexadecimal digits."""

    @property
    @abstractmethod
    def width(self) -> int:
        """How long a vector is."""

    @property
    @abstractmethod
    def whole(self) -> Size:
        """To which size whole pictures are brought."""

    @property
    @abstractmethod
    def crop(self) -> Size:
        """To which size crops are brought."""

    @property
    @abstractmethod
    def blank(self) -> tuple[int, int, int]:
        """The colour with which a crop is padded to a square."""

    @abstractmethod
    def vectors(self, pixels: Pixels) -> Rows:
        """The vector of each picture; it does not depend on which others come with it."""


def digest(files: Iterable[Path], recipe: str) -> str:
    """What the content of a model's files, and how they are used, are known by."""
    found = sha256(recipe.encode())
    for path in files:
        with reading(path), path.open("rb") as file:
            found.update(f"\0{path.name}\0".encode())
            while block := file.read(1 << 22):
                found.update(block)
    return found.hexdigest()[:16]
