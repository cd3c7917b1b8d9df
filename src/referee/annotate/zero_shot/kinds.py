"""What the labels of a box table stand for: a name, a COCO category or none, a part of a human body."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from referee.annotate.zero_shot.how import Coco
from referee.datasets import boxes
from referee.datasets.files import Skipped
from referee.datasets.iconworld.vocabulary import vocabulary
from referee.errors import DataError
from referee.randomness import key


@dataclass(frozen=True)
class Kinds:
    """The classes of a table, each at the place that stands for it in arrays."""

    labels: tuple[str, ...]
    names: tuple[str, ...]
    """In lower case, as the released games have them."""
    categories: NDArray[np.int64]
    """COCO's category ids; 0 for what COCO has not."""
    bodily: NDArray[np.bool_]
    """Whether it is a human body or a part of one."""

    @property
    def keys(self) -> NDArray[np.uint64]:
        """What each label is in draws."""
        return np.array([key("zero-shot label", label) for label in self.labels], np.uint64)


class _Other(Struct, frozen=True, forbid_unknown_fields=True):
    names: tuple[str, ...]


class _Body(Struct, frozen=True, forbid_unknown_fields=True):
    root: str
    parts: tuple[str, ...]


class SameThings(Struct, frozen=True, forbid_unknown_fields=True):
    """The data file: other names of COCO's categories, names that mislead, and the human body."""

    also: dict[str, str]
    other: _Other
    body: _Body


@cache
def same_things() -> SameThings:
    """The data file as it stands."""
    text = resources.files(__package__).joinpath("same_things.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), SameThings)


@cache
def coco_ids() -> Mapping[str, int]:
    """COCO's 80 categories and their ids."""
    known = vocabulary().categories
    return {name: kind.id for name, kind in known.items() if not kind.unseen}


def category(name: str, coco: Coco = "names") -> int:
    """COCO's id of what Open Images calls by this name; 0 where COCO has none.

    >>> category("Teddy bear"), category("Mobile phone"), category("Mobile phone", "things")
    (88, 0, 77)
    >>> category("Mouse"), category("Mouse", "things"), category("Penguin", "things")
    (74, 0, 0)
    """
    lower = name.lower()
    if coco == "things":
        if lower in same_things().other.names:
            return 0
        lower = same_things().also.get(lower, lower)
    return coco_ids().get(lower, 0)


def read(
    classes: Path, hierarchy: Path | None, coco: Coco = "names", skipped: Skipped = None
) -> Kinds:
    """The classes of a file of names; a hierarchy adds to the parts of the body that are known by name."""
    named = boxes.classes(classes, skipped)
    if not named:
        raise DataError("names no classes", file=classes, expected="/label,name on each line")
    body = _listed(named) | (frozenset() if hierarchy is None else _below(named, hierarchy))
    return Kinds(
        tuple(named),
        tuple(name.lower() for name in named.values()),
        np.array([category(name, coco) for name in named.values()], np.int64),
        np.array([label in body for label in named], np.bool_),
    )


def _listed(named: Mapping[str, str]) -> frozenset[str]:
    body = same_things().body
    return frozenset(
        label for label, name in named.items() if name.lower() in {body.root, *body.parts}
    )


def _below(named: Mapping[str, str], hierarchy: Path) -> frozenset[str]:
    root = same_things().body.root
    top = boxes.hierarchy(hierarchy)
    found = [top.find(label) for label, name in named.items() if name.lower() == root]
    if any(entity is None for entity in found):
        raise DataError(
            f"the class {root} is not in the hierarchy",
            file=hierarchy,
            field="LabelName",
            expected="the hierarchy of the same classes",
        )
    return frozenset(each.label for entity in found if entity for each in entity.walk())
