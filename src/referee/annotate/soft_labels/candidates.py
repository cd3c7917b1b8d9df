"""The candidates of many games as arrays, one game after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from referee.annotate.soft_labels.concepts import categories, colours, file
from referee.games import Scene, Thing
from referee.metrics.belief.ragged import Counts, Floats
from referee.metrics.belief.rules import extents


@dataclass(frozen=True, eq=False)
class Candidates:
    """What is known of the things of each scene, the scenes one after the other.

    `edges` [cells, 4] are shares of the picture, `categories` [cells] places in `categories()` with the
    last for those that are not COCO's, `colours` [cells] a bit for each of the colours that a thing is
    known to have, `widths` [games] how many things a scene has, `placed` [games] whether its picture has
    a size; `clipped` counts the boxes that left their picture by more than a pixel.
    """

    edges: Floats
    categories: Counts
    colours: Counts
    widths: Counts
    placed: NDArray[np.bool_]
    clipped: int


def candidates(scenes: Iterable[Scene]) -> Candidates:
    """The things of these scenes."""
    held = list(scenes)
    things = list(chain.from_iterable(map(attrgetter("things"), held)))
    widths = np.array([len(scene.things) for scene in held], dtype=np.int64)
    boxes = _columns(list(map(attrgetter("box"), things)), ("x", "y", "width", "height"))
    sizes = _columns(held, ("width", "height"))
    placed = np.all(sizes > 0, axis=1)
    # A box of a picture of unknown size is nowhere.
    sizes[~placed] = 1.0
    boxes[np.repeat(~placed, widths)] = 0.0
    edges, clipped = extents(boxes, np.repeat(sizes, widths, axis=0))
    return Candidates(edges, _categories(things), _colours(things), widths, placed, clipped)


def _columns(rows: Sequence[object], names: Sequence[str]) -> Floats:
    """The numbers that rows have under these names, shape (rows, names), a column after the other."""
    found = np.empty((len(names), len(rows)))
    for column, name in zip(found, names, strict=True):
        column[:] = np.fromiter(map(attrgetter(name), rows), dtype=np.float64, count=len(rows))
    return found.T


def _categories(things: Sequence[Thing]) -> Counts:
    known = dict(categories())
    other = len(known)
    names = list(map(attrgetter("category"), things))
    for name in set(names) - known.keys():
        known[name] = known.get(name.lower(), other)
    return np.fromiter(map(known.__getitem__, names), dtype=np.int64, count=len(names))


def _colours(things: Sequence[Thing]) -> Counts:
    bits = {word: 1 << place for word, place in _places().items()}
    found = np.zeros(len(things), dtype=np.int64)
    told = list(map(attrgetter("attributes"), things))
    for place in compress(range(len(told)), told):
        for attribute in told[place]:
            found[place] |= bits.get(attribute, 0)
    return found


def _places() -> dict[str, int]:
    order = {name: place for place, name in enumerate(file().colours)}
    return {word: order[name] for word, name in colours().items()}


def colour_bits(names: Iterable[str]) -> int:
    """The bits of these colours."""
    places = _places()
    return sum(1 << places[name] for name in set(names))
