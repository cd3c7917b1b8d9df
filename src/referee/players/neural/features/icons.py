"""The small network that sees Iconworld, as a model of image features."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import torch

from referee.players.neural import checkpoint
from referee.players.neural.features.extractor import Extractor, Pixels, Rows, Size, digest
from referee.players.neural.icon_cnn import BLANK, KIND, IconCNN, IconConfig, entering


class Icons(Extractor):
    """A checkpoint of `referee train icons`."""

    def __init__(self, name: str, folder: Path, device: str = "cpu") -> None:
        self.name = name
        self.device = device
        found = checkpoint.load(folder).require(KIND)
        self._file = found.folder / checkpoint.WEIGHTS
        self.config = found.config(IconConfig)
        self.model = found.fill(IconCNN(self.config)).eval().to(device)

    @cached_property
    def version(self) -> str:
        """The hash of the weights."""
        return digest([self._file], f"largest over all places, {self.whole}, {self.crop}")

    @property
    def width(self) -> int:
        """How long a vector is."""
        return self.config.vector

    @property
    def whole(self) -> Size:
        """Half of a scene's width and height."""
        return self.config.whole

    @property
    def crop(self) -> Size:
        """The square to which crops are brought."""
        return self.config.crop, self.config.crop

    @property
    def blank(self) -> tuple[int, int, int]:
        """A light grey, as the papers that scenes are drawn on."""
        return BLANK

    @torch.inference_mode()
    def vectors(self, pixels: Pixels) -> Rows:
        """What is seen anywhere in each picture."""
        seen = self.model.vectors(entering(torch.tensor(pixels).to(self.device)))
        rows: Rows = seen.cpu().numpy()
        return rows
