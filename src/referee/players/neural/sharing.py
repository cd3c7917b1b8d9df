"""One process or several, told by Lightning Fabric: who I am, my share of a batch, and sums over all.

Gradients are summed here, after the backward pass, and not by a wrapper around the module: a task may
call any part of its module, and an epoch may leave parts of it alone.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn

from referee.players.neural.settings import no_device

if TYPE_CHECKING:
    from lightning_fabric import Fabric

_RANKS = ("RANK", "LOCAL_RANK", "NODE_RANK", "SLURM_PROCID")


@dataclass(frozen=True)
class Machine:
    """The processes that train together; each holds the same weights."""

    fabric: Fabric

    @classmethod
    def launched(cls, device: str = "auto", devices: int | str = "auto", nodes: int = 1) -> Machine:
        """The processes, started where Fabric (or torchrun, or slurm) has to start them.

        `devices` "auto" is every accelerator there is, and one process without any.
        """
        from lightning_fabric import Fabric

        if devices == "auto" and _only_cpu(device):
            devices = 1
        try:
            fabric = Fabric(accelerator=device, devices=devices, num_nodes=nodes, strategy="auto")
        except (RuntimeError, ValueError) as error:
            raise no_device(device, error) from None
        fabric.launch()
        return cls(fabric)

    @property
    def device(self) -> torch.device:
        """The device of this process."""
        return self.fabric.device

    @property
    def first(self) -> bool:
        """Whether this process writes the files."""
        return self.fabric.is_global_zero

    @property
    def rank(self) -> int:
        """The number of this process."""
        return self.fabric.global_rank

    @property
    def processes(self) -> int:
        """How many there are."""
        return self.fabric.world_size

    def share(self, places: Sequence[int]) -> Sequence[int]:
        """This process's part of some items; it may be empty."""
        return places[self.rank :: self.processes]

    def total(self, numbers: Sequence[float]) -> list[float]:
        """The sum of each number over all processes."""
        if self.processes == 1:
            return list(numbers)
        return self._summed(torch.tensor(numbers, dtype=torch.float64)).tolist()

    def sum_gradients(self, module: nn.Module) -> None:
        """Gives every process the sum of all gradients; a parameter that has none anywhere keeps none."""
        if self.processes == 1:
            return
        parameters = list(module.parameters())
        has = torch.tensor([float(it.grad is not None) for it in parameters], device=self.device)
        wanted = self._summed(has).bool().tolist()
        used = [it for it, some in zip(parameters, wanted, strict=True) if some]
        if not used:
            return
        parts = [(torch.zeros_like(it) if it.grad is None else it.grad).flatten() for it in used]
        sums = torch.split(self._summed(torch.cat(parts)), [len(part) for part in parts])
        for parameter, part in zip(used, sums, strict=True):
            parameter.grad = part.view_as(parameter).clone()

    def wait(self) -> None:
        """Until every process is here."""
        self.fabric.barrier()

    def _summed(self, tensor: Tensor) -> Tensor:
        moved = tensor.to(self.device)
        return cast("Tensor", self.fabric.all_reduce(moved, reduce_op="sum"))


def speaks() -> bool:
    """Whether this process is the one that tells the user things; known before any is launched."""
    return all(os.environ.get(name, "0") in {"", "0"} for name in _RANKS)


def _only_cpu(device: str) -> bool:
    if device != "auto":
        return device == "cpu"
    mps = torch.backends.mps.is_available()
    return not (torch.cuda.is_available() or mps)
