"""CompGuessWhat?!'s attribute vectors: for each picture, what is true of each of its things.

Abstract attributes are those of the thing's concept that depend on no picture, and what it does or can
be used for. Situated ones are its colour, size and style, and
where it is: wholly beside, above or below the central half of the picture, or in the center.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.datasets.compguesswhat import Attributes, Names, write_attributes, write_names
from referee.datasets.iconworld.concepts import knowledge
from referee.datasets.iconworld.vocabulary import STYLES, vocabulary
from referee.datasets.iconworld.world import HUMAN, World
from referee.datasets.imsitu import attribute
from referee.datasets.visa import OF_PICTURES, Concept
from referee.games import Box, Scene, Thing
from referee.metrics.boxes import LOCATIONS


def write(world: World, folder: Path) -> dict[str, int]:
    """attributes/{train,valid,test}/<image id>.npz, and the two lists of names beside them."""
    place = folder / "attributes"
    place.mkdir(parents=True, exist_ok=True)
    names = _names()
    write_names(place, names)
    counts = {}
    for split in HUMAN:
        (place / split).mkdir(exist_ok=True)
        for drawn in world.splits[split]:
            write_attributes(place / split / f"{drawn.scene.id}.npz", _vectors(drawn.scene, names))
        counts[f"attributes/{split}/"] = len(world.splits[split])
    return counts


def locations(box: Box, width: float, height: float) -> set[str]:
    """Where a box is: it lies wholly outside the central half on one or two sides, or in the center."""
    found = {
        name
        for name, outside in (
            ("right_image", box.x > width * 3 / 4),
            ("left_image", box.x + box.width < width / 4),
            ("top_image", box.y + box.height < height / 4),
            ("bottom_image", box.y > height * 3 / 4),
        )
        if outside
    }
    return found or {"center"}


def of_thing(thing: Thing, scene: Scene) -> set[str]:
    """Every attribute that is true of a thing of the scene: its concept's, its own, and where it is."""
    own = {*thing.attributes, *locations(thing.box, scene.width, scene.height)}
    return _abstract().get(thing.category, set()) | own


@lru_cache(maxsize=1)
def _abstract() -> dict[str, set[str]]:
    """The attributes of each concept, in the words that CompGuessWhat?! makes of VISA's."""
    known = knowledge()
    found = {
        concept.id: {
            text.replace("beh_-_", "_").replace("_", " ")
            for names in (*_lasting(concept), concept.types)
            for text in names
        }
        for concept in known.concepts
    }
    for action in known.actions:
        for role, fillers in action.roles.items():
            named = attribute(role, action.name)
            for filler in fillers if named else ():
                found[filler].add(named or "")
    return found


def _lasting(concept: Concept) -> list[tuple[str, ...]]:
    return [names for kind, names in concept.attributes.items() if kind not in OF_PICTURES]


def _names() -> Names:
    known = vocabulary()
    abstract = sorted({name for names in _abstract().values() for name in names})
    return Names(tuple(abstract), (*known.colours, *known.sizes, *STYLES, *LOCATIONS))


def _vectors(scene: Scene, names: Names) -> Attributes:
    known = _abstract()
    abstract = [_row(known[thing.category], names.abstract) for thing in scene.things]
    situated = [
        _row({*thing.attributes, *locations(thing.box, scene.width, scene.height)}, names.situated)
        for thing in scene.things
    ]
    return Attributes(
        tuple(thing.id for thing in scene.things), np.stack(abstract), np.stack(situated)
    )


def _row(held: set[str], names: tuple[str, ...]) -> NDArray[np.uint8]:
    return np.array([name in held for name in names], dtype=np.uint8)
