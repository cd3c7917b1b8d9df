"""The things that people ask for by name: COCO's categories under other words, and groups of them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Kind: TypeAlias = Literal["category", "object"]
Truths: TypeAlias = NDArray[np.int8]

NO, YES, UNSURE = 0, 1, -1
"""What is true of a category: that it is what was asked for, that it is not, or that people differ."""


class Concept(Struct, frozen=True):
    """Something that can be asked for, and what is it; of the unsure ones some people would say so."""

    name: str
    kind: Kind
    yes: frozenset[str]
    unsure: frozenset[str] = frozenset()


class _Group(Struct, frozen=True, forbid_unknown_fields=True):
    words: tuple[str, ...]
    yes: tuple[str, ...]
    unsure: tuple[str, ...]


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    super_categories: dict[str, tuple[str, ...]]
    categories: dict[str, tuple[str, ...]]
    groups: dict[str, _Group]
    colours: dict[str, tuple[str, ...]]


@cache
def file() -> _File:
    """The data file as it stands."""
    text = resources.files(__package__).joinpath("concepts.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _File)


@cache
def categories() -> dict[str, int]:
    """COCO's categories, each with its place in rows of truths."""
    return {name: place for place, name in enumerate(file().categories)}


@cache
def concepts() -> Mapping[str, Concept]:
    """Every concept by each of its words, plurals among them.

    Person is a super-category of one category, and what is asked for by its name is a category, as in
    the paper's Figure 3; every other single category is an object.

    >>> concepts()["buses"].name, concepts()["human"].kind, sorted(concepts()["fruit"].yes)
    ('bus', 'category', ['apple', 'banana', 'orange'])
    """
    held = file()
    found: dict[str, Concept] = {}
    for name, others in held.categories.items():
        kind: Kind = "category" if name == "person" else "object"
        found |= _named((name, *others), Concept(name, kind, frozenset({name})))
    for name, group in held.groups.items():
        yes, unsure = _members(group.yes), _members(group.unsure)
        kind = "object" if name in held.categories else "category"
        concept = Concept(name, kind, yes, unsure - yes)
        found |= _named(group.words, concept)
    return found


@cache
def colours() -> Mapping[str, str]:
    """Every word for a colour, with the colour."""
    return {word: name for name, others in file().colours.items() for word in (name, *others)}


def truths(names: Sequence[str]) -> Truths:
    """Of each category whether it is any of these concepts; of one that is not COCO's, people differ.

    Returns:
        shape (81,): a place a category (`categories`), and the last for all others.
    """
    row = np.full(len(categories()) + 1, NO, dtype=np.int8)
    row[-1] = UNSURE
    known = concepts()
    for name in names:
        for member in known[name].unsure:
            row[categories()[member]] = UNSURE
    for name in names:
        for member in known[name].yes:
            row[categories()[member]] = YES
    return row


def _members(names: Iterable[str]) -> frozenset[str]:
    """Categories, and those of super-categories."""
    groups = file().super_categories
    held = file().categories
    return frozenset(
        member for name in names for member in ((name,) if name in held else groups[name])
    )


def _named(words: Iterable[str], concept: Concept) -> dict[str, Concept]:
    found: dict[str, Concept] = {}
    for word in words:
        found |= dict.fromkeys((word, *_plurals(word)), concept)
    return found


def _plurals(word: str) -> tuple[str, ...]:
    """The plural by rule; of "piece of cake" it is "pieces of cake"."""
    head, of, rest = word.partition(" of ")
    if head.endswith("y") and head[-2] not in "aeou":
        plural = f"{head[:-1]}ies"
    elif head.endswith(("s", "x", "ch", "sh")):
        plural = f"{head}es"
    elif head.endswith("fe"):
        plural = f"{head[:-2]}ves"
    else:
        plural = f"{head}s"
    return (f"{plural}{of}{rest}",)
