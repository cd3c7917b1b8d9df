"""Trains the network that sees Iconworld, and says honestly what it sees.

It is examined on scenes of which it has learned nothing. The unseen kinds have no output of their own, so
that of them only the colour can be named: whether their vectors tell them apart is asked by giving each
crop the name of the nearest other one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from referee.datasets.iconworld.vocabulary import vocabulary
from referee.players.neural import checkpoint
from referee.players.neural.checkpoint import Description
from referee.players.neural.icon_cnn import KIND, IconCNN, IconConfig, entering
from referee.players.neural.icon_scenes import Icons
from referee.players.neural.training import Cost, Plan, Task

PLAN = Plan(epochs=7, batch=64, rate=2e-3, decay=0.75)
_BATCH = 256


class Figures(Struct, frozen=True):
    """What the network was right about, as shares; a scene's are mean average precisions."""

    category: float
    colour: float
    scene_category: float
    scene_colour: float
    unseen_colour: float
    unseen_nearest: float
    """How many crops of unseen kinds have a crop of the same kind as their nearest."""
    unseen_chance: float
    """How many would, if the nearest were any other."""
    crops: int
    unseen_crops: int


def config() -> IconConfig:
    """The network for everything that Iconworld can draw in training pictures."""
    known = vocabulary()
    kinds = tuple(kind.name for kind in known.drawn(unseen=False))
    return IconConfig(kinds, tuple(known.colours))


class IconTask(Task):
    """Crops and scenes, each an item; cross entropies of kind and colour."""

    watch = "nats"
    module: IconCNN

    def __init__(self, module: IconCNN, learned: Icons, held_out: Icons) -> None:
        self.module = module
        self._learned = learned
        self._held_out = held_out

    def items(self, epoch: int) -> int:
        """All crops, and the scenes."""
        del epoch
        return len(self._learned.crops) + len(self._learned.scenes)

    def cost(self, places: Sequence[int], epoch: int) -> Cost:
        """Of a crop: which kind and colour. Of a scene: what stands where."""
        del epoch
        return Cost(self._nats(self._learned, places), len(places))

    def valid_items(self) -> int:
        """The crops and scenes that nothing is learned from."""
        return len(self._held_out.crops) + len(self._held_out.scenes)

    def score(self, places: Sequence[int]) -> Mapping[str, float]:
        """The same costs."""
        return {"nats": float(self._nats(self._held_out, places))}

    def _nats(self, data: Icons, places: Sequence[int]) -> Tensor:
        crops = [place for place in places if place < len(data.crops)]
        scenes = [place - len(data.crops) for place in places if place >= len(data.crops)]
        total = torch.zeros((), device=self._device)
        if crops:
            total = total + self._of_crops(data, crops)
        if scenes:
            total = total + self._of_scenes(data, scenes)
        return total

    def _of_crops(self, data: Icons, places: list[int]) -> Tensor:
        scores = self.module(self._entering(data.crops[places]))
        return functional.cross_entropy(
            scores.category, self._numbers(data.kinds[places]), reduction="sum"
        ) + functional.cross_entropy(
            scores.colour, self._numbers(data.colours[places]), reduction="sum"
        )

    def _of_scenes(self, data: Icons, places: list[int]) -> Tensor:
        kinds, colours = self.module.everywhere(self._entering(data.scenes[places]))
        asked = data.places.at(places)
        each = functional.cross_entropy(
            kinds, self._numbers(asked.kinds), ignore_index=-1, reduction="none"
        ) + functional.cross_entropy(
            colours, self._numbers(asked.colours), ignore_index=-1, reduction="none"
        )
        return (each * self._numbers(asked.weights)).sum()

    @property
    def _device(self) -> torch.device:
        return next(self.module.parameters()).device

    def _entering(self, pixels: NDArray[np.uint8]) -> Tensor:
        return entering(torch.from_numpy(pixels).to(self._device))

    def _numbers(self, numbers: NDArray[np.generic]) -> Tensor:
        return torch.from_numpy(numbers).to(self._device)


def description(config: IconConfig, sources: dict[str, Any]) -> Description:
    """What the checkpoint says of itself; it knows no words."""
    return Description(KIND, msgspec.to_builtins(config), (), training=sources)


def trained(folder: Path) -> IconCNN:
    """The network of a checkpoint."""
    found = checkpoint.load(folder).require(KIND)
    return found.fill(IconCNN(found.config(IconConfig))).eval()


def examine(module: IconCNN, parts: tuple[Icons, Icons]) -> Figures:
    """What the network sees of scenes that nothing was learned from, of seen kinds and of unseen ones."""
    seen, unseen = parts
    first, last = module.config.width, len(module.config.colours)
    _, kinds, colours = _seen(module, seen.crops)
    scenes, _, _ = _seen(module, seen.scenes)
    scene_kinds, scene_colours = scenes[:, first:-last], scenes[:, -last:]
    unseen_vectors, _, unseen_colours = _seen(module, unseen.crops)
    nearest, chance = named_by_nearest(unseen_vectors, unseen.names)
    return Figures(
        _share(kinds.argmax(axis=1) == seen.kinds),
        _share(colours.argmax(axis=1) == seen.colours),
        average_precision(scene_kinds, seen.scene_kinds),
        average_precision(scene_colours, seen.scene_colours),
        _share(unseen_colours.argmax(axis=1) == unseen.colours),
        nearest,
        chance,
        len(seen.crops),
        len(unseen.crops),
    )


def named_by_nearest(vectors: NDArray[np.float32], names: Sequence[str]) -> tuple[float, float]:
    """How often the vector nearest by cosine, itself left out, has the same name; and by chance."""
    long = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    likeness = long @ long.T
    np.fill_diagonal(likeness, -np.inf)
    _, numbers, counts = np.unique(names, return_inverse=True, return_counts=True)
    same = numbers[likeness.argmax(axis=1)] == numbers
    return _share(same), float(((counts - 1) * counts).sum() / (len(names) * (len(names) - 1)))


def average_precision(scores: NDArray[np.float32], held: NDArray[np.float32]) -> float:
    """The mean over columns of the precision at each row that holds the column's thing."""
    found = []
    for column in range(scores.shape[1]):
        order = np.argsort(-scores[:, column], kind="stable")
        hits = held[order, column] > 0
        if hits.any():
            found.append((hits.cumsum() / np.arange(1, len(hits) + 1))[hits].mean())
    return float(np.mean(found))


@torch.inference_mode()
def _seen(module: IconCNN, pixels: NDArray[np.uint8]) -> tuple[NDArray[np.float32], ...]:
    """Vectors, and scores of kinds and colours."""
    module.eval()
    device = next(module.parameters()).device
    parts = []
    for start in range(0, len(pixels), _BATCH):
        some = entering(torch.from_numpy(pixels[start : start + _BATCH]).to(device))
        parts.append((module.vectors(some), *module(some)))
    return tuple(torch.cat(part).cpu().numpy() for part in zip(*parts, strict=True))


def _share(right: NDArray[np.bool_]) -> float:
    return float(right.mean())


def lines(figures: Figures) -> tuple[str, ...]:
    """The figures as a person reads them."""
    seen = f"kind {figures.category:.1%} right, colour {figures.colour:.1%}"
    scenes = f"of kinds {figures.scene_category:.1%}, of colours {figures.scene_colour:.1%}"
    nearest = f"{figures.unseen_nearest:.1%} ({figures.unseen_chance:.1%} by chance)"
    return (
        f"{figures.crops} things of scenes held out: {seen}",
        f"whole scenes held out: average precision {scenes}",
        f"{figures.unseen_crops} things of unseen kinds: colour {figures.unseen_colour:.1%} right",
        f"the nearest other one of them is of the same kind: {nearest}",
    )
