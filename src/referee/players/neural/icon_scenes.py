"""Scenes of icons to learn from, and scenes to be examined on: crops of things, and some scenes whole.

They are drawn on the spot, or are those of a world. Crops are cut as `features.crops` cuts them. Of the
kinds that are kept from training pictures there are crops to be examined on, and none to learn from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
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
from referee.players.neural.icon_cnn import BLANK, IconConfig
from referee.players.recorded import digest
from referee.randomness import key

_WHOLE = 4
"""One scene in so many is shown whole."""
_LEAST = 8


@dataclass(frozen=True)
class Icons:
    """Crops [n, side, side, 3] with the number of each one's kind and colour, and whole scenes.

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
    """The things of some scenes, and one scene in four."""
    crops, names, colours, scenes, held = [], [], [], [], []
    size = (config.crop, config.crop)
    for number, (scene, picture) in enumerate(shown):
        told = [_colour(thing, scene, config) for thing in scene.things]
        crops += [crop(picture, Cut(thing.box), size, BLANK) for thing in scene.things]
        names += [thing.category for thing in scene.things]
        colours += told
        if number % _WHOLE == 0:
            scenes.append(whole(picture, config.whole))
            held.append(({thing.category for thing in scene.things}, set(told)))
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
