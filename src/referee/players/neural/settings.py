"""The settings that stand after a neural player's name."""

from __future__ import annotations

from typing import TypeVar

import msgspec
import torch

from referee.errors import UsageError
from referee.players.naming import Settings, configured

S = TypeVar("S", bound=msgspec.Struct)


def convert(name: str, settings: Settings, kind: type[S]) -> S:
    """The settings as a struct whose fields are all that there are."""
    return configured(name, kind, {key: str(value) for key, value in settings.items()})


def device(name: str) -> torch.device:
    """The device of a name, which must be on this machine; "auto" is an accelerator where there is one."""
    if name != "auto":
        try:
            # There and back: "meta" takes tensors and holds no numbers.
            torch.zeros(1, device=name).cpu()
            return torch.device(name)
        # What torch lacks it says by any of these, an assertion for CUDA.
        except (RuntimeError, AssertionError, NotImplementedError) as error:
            raise no_device(name, error) from None
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def no_device(name: str, why: Exception) -> UsageError:
    """That a device is not here, with the first sentence of the reason."""
    reason = str(why).partition("\n")[0].partition(". ")[0].rstrip(".")
    return UsageError(f"there is no device {name!r} here: {reason} (auto takes what there is)")
