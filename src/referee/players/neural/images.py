"""Image features as the neural players take them; what is missing is said with the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from referee.annotate.cca.words import Images
from referee.datasets.features import extraction
from referee.errors import DataError, UsageError
from referee.players.neural.examples import Played


class ImageFeatures:
    """One vector for each image, or each object (`what`), of files separated by commas."""

    def __init__(self, files: str, what: Literal["images", "objects"] = "images") -> None:
        self.files = files
        self._what = what
        self._images = Images(files)

    @property
    def size(self) -> int:
        """The length of a vector."""
        return self._images.dimension

    def of(self, ids: Sequence[str], games: Sequence[str]) -> Float[Tensor, "row feature"]:
        """The vectors of some ids; the games are named when one is missing."""
        try:
            return torch.from_numpy(self._images.of(list(ids)))
        except DataError as error:
            place = next((n for n, each in enumerate(ids) if each == error.record), None)
            if place is None:
                raise
            what = f"the game {games[place]} needs features of {ids[place]}, and there are none"
            made = extraction(self._what)
            raise DataError(what, file=error.file, record=ids[place], expected=made) from None


_LOOKED_AT = 1000


def unit_scale(images: ImageFeatures, games: Sequence[Played]) -> float:
    """What the vectors of these games' images must be multiplied by to be one long on average.

    Models of vision disagree about lengths by a factor of a hundred, and beside a tiny dialogue state a
    long vector is all that the state holds. Of many games the first are looked at.
    """
    ids = {played.game.scene.id: played.game.id for played in games[:_LOOKED_AT]}
    length = float(images.of(list(ids), list(ids.values())).norm(dim=1).mean())
    return 1 / length if length > 0 else 1.0


def features(files: str | None, size: int, model: str, option: str) -> ImageFeatures | None:
    """The features that a model reads; what is lacking, or of another length, is refused."""
    if not size:
        return None
    what: Literal["images", "objects"] = "objects" if option == "crops" else "images"
    if not files:
        made = extraction(what)
        raise UsageError(f"{model} reads image features of {size} numbers: give {option}=F, {made}")
    found = ImageFeatures(files, what)
    if found.size != size:
        raise DataError(
            f"has vectors of {found.size} numbers",
            file=files,
            expected=f"{size}, as {model} was trained on",
        )
    return found
