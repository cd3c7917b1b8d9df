"""The words of Iconworld: categories with their icons and super-categories, colours, sizes, places."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

SIDES = ("left", "right", "top", "bottom")
PLACES = (
    *SIDES,
    "middle",
    *(f"{side} half" for side in SIDES),
    *(f"{high} {wide}" for high in ("top", "bottom") for wide in ("left", "right")),
)
RELATIONS = ("next to", "left of", "right of", "above", "below")
STYLES = ("filled", "outline")
RANKS = ("first", "second", "third", "fourth", "fifth", "sixth")


class Noun(Struct, frozen=True):
    """A word for a kind of thing, and how to use it in a sentence."""

    name: str
    plural: str
    indefinite: str
    """The word after its indefinite article: "a dog", "an owl", "food"."""
    also: tuple[str, ...] = ()


class Category(Struct, frozen=True):
    """A kind of thing; unseen ones have no COCO id and never occur in a training picture."""

    name: str
    id: int
    super_category: str
    noun: Noun
    icons: tuple[str, ...] = ()
    styles: bool = True

    @property
    def unseen(self) -> bool:
        """Whether it is kept from training pictures."""
        return self.id == 0


class Vocabulary(Struct, frozen=True):
    """Everything that can be drawn or said."""

    colours: dict[str, str]
    sizes: dict[str, int]
    super_categories: dict[str, Noun]
    categories: dict[str, Category]

    def noun(self, name: str) -> Noun:
        """The noun of a category, a super-category, or "" (a thing)."""
        if not name:
            return THING
        category = self.categories.get(name)
        return category.noun if category else self.super_categories[name]

    def drawn(self, *, unseen: bool) -> tuple[Category, ...]:
        """The categories that have an icon: the unseen ones, or COCO's."""
        kinds = self.categories.values()
        return tuple(kind for kind in kinds if kind.icons and kind.unseen == unseen)


THING = Noun("thing", "things", "a thing", ("object", "item", "one"))


class _SuperEntry(Struct, forbid_unknown_fields=True):
    name: str = ""
    plural: str = ""
    mass: bool = False
    also: tuple[str, ...] = ()


class _Entry(Struct, forbid_unknown_fields=True):
    super: str
    icons: tuple[str, ...]
    id: int = 0
    plural: str = ""
    article: Literal["", "a", "an"] = ""
    mass: bool = False
    styles: bool = True
    also: tuple[str, ...] = ()


class _File(Struct, forbid_unknown_fields=True):
    colours: dict[str, str]
    sizes: dict[str, int]
    super_categories: dict[str, _SuperEntry]
    coco: dict[str, _Entry]
    unseen: dict[str, _Entry]


def with_article(word: str) -> str:
    """The word after "a" or "an"."""
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """The vocabulary, read from its file once."""
    text = files(__package__).joinpath("vocabulary.toml").read_text(encoding="utf-8")
    entries = msgspec.convert(tomllib.loads(text), _File)
    return Vocabulary(
        colours=entries.colours,
        sizes=entries.sizes,
        super_categories={
            name: _noun(entry.name or name, entry)
            for name, entry in entries.super_categories.items()
        },
        categories={
            name: Category(
                name, entry.id, entry.super, _noun(name, entry), entry.icons, entry.styles
            )
            for name, entry in (entries.coco | entries.unseen).items()
        },
    )


def _noun(name: str, entry: _Entry | _SuperEntry) -> Noun:
    article = entry.article if isinstance(entry, _Entry) else ""
    indefinite = name if entry.mass else f"{article} {name}" if article else with_article(name)
    plural = entry.plural or (name if entry.mass else f"{name}s")
    return Noun(name, plural, indefinite, entry.also)
