"""The phrases that `language` reads questions with: a lexicon, longest phrase first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Protocol, TypeAlias

from msgspec import Struct

from referee.datasets.iconworld.vocabulary import RANKS, SIDES, STYLES, THING, vocabulary

Fields: TypeAlias = tuple[tuple[str, str | int], ...]

OPENING = re.compile(
    r"^(?:(?:so|ok|okay|and|then|now|well|maybe|perhaps) )*"
    r"(?:is (?:the|its) colou?r(?: of it)?|(?:is|was) (?:it|this|that|he|she)|are (?:they|these)|"
    r"is the (?:object|target|thing|item|icon|one)|it is|it's|its)(?: |$)"
)
ARTICLES = ("a", "an", "the", "one of the", "any", "any of the", "some", "this", "that")
FILLERS = (
    *("colored", "coloured", "in color", "in colour", "color", "colour"),
    *("kind of", "some kind of", "type of", "a kind of", "a type of", "a pair of", "pair of"),
    *("drawn", "drawn as", "as", "just", "only", "and", "that is", "which is", "that's"),
    *("located", "standing", "placed", "shown", "somewhere", "all", "completely"),
)
THINGS = (THING.name, THING.plural, *THING.also, "ones", "objects", "items", "icon", "icons")
WHOLES = ("", *(f" of the {word}" for word in ("picture", "image", "photo", "scene", "screen")))
RELATED = {
    "next to": ("next to", "beside", "near", "near to", "close to", "by", "right next to"),
    "left of": ("left of", "to the left of", "on the left of", "on the left side of"),
    "right of": ("right of", "to the right of", "on the right of", "on the right side of"),
    "above": ("above", "over", "higher than", "on top of"),
    "below": ("below", "under", "underneath", "beneath", "lower than"),
}
_SPOKEN = {
    "small": ("small", "little", "tiny"),
    "medium": ("medium", "medium sized", "medium-sized", "mid-sized"),
    "large": ("large", "big", "huge"),
    "filled": ("filled", "filled in", "solid"),
    "outline": ("outline", "outlined", "an outline", "hollow", "in outline"),
    "gray": ("gray", "grey"),
}
_EXTREMES = {"left": "leftmost", "right": "rightmost", "top": "topmost", "bottom": "bottommost"}


class Phrase(Struct, frozen=True):
    """What the beginning of a text says, and what is left of the text."""

    fields: Fields
    rest: str
    article: bool = False
    describes: bool = False
    """Whether it can follow a colour: a noun, or a style."""


class Read(Protocol):
    """Reads the phrase with which a text begins."""

    def __call__(self, text: str, *, article: bool = False) -> Phrase | None:
        """The phrase, None where it is not known; `article`: one came before."""


def normalise(question: str) -> str:
    """The question in lower case, without punctuation.

    >>> normalise("  Is it the T-shirt?? ")
    'is it the t-shirt'
    """
    return " ".join(re.sub(r"[^a-z0-9'-]+", " ", question.lower()).split())


@lru_cache(maxsize=1)
def nouns() -> Mapping[str, tuple[str, str]]:
    """Every word for a kind of thing: ("category" or "super_category", its name)."""
    words: dict[str, tuple[str, str]] = {}
    known = vocabulary()
    for name, noun in known.super_categories.items():
        for word in (noun.name, noun.plural, *noun.also, *(f"{also}s" for also in noun.also)):
            words[word] = ("super_category", name)
    for name, category in known.categories.items():
        noun = category.noun
        for word in (*noun.also, *(f"{also}s" for also in noun.also), noun.name, noun.plural):
            words[word] = ("category", name)
    return words


_SIDES = {
    "left": ("left",),
    "right": ("right",),
    "top": ("top", "upper"),
    "bottom": ("bottom", "lower"),
}


def _places() -> Iterator[tuple[str, str]]:
    before = ("", "on the ", "to the ", "at the ", "in the ", "near the ")
    for side, names in _SIDES.items():
        for text in _texts(before, names, ("", " side", " part", " hand side"), WHOLES):
            yield text, side
        for text in _texts(before, names, (" half",), WHOLES):
            yield text, f"{side} half"
    for text in _texts(before, ("middle", "center", "centre"), WHOLES):
        yield text, "middle"
    for high, wide in product(SIDES[2:], SIDES[:2]):
        parts = (f" {wide}",), ("", " corner", " quadrant", " part"), WHOLES
        for text in _texts(before, _SIDES[high], *parts):
            yield text, f"{high} {wide}"


def _texts(*parts: Iterable[str]) -> Iterator[str]:
    return map("".join, product(*parts))


@lru_cache(maxsize=1)
def _lexicon() -> dict[str, Fields]:
    known = vocabulary()
    phrases: dict[str, Fields] = dict.fromkeys((*ARTICLES, *FILLERS, *THINGS), ())
    phrases |= {text: (("place", place),) for text, place in _places()}
    phrases |= {word: (kind,) for word, kind in nouns().items()}
    for field, values in (
        ("colour", known.colours),
        ("size", known.sizes),
        ("style", STYLES),
    ):
        for value in values:
            for word in _SPOKEN.get(value, (value,)):
                phrases[word] = ((field, value),)
    for rank, word in enumerate(RANKS, start=1):
        phrases[word] = (("rank", rank),)
    for side in SIDES:
        phrases[f"from the {side}"] = phrases[f"from {side}"] = (("side", side),)
        for word in (_EXTREMES[side], f"furthest {side}", f"farthest {side}"):
            phrases[word] = (("rank", 1), ("side", side))
    for relation, texts in RELATED.items():
        for text in texts:
            phrases[text] = (("relation", relation),)
    return phrases


def _beginning(words: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(f"(?:{'|'.join(map(re.escape, longest_first))})(?= |$)")


@lru_cache(maxsize=1)
def reader() -> Read:
    """The function that reads the phrase with which a text begins, None where it knows none.

    "Orange" is the fruit after an article, unless a noun follows; else it is the colour.
    """
    lexicon, kinds = _lexicon(), nouns()
    beginning, noun_beginning = _beginning(lexicon), _beginning(kinds)

    def read(text: str, *, article: bool = False) -> Phrase | None:
        match = beginning.match(text)
        if match is None:
            return None
        word, fields, rest = match[0], lexicon[match[0]], text[match.end() :].lstrip()
        if word in ARTICLES:
            return Phrase((), rest, article=True)
        if word == "orange" and article:
            following = read(rest, article=True) if rest else None
            if following is None or not following.describes:
                fields = (("category", "orange"),)
        if fields and fields[0][0] == "relation":
            other = noun_beginning.match(re.sub(r"^(?:an?|the|any|another|some) ", "", rest))
            if other is None or kinds[other[0]][0] != "category":
                return None
            fields = (*fields, ("other", kinds[other[0]][1]))
            rest = other.string[other.end() :].lstrip()
        describes = word in THINGS or any(
            name == "style" or name.endswith("category") for name, _ in fields
        )
        return Phrase(fields, rest, article=article, describes=describes)

    return read
