"""Vision models by name."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from referee.errors import MissingExtra, UsageError
from referee.players.neural.features.extractor import Extractor

ICONS = "neural:icons"
"""The name of the network of icons whose weights come in the package; `icons` for short."""
_KNOWN = (
    "efficientnet-lite0",
    f"{ICONS} (or icons)",
    "hf:<model id or folder>",
    "a checkpoint folder of `referee train icons`",
)


def open_extractor(name: str, device: str = "auto") -> Extractor:
    """The vision model of a name: efficientnet-lite0, neural:icons, hf:<id or folder>, or a checkpoint."""
    kind, _, what = name.partition(":")
    if not (
        name in {"efficientnet-lite0", "icons"}
        or (kind in {"hf", "neural"} and what)
        or Path(name).is_dir()
    ):
        raise UsageError(f"there is no vision model '{name}' (there are {', '.join(_KNOWN)})")
    if find_spec("torch") is None:
        raise MissingExtra("torch", "neural")
    from referee.players.neural import folder, settings

    device = str(settings.device(device))
    if name == "efficientnet-lite0":
        from referee.players.neural.features.efficientnet import EfficientNetLite0

        return EfficientNetLite0(device)
    if kind == "hf":
        from referee.players.neural.features.hub import HubModel

        return HubModel(what, device)
    from referee.players.neural.features.icons import Icons

    name = ICONS if name == "icons" else name
    return Icons(name, folder(name), device)
