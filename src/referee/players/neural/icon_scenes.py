"""Scenes of icons to learn from, and scenes to be examined on: crops of things, and some scenes whole.

They are drawn on the spot, or are those of a world. Crops are cut as `features.crops` cuts them. Of the
kinds that are kept from training pictures there are crops to be examined on, and none to learn from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from referee.datasets.iconworld.drawing import draw
from referee.datasets.iconworld.scenes import Domain, make_scene
from referee.errors import DataError
from referee.games import Scene, Thing
from referee.players.neural.features import pictures
from referee.players.neural.features.crops import Cut, crop, opened, whole
from referee.players.neural.icon_cnn import BLANK, STRIDE, IconConfig
from referee.players.recorded import digest
from referee.randomness import key

WHOLE = 1200
"""At most so many scenes are shown; more teach little more."""
NOTHING = 2.0
"""What all empty places of a scene weigh together; the places of one thing weigh 1."""
_MIDDLE = 0.25
"""How far from its middle, in its size, a thing is asked for."""
_LEAST = 8


class Places(NamedTuple):
    """What stands at each place of some scenes, [scene, down, across]; what is -1 is not asked."""

    kinds: NDArray[np.int64]
    """The number after the last kind is nothing."""
    colours: NDArray[np.int64]
    weights: NDArray[np.float32]

    def at(self, scenes: list[int]) -> Places:
        """Those of some scenes."""
        return Places(self.kinds[scenes], self.colours[scenes], self.weights[scenes])


@dataclass(frozen=True)
class Icons:
    """Crops [n, side, side, 3] with the number of each one's kind and colour, and whole scenes.

    What a scene holds stands in a row of noughts and ones, and on a map of its places. A kind that has no
    number is -1.
    """

    crops: NDArray[np.uint8]
    kinds: NDArray[np.int64]
    colours: NDArray[np.int64]
    scenes: NDArray[np.uint8]
    scene_kinds: NDArray[np.float32]
    scene_colours: NDArray[np.float32]
    places: Places
    names: tuple[str, ...]
    """The name of each crop's kind."""


class Parts(NamedTuple):
    """What is learned from, what chooses the best epoch, and what the checkpoint says of them."""

    train: Icons
    valid: Icons
    sources: dict[str, Any]


Shown = Iterable[tuple[Scene, Image.Image]]


def learned(config: IconConfig, scenes: int, seed: int) -> Parts:
    """So many scenes to learn from, and a twelfth as many to choose by."""
    train = drawn(scenes, seed, "learned")
    valid = drawn(max(_LEAST, scenes // 12), seed, "valid")
    return Parts(icons(config, train), icons(config, valid), {"scenes": scenes, "seed": seed})


def learned_of(config: IconConfig, world: Path) -> Parts:
    """The scenes of a world's training games, and of its validation games to choose by."""
    files = [world / f"guesswhat.{split}.jsonl.gz" for split in ("train", "valid")]
    train, valid = (icons(config, of_world(world, file)) for file in files)
    told = {"world": world.name, "world_digest": " ".join(digest(file) for file in files)}
    return Parts(train, valid, told)


def examined(config: IconConfig, count: int, seed: int) -> tuple[Icons, Icons]:
    """So many scenes of seen kinds, and of unseen ones, of keys that nothing is learned from."""
    seen = drawn(count, seed, "examined")
    unseen = drawn(count, seed, "unseen", "out")
    return icons(config, seen), icons(config, unseen)


def drawn(
    count: int, seed: int, part: str, domain: Domain = "seen"
) -> Iterator[tuple[Scene, Image.Image]]:
    """So many scenes and their pictures; no two parts share any."""
    for number in range(count):
        made = make_scene(number, key("icons", seed, part, number), domain)
        yield made.scene, draw(made)


def of_world(world: Path, games: Path) -> Iterator[tuple[Scene, Image.Image]]:
    """The scenes of some games of a world, and their pictures."""
    folder = world / "images"
    for picture in pictures.find(folder, pictures.scenes_of(games)).whole(folder):
        yield picture.scene, opened(picture.path)


def icons(config: IconConfig, shown: Shown) -> Icons:
    """The first of some scenes, whole and thing by thing."""
    crops, scenes = list[NDArray[np.uint8]](), list[NDArray[np.uint8]]()
    names, colours = list[str](), list[str]()
    held, maps = list[tuple[set[str], set[str]]](), list[Places]()
    size = (config.crop, config.crop)
    kinds = {name: place for place, name in enumerate(config.categories)}
    for scene, picture in islice(shown, WHOLE):
        told = [_colour(thing, scene, config) for thing in scene.things]
        crops += [crop(picture, Cut(thing.box), size, BLANK) for thing in scene.things]
        names += [thing.category for thing in scene.things]
        colours += told
        scenes.append(whole(picture, config.whole))
        held.append(({thing.category for thing in scene.things}, set(told)))
        maps.append(_places(config, scene, kinds, told))
    return Icons(
        np.stack(crops),
        np.array([kinds.get(name, -1) for name in names]),
        np.array([config.colours.index(name) for name in colours]),
        np.stack(scenes),
        _among([kinds for kinds, _ in held], config.categories),
        _among([colours for _, colours in held], config.colours),
        Places(*(np.stack(part) for part in zip(*maps, strict=True))),
        tuple(names),
    )


def _places(config: IconConfig, scene: Scene, kinds: dict[str, int], colours: list[str]) -> Places:
    """The map of a scene: the middles of its things, and what no thing covers; a later thing lies above."""
    across, down = (side // STRIDE for side in config.whole)
    x = (np.arange(across) + 0.5) * STRIDE * scene.width / config.whole[0]
    y = (np.arange(down) + 0.5) * STRIDE * scene.height / config.whole[1]
    kind = np.full((down, across), len(config.categories))
    colour = np.full((down, across), -1)
    weights = np.zeros((down, across), np.float32)
    for thing, name in zip(scene.things, colours, strict=True):
        box = thing.box
        off_x, off_y = abs(x - box.x - box.width / 2), abs(y - box.y - box.height / 2)
        kind[np.ix_(off_y <= box.height / 2, off_x <= box.width / 2)] = -1
        near_x = off_x <= max(_MIDDLE * box.width, off_x.min())
        near_y = off_y <= max(_MIDDLE * box.height, off_y.min())
        middle = np.ix_(near_y, near_x)
        kind[middle] = kinds.get(thing.category, -1)
        colour[middle] = config.colours.index(name)
        weights[middle] = 1 / (near_x.sum() * near_y.sum())
    nothing = kind == len(config.categories)
    weights[nothing] = NOTHING / max(1, nothing.sum())
    return Places(kind, colour, weights)


def _colour(thing: Thing, scene: Scene, config: IconConfig) -> str:
    found = next((each for each in thing.attributes if each in config.colours), None)
    if found is None:
        raise DataError(
            f"the thing {thing.id} has no colour",
            record=scene.id,
            field="attributes",
            expected=f"one of {', '.join(config.colours)}, as in worlds of Iconworld",
        )
    return found


def _among(held: list[set[str]], names: tuple[str, ...]) -> NDArray[np.float32]:
    return np.array([[name in one for name in names] for one in held], np.float32)
