"""What a guesser learns from besides the target: rule-based soft labels of first turns (belief.txt, 3.3).

    STL-CE    cross entropy of the target after the whole dialogue
    STL-KL    KL(one-hot of the target || belief) after the whole dialogue
    MTL-KL    STL-KL, and by `weight` KL(soft label || belief) after the first question and answer alone

The entropy of a one-hot is 0, so STL-KL's cost is STL-CE's, and so is its gradient, as long as both are
means over games. PyTorch's `KLDivLoss` by default means over every cell of games x slots instead
(`reduction="cells"` here), which makes the gradient smaller by the number of slots: Adam hardly notices,
a clipped gradient does.

The paper gives neither the weight of the second task nor its schedule: both are named here. `together`
adds both costs in every step; `alternate` gives the even epochs (from 0) to the first task and the odd
ones to the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from msgspec import Meta, Struct
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from referee.annotate.soft_labels import How, first_turns
from referee.errors import DataError
from referee.players.neural.examples import Played

Loss: TypeAlias = Literal["ce", "kl", "mtl-kl"]
Aux: TypeAlias = Literal["category", "category,spatial"]
Schedule: TypeAlias = Literal["together", "alternate"]
Reduction: TypeAlias = Literal["games", "cells"]

TYPES: dict[str, frozenset[str]] = {
    "category": frozenset({"category", "object"}),
    "category,spatial": frozenset({"category", "object", "spatial"}),
}
"""The types of first questions whose soft labels are learned; the paper's category questions are both."""


class Objective(Struct, frozen=True):
    """Which losses a guesser learns by; what the paper leaves open has a name."""

    loss: Loss = "ce"
    reduction: Reduction = "games"
    aux: Aux = "category"
    weight: Annotated[float, Meta(gt=0)] = 1.0
    schedule: Schedule = "together"

    def teaches_target(self, epoch: int) -> bool:
        """Whether an epoch teaches the target of whole dialogues."""
        return self.loss != "mtl-kl" or self.schedule == "together" or epoch % 2 == 0

    def teaches_labels(self, epoch: int) -> bool:
        """Whether an epoch teaches soft labels of first turns."""
        return self.loss == "mtl-kl" and (self.schedule == "together" or epoch % 2 == 1)


def divergence(
    found: Float[Tensor, "game object"],
    wanted: Float[Tensor, "game object"],
    mask: Bool[Tensor, "game object"],
) -> Float[Tensor, " game"]:
    """KL(wanted || found) of each game in nats; `found` are log probabilities, -inf in padding."""
    cells = functional.kl_div(found.masked_fill(~mask, 0.0), wanted, reduction="none")
    return cells.masked_fill(~mask, 0.0).sum(1)


def one_hot(
    targets: Int[Tensor, " game"], like: Float[Tensor, "game object"]
) -> Float[Tensor, "game object"]:
    """All probability on each game's target."""
    return functional.one_hot(targets, like.shape[1]).to(like.dtype)


@dataclass(frozen=True)
class SoftTargets:
    """The soft label of each game's first turn, or None where there is none to learn from."""

    labels: tuple[NDArray[np.float32] | None, ...]

    @property
    def count(self) -> int:
        """How many games have one."""
        return sum(label is not None for label in self.labels)

    def of(
        self, places: Sequence[int], width: int, device: torch.device
    ) -> Float[Tensor, "game object"]:
        """The labels of some games that have one, padded with zeros."""
        rows = np.zeros((len(places), width), np.float32)
        for row, place in zip(rows, places, strict=True):
            label = self.labels[place]
            if label is not None:
                row[: len(label)] = label
        return torch.from_numpy(rows).to(device)


def soft_targets(games: Sequence[Played], aux: Aux, how: How | None = None) -> SoftTargets:
    """The rules' labels of the first turns whose question is of a type that is learned."""
    found = first_turns((played.transcript for played in games), how)
    wanted = TYPES[aux]
    labels = []
    for place in range(len(games)):
        taught = bool(found.labelled[place]) and str(found.types[place]) in wanted
        cells = found.probabilities[found.cells(place)]
        labels.append(cells.astype(np.float32) if taught else None)
    targets = SoftTargets(tuple(labels))
    if games and not targets.count:
        raise DataError(
            f"no first question of {len(games)} games is of a type that soft labels cover",
            expected=f"first turns that ask for {' or '.join(sorted(wanted))}, answered Yes or No",
        )
    return targets
