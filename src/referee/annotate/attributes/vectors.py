"""From the attributes of things to vectors: which attributes are frequent enough, and the arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from referee.annotate.attributes.how import How
from referee.annotate.attributes.pictures import Annotated
from referee.datasets.compguesswhat import Attributes, Names
from referee.metrics.boxes import LOCATIONS

Numbers = NDArray[np.int32]


@dataclass
class Column:
    """The attributes of one sort: a number for each name, and how many things have it."""

    numbers: dict[str, int] = field(default_factory=dict)
    counts: Counter[int] = field(default_factory=Counter)

    def add(self, names: Iterable[str], *, counted: bool) -> Numbers:
        """The numbers of a thing's names."""
        found = [self.numbers.setdefault(name, len(self.numbers)) for name in names]
        if counted:
            self.counts.update(found)
        return np.array(found, dtype=np.int32)

    def frequent(self, least: int) -> list[str]:
        """The names of those that at least so many things have, in their order."""
        return sorted(name for name, n in self.numbers.items() if self.counts[n] >= max(least, 1))

    def places(self, names: Iterable[str]) -> Numbers:
        """For each number the place of its name among those that are kept, -1 for the others."""
        found = np.full(len(self.numbers), -1, dtype=np.int32)
        for place, name in enumerate(names):
            if name in self.numbers:
                found[self.numbers[name]] = place
        return found


@dataclass(frozen=True)
class _Row:
    splits: tuple[str, ...]
    image: str
    things: tuple[str, ...]
    abstract: tuple[Numbers, ...]
    situated: tuple[Numbers, ...]


@dataclass
class Vectors:
    """The attributes of the things of all pictures, kept as numbers until all have been counted.

    A thing counts once, however many games are about it. The five locations are always kept.
    """

    how: How
    abstract: Column = field(default_factory=Column)
    situated: Column = field(default_factory=Column)
    rows: list[_Row] = field(default_factory=list)

    def add(self, found: Annotated) -> None:
        """Keeps and counts the things of a picture."""
        splits = found.picture.splits
        counted = self.how.over == "all" or "train" in splits
        self.rows.append(
            _Row(
                splits,
                found.picture.scene.id,
                tuple(each.thing.id for each in found.things),
                tuple(
                    self.abstract.add(sorted(each.abstract.attributes), counted=counted)
                    for each in found.things
                ),
                tuple(
                    self.situated.add(sorted(each.situated), counted=counted)
                    for each in found.things
                ),
            )
        )

    def names(self) -> Names:
        """The columns: those frequent enough in the order of the alphabet, and the locations last."""
        situated = self.situated.frequent(self.how.least_situated)
        seen = [name for name in situated if name not in LOCATIONS]
        abstract = self.abstract.frequent(self.how.least_abstract)
        return Names(tuple(abstract), (*seen, *LOCATIONS))

    def arrays(self, names: Names) -> Iterator[tuple[str, str, Attributes]]:
        """Split, picture and vectors, picture by picture."""
        abstract, situated = (
            self.abstract.places(names.abstract),
            self.situated.places(names.situated),
        )
        for row in self.rows:
            held = Attributes(
                row.things,
                _dense(row.abstract, abstract, len(names.abstract)),
                _dense(row.situated, situated, len(names.situated)),
            )
            yield from ((split, row.image, held) for split in row.splits)


def _dense(held: tuple[Numbers, ...], places: Numbers, width: int) -> NDArray[np.uint8]:
    found = np.zeros((len(held), width), dtype=np.uint8)
    for row, numbers in zip(found, held, strict=True):
        kept = places[numbers]
        row[kept[kept >= 0]] = 1
    return found
