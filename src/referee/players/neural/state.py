"""How a training run stands: its history, and the file from which it goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import torch
from msgspec import Struct
from torch import Tensor, nn

from referee.datasets.files import decode, writing
from referee.errors import DataError
from referee.players.neural.checkpoint import fill

_MODULE, _OPTIMIZER = "module.", "optimizer."


class Row(Struct, frozen=True):
    """One epoch: its loss in training, what the watched figure was, all figures, and its seconds."""

    epoch: int
    loss: float
    watched: float
    figures: dict[str, float]
    seconds: float
    eligible: bool = True
    """Whether it may be the best."""


class State(Struct, frozen=True):
    """The epochs so far, and which of them was best (-1 before the first)."""

    history: tuple[Row, ...] = ()
    best: int = -1

    def after(self, row: Row, *, highest: bool) -> State:
        """The state one epoch later; of equally good epochs the first is kept."""
        best = self.best
        if not row.eligible or best < 0:
            better = row.eligible
        else:
            past = self.history[best].watched
            better = row.watched > past if highest else row.watched < past
        return State((*self.history, row), row.epoch if better else best)

    def finished(self, epochs: int, patience: int) -> bool:
        """Whether the last epoch is done, or so many that might have been better were not."""
        worse = sum(row.eligible for row in self.history[self.best + 1 :])
        return len(self.history) >= epochs or bool(patience and worse >= patience)


class _Kept(Struct, frozen=True):
    identity: str
    state: State
    groups: list[dict[str, Any]]
    """The optimiser's settings, without its parameters."""
    scalars: dict[str, float] = {}
    """What the optimiser remembers as plain numbers."""


_KEPT = msgspec.json.Decoder(_Kept)


def write_state(
    path: Path, state: State, identity: str, module: nn.Module, optimizer: torch.optim.Optimizer
) -> None:
    """Writes weights, optimiser and history as one file, so that they cannot disagree."""
    from safetensors.torch import save

    tensors = {_MODULE + name: tensor for name, tensor in module.state_dict().items()}
    scalars: dict[str, float] = {}
    told = optimizer.state_dict()
    for number, remembered in told["state"].items():
        for name, value in remembered.items():
            if isinstance(value, Tensor):
                tensors[f"{_OPTIMIZER}{number}.{name}"] = value
            elif value is not None:
                scalars[f"{number}.{name}"] = value
    groups = [{k: v for k, v in group.items() if k != "params"} for group in told["param_groups"]]
    kept = _Kept(identity, state, groups, scalars)
    text = msgspec.json.encode(kept).decode()
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    with writing(path) as stream:
        stream.write(save(plain, {"state": text}))


def read_state(
    path: Path, identity: str, module: nn.Module, optimizer: torch.optim.Optimizer
) -> State:
    """Fills module and optimiser from a file, if it is of the same training on the same data."""
    tensors, text = _read(path)
    kept = decode(_KEPT, text.encode(), path)
    if kept.identity != identity:
        raise DataError(
            "belongs to a run with other settings or other data",
            file=path,
            expected="the command that was stopped, with --resume (only --epochs may grow, "
            "and not where the learning rate hangs on them, as LXMERT's does)",
        )
    fill(module, _under(tensors, _MODULE), path)
    told = optimizer.state_dict()
    if len(told["param_groups"]) != len(kept.groups):
        raise DataError(f"has {len(kept.groups)} groups of parameters", file=path)
    remembered: dict[int, dict[str, Any]] = {}
    for name, value in (_under(tensors, _OPTIMIZER) | kept.scalars).items():
        number, _, what = name.partition(".")
        remembered.setdefault(int(number), {})[what] = value
    told["state"] = remembered
    for group, settings in zip(told["param_groups"], kept.groups, strict=True):
        group.update({k: tuple(v) if isinstance(v, list) else v for k, v in settings.items()})
    optimizer.load_state_dict(told)
    return kept.state


def _under(tensors: dict[str, Tensor], head: str) -> dict[str, Any]:
    return {name.removeprefix(head): it for name, it in tensors.items() if name.startswith(head)}


def _read(path: Path) -> tuple[dict[str, Tensor], str]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            return tensors, (file.metadata() or {}).get("state", "")
    except (SafetensorError, OSError) as error:
        raise DataError(f"cannot be read: {error}", file=path, expected="a stopped run") from None
