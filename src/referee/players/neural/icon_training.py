"""Trains the network that sees Iconworld, and says honestly what it sees.

What it learns from is made on the spot: crops of the things of scenes, cut as `features.crops` cuts
them, and one scene in four whole. No scene of the examination was trained on; the unseen kinds never
were, so that of them only the colour has an output: whether their vectors tell them apart is asked by
letting each crop be named by the nearest other one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi

import msgspec
import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from referee.datasets.iconworld.drawing import draw
from referee.datasets.iconworld.scenes import Domain, make_scene
from referee.datasets.iconworld.vocabulary import vocabulary
from referee.players.neural.checkpoint import Description
from referee.players.neural.features.crops import Cut, crop, whole
from referee.players.neural.icon_cnn import IconCNN, IconConfig, entering
from referee.players.neural.training import Cost, Plan, Task
from referee.randomness import key

KIND = "icons"
BLANK = (240, 240, 240)
"""The colour around a crop that is no square."""
PLAN = Plan(epochs=6, batch=64, rate=2e-3)
_WHOLE = 4
_BATCH = 256


class IconData(Struct, frozen=True):
    """How much is drawn, and from which seed."""

    scenes: int = 2400
    examined: int = 400
    """Scenes that nothing is learned from, of seen kinds and as many of unseen ones."""
    seed: int = 0


@dataclass(frozen=True)
class Icons:
    """Crops [n, 48, 48, 3] with the number of each one's kind and colour, and whole scenes.

    What a scene holds stands in a row of noughts and ones. A kind that has no number is -1.
    """

    crops: NDArray[np.uint8]
    kinds: NDArray[np.int64]
    colours: NDArray[np.int64]
    scenes: NDArray[np.uint8]
    scene_kinds: NDArray[np.float32]
    scene_colours: NDArray[np.float32]
    names: tuple[str, ...]
    """The name of each crop's kind."""


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


def drawn(config: IconConfig, count: int, seed: int, part: str, domain: Domain = "seen") -> Icons:
    """The things of so many scenes, and one scene in four."""
    crops, names, colours, scenes, held = [], [], [], [], []
    size = (config.crop, config.crop)
    for number in range(count):
        made = make_scene(number, key("icons", seed, part, number), domain)
        picture = draw(made)
        things = made.scene.things
        told = [next(a for a in thing.attributes if a in config.colours) for thing in things]
        crops += [crop(picture, Cut(thing.box), size, BLANK) for thing in things]
        names += [thing.category for thing in things]
        colours += told
        if number % _WHOLE == 0:
            scenes.append(whole(picture, config.whole))
            held.append(({thing.category for thing in things}, set(told)))
    kinds = {name: place for place, name in enumerate(config.categories)}
    return Icons(
        np.stack(crops),
        np.array([kinds.get(name, -1) for name in names]),
        np.array([config.colours.index(name) for name in colours]),
        np.stack(scenes),
        _among([kinds for kinds, _ in held], config.categories),
        _among([colours for _, colours in held], config.colours),
        tuple(names),
    )


class IconTask(Task):
    """Crops and scenes, each an item; crossed entropies of kind and colour."""

    watch = "error"

    def __init__(self, module: IconCNN, learned: Icons, held_out: Icons, plan: Plan) -> None:
        self.module = module
        self._learned = learned
        self._held_out = held_out
        self._plan = plan

    def items(self, epoch: int) -> int:
        """All crops, and the scenes."""
        del epoch
        return len(self._learned.crops) + len(self._learned.scenes)

    def cost(self, places: Sequence[int], epoch: int) -> Cost:
        """Of a crop: which kind and colour. Of a scene: which kinds and colours are in it."""
        del epoch
        crops = [place for place in places if place < len(self._learned.crops)]
        scenes = [place - len(self._learned.crops) for place in places if place not in set(crops)]
        total = torch.zeros((), device=self._device)
        if crops:
            total = total + self._of_crops(crops)
        if scenes:
            total = total + self._of_scenes(scenes)
        return Cost(total, len(places))

    def _of_crops(self, places: list[int]) -> Tensor:
        data = self._learned
        scores = self.module(self._entering(data.crops[places]))
        return functional.cross_entropy(
            scores.category, self._numbers(data.kinds[places]), reduction="sum"
        ) + functional.cross_entropy(
            scores.colour, self._numbers(data.colours[places]), reduction="sum"
        )

    def _of_scenes(self, places: list[int]) -> Tensor:
        data = self._learned
        scores = self.module(self._entering(data.scenes[places]))
        return functional.binary_cross_entropy_with_logits(
            scores.category, self._numbers(data.scene_kinds[places]), reduction="sum"
        ) + functional.binary_cross_entropy_with_logits(
            scores.colour, self._numbers(data.scene_colours[places]), reduction="sum"
        )

    def valid_items(self) -> int:
        """The crops of scenes that nothing is learned from."""
        return len(self._held_out.crops)

    def score(self, places: Sequence[int]) -> Mapping[str, float]:
        """How many crops have a wrong kind, a wrong colour, or either."""
        data, chosen = self._held_out, list(places)
        scores = self.module(self._entering(data.crops[chosen]))
        kind = scores.category.argmax(dim=1).cpu().numpy() != data.kinds[chosen]
        colour = scores.colour.argmax(dim=1).cpu().numpy() != data.colours[chosen]
        return {
            "category_error": float(kind.sum()),
            "colour_error": float(colour.sum()),
            "error": float((kind | colour).sum()),
        }

    def rate(self, plan: Plan, epoch: int) -> float:
        """Half a cosine from the plan's rate downwards."""
        return plan.rate * (1 + cos(pi * epoch / plan.epochs)) / 2

    @property
    def _device(self) -> torch.device:
        return next(self.module.parameters()).device

    def _entering(self, pixels: NDArray[np.uint8]) -> Tensor:
        return entering(torch.from_numpy(pixels).to(self._device))

    def _numbers(self, numbers: NDArray[np.generic]) -> Tensor:
        return torch.from_numpy(numbers).to(self._device)


def description(config: IconConfig, data: IconData) -> Description:
    """What the checkpoint says of itself; it knows no words."""
    told = msgspec.to_builtins(data)
    return Description(KIND, msgspec.to_builtins(config), (), training={"data": told})


def examine(module: IconCNN, data: IconData) -> Figures:
    """What the network sees of scenes that nothing was learned from."""
    seen = drawn(module.config, data.examined, data.seed, "examined")
    unseen = drawn(module.config, data.examined, data.seed, "unseen", "out")
    vectors, kinds, colours = _seen(module, seen.crops)
    _, scene_kinds, scene_colours = _seen(module, seen.scenes)
    unseen_vectors, _, unseen_colours = _seen(module, unseen.crops)
    nearest, chance = named_by_nearest(unseen_vectors, unseen.names)
    del vectors
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
        vectors = module.vectors(some)
        parts.append((vectors, *module.scores(vectors)))
    return tuple(torch.cat(part).cpu().numpy() for part in zip(*parts, strict=True))


def _share(right: NDArray[np.bool_]) -> float:
    return float(right.mean())


def _among(held: Sequence[set[str]], names: Sequence[str]) -> NDArray[np.float32]:
    return np.array([[name in one for name in names] for one in held], np.float32)
