"""The settings that stand after a neural player's name."""

from __future__ import annotations

from typing import TypeVar

import msgspec
import torch

from referee.errors import UsageError
from referee.players.naming import Settings

S = TypeVar("S", bound=msgspec.Struct)


def convert(name: str, settings: Settings, kind: type[S]) -> S:
    """The settings as a struct whose fields are all that there are."""
    texts = {key: str(value) for key, value in settings.items()}
    try:
        return msgspec.convert(texts, kind, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"{name}: {error}") from None


def device(name: str) -> torch.device:
    """The device of a name; "auto" is an accelerator where there is one."""
    if name != "auto":
        try:
            return torch.device(name)
        except RuntimeError as error:
            raise UsageError(f"there is no device {name!r}: {error}") from None
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
