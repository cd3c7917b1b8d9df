"""Vision models of the transformers library, by id or folder.

Pictures are brought to the size that the model's settings name and normalised with their mean and
deviation. The vector is what the model itself offers for a picture (`get_image_features`), else the mean
of its last layer over all tokens or places: never a pooler, whose weights many checkpoints lack.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec import Struct

from referee.datasets.files import read_json
from referee.errors import DataError, MissingExtra
from referee.players.neural.features.extractor import Extractor, Pixels, Rows, Size, digest

if TYPE_CHECKING:
    from torch import Tensor

_HALF = (0.5, 0.5, 0.5)
_CONFIG, _PREPARING = "config.json", "preprocessor_config.json"
_PATTERNS = (_CONFIG, _PREPARING, "model*.safetensors", "model.safetensors.index.json")
_POOLERS = ("pooler", "classifier", "head.")


class _Preparing(Struct):
    """The preprocessor's settings that concern us."""

    size: int | dict[str, int] | None = None
    crop_size: int | dict[str, int] | None = None
    image_mean: tuple[float, float, float] = _HALF
    image_std: tuple[float, float, float] = _HALF
    do_normalize: bool = True


_SETTINGS = msgspec.json.Decoder(_Preparing)


class HubModel(Extractor):
    """A vision model, or the vision half of a model such as CLIP."""

    def __init__(self, what: str, device: str = "cpu") -> None:
        if find_spec("transformers") is None:
            raise MissingExtra("transformers", "neural")
        self.name = f"hf:{what}"
        self.device = device
        self._folder = _local(what)
        path = self._folder / _PREPARING
        self._preparing = read_json(path, _SETTINGS) if path.is_file() else _Preparing()

    @cached_property
    def version(self) -> str:
        """The hash of the model's files."""
        kinds = {".json", ".safetensors"}
        files = sorted(path for path in self._folder.iterdir() if path.suffix in kinds)
        return digest(files, "image features, or mean of the last layer")

    @cached_property
    def whole(self) -> Size:
        """The size in the preprocessor's settings, else in the model's own, else 224 x 224."""
        said = self._preparing.crop_size or self._preparing.size
        if said is None:
            config = self._model.config
            said = getattr(getattr(config, "vision_config", config), "image_size", 224)
        return _size(said, self._folder / _PREPARING)

    @property
    def crop(self) -> Size:
        """As for whole pictures."""
        return self.whole

    @property
    def blank(self) -> tuple[int, int, int]:
        """The mean colour."""
        red, green, blue = (round(255 * mean) for mean in self._preparing.image_mean)
        return red, green, blue

    @cached_property
    def width(self) -> int:
        """How long a vector is: found by trying one."""
        across, down = self.whole
        return int(self.vectors(np.zeros((1, down, across, 3), np.uint8)).shape[1])

    @cached_property
    def _model(self) -> Any:
        return _load(self._folder).to(self.device)

    def vectors(self, pixels: Pixels) -> Rows:
        """The picture's own features, or the mean of the last layer."""
        import torch

        scaled = pixels.astype(np.float32) / 255
        if self._preparing.do_normalize:
            scaled -= np.array(self._preparing.image_mean, np.float32)
            scaled /= np.array(self._preparing.image_std, np.float32)
        entering = torch.from_numpy(scaled).permute(0, 3, 1, 2).contiguous().to(self.device)
        with torch.inference_mode():
            rows: Rows = self._pooled(entering).float().cpu().numpy()
        return rows

    def _pooled(self, entering: Tensor) -> Tensor:
        own = getattr(self._model, "get_image_features", None)
        if own is not None:
            found = own(pixel_values=entering)
            pooled: Tensor = getattr(found, "pooler_output", found)
            return pooled
        last: Tensor = self._model(pixel_values=entering).last_hidden_state
        return last.mean(dim=1) if last.ndim == 3 else last.flatten(2).mean(dim=2)  # noqa: PLR2004 tokens


def _size(said: Any, path: Path) -> Size:
    if isinstance(said, int):
        return said, said
    if isinstance(said, Mapping):
        side = said.get("shortest_edge")
        across, down = said.get("width", side), said.get("height", side)
        if isinstance(across, int) and isinstance(down, int):
            return across, down
    elif isinstance(said, (list, tuple)) and len(said) == 2:  # noqa: PLR2004 height and width
        return int(said[1]), int(said[0])
    raise DataError(f"{said} is no size", file=path, field="size", expected="height and width")


def _load(folder: Path) -> Any:
    """The model of a folder; weights that are made up at random are an error."""
    import transformers

    says: Any = transformers.utils.logging
    loud, bar = says.get_verbosity(), says.is_progress_bar_enabled()
    says.set_verbosity_error()
    says.disable_progress_bar()
    try:
        model, told = transformers.AutoModel.from_pretrained(
            folder, local_files_only=True, output_loading_info=True
        )
    except Exception as error:
        # safetensors and torch have errors of their own for a damaged file, with no common root
        raise DataError(
            f"cannot be loaded: {_line(error)}", file=folder, expected="a vision model"
        ) from error
    finally:
        says.set_verbosity(loud)
        if bar:
            says.enable_progress_bar()
    lacking = [key for key in told["missing_keys"] if not any(word in key for word in _POOLERS)]
    if lacking:
        raise DataError(
            f"lacks {len(lacking)} of the model's weights, first {min(lacking)}",
            file=folder,
            expected="a whole checkpoint",
        )
    return model.float().eval()


def _local(what: str) -> Path:
    """The folder of a model: itself, or where the hub's cache keeps the model of that id."""
    folder = Path(what)
    if folder.is_dir():
        return folder
    if folder.is_absolute() or what.startswith((".", "~")):
        raise DataError("there is no such folder", file=folder, expected="a folder with a model")
    from huggingface_hub import snapshot_download

    try:
        # the hub's own settings say whether it may use the network
        return Path(snapshot_download(what, allow_patterns=[*_PATTERNS]))
    except Exception as error:
        # no network, no such model, no name of a model: errors of three packages
        raise DataError(
            f"is neither a folder nor a model that can be had: {_line(error)}", file=what
        ) from error


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
