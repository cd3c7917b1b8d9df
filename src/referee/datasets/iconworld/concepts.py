"""What is known of kinds of things: VISA-like concepts and imSitu-like verbs, from one file."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from referee.datasets import coco_synsets
from referee.datasets.iconworld.vocabulary import Category, vocabulary
from referee.datasets.visa import Concept


class _Extent(Struct, forbid_unknown_fields=True):
    all: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    but: tuple[str, ...] = ()

    def holds(self, category: Category) -> bool:
        named = category.name in self.of or category.super_category in self.all
        return named and category.name not in self.but


class Action(Struct, frozen=True):
    """A verb: its frame, its sentence, and the categories that can fill each of its roles."""

    name: str
    frame: str
    sentence: str
    roles: dict[str, tuple[str, ...]]


class Knowledge(Struct, frozen=True):
    """The concepts, one for each category, and the verbs."""

    concepts: tuple[Concept, ...]
    actions: tuple[Action, ...]


@lru_cache(maxsize=1)
def knowledge() -> Knowledge:
    """Everything the file says, read once."""
    text = files(__package__).joinpath("concepts.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    verbs = table.pop("verbs")
    kinds = msgspec.convert(table, dict[str, dict[str, _Extent]])
    return Knowledge(
        tuple(_concept(category, kinds) for category in vocabulary().categories.values()),
        tuple(_action(name, verb) for name, verb in verbs.items()),
    )


def synset(category: str) -> str:
    """The synset of a category: WordNet's for COCO's categories, a name in that form for the others.

    >>> synset("fire hydrant"), synset("ice cream")
    ('fireplug.n.01', 'ice_cream.n.01')
    """
    return coco_synsets.synsets().get(category) or f"{category.replace(' ', '_')}.n.01"


def _concept(category: Category, kinds: dict[str, dict[str, _Extent]]) -> Concept:
    held = {
        kind: tuple(name for name, extent in attributes.items() if extent.holds(category))
        for kind, attributes in kinds.items()
    }
    # VISA writes what a thing does with this prefix, and CompGuessWhat?! takes it off again.
    behaviour = tuple(f"beh_-_{name}" for name in held["behaviour"])
    attributes = {kind: names for kind, names in (held | {"behaviour": behaviour}).items() if names}
    return Concept(category.name, synset(category.name), attributes, (category.super_category,))


def _action(name: str, verb: dict[str, Any]) -> Action:
    fields = {"frame", "sentence"}
    roles = {role: _fillers(words) for role, words in verb.items() if role not in fields}
    return Action(name, verb["frame"], verb["sentence"], roles)


def _fillers(words: list[str]) -> tuple[str, ...]:
    known = vocabulary()
    found: dict[str, None] = {}
    for word in words:
        if word in known.categories:
            found[word] = None
        else:
            kin = (k.name for k in known.categories.values() if k.super_category == word)
            found |= dict.fromkeys(kin)
    return tuple(found)
