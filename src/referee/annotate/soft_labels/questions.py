"""What a question asks, as far as it is one of the paper's four types (belief.txt, section 3.1).

category   "is it an animal?"   several of COCO's categories, or people
object     "a dog?"             one category
spatial    "on the left?"       an absolute place: a side, a half, a corner, the middle
colour     "is it red?"

A question is read whole or not at all: "the dog on the left", "the man", "left of the dog" and whatever
else has a word too many are not covered. People often say "the left of the picture" for its left half,
which rule R2 tells from the plain left.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from referee.annotate.soft_labels.concepts import colours, concepts

Type: TypeAlias = Literal["category", "object", "spatial", "colour"]
TYPES: tuple[Type, ...] = ("category", "object", "spatial", "colour")

_IT = (
    r"(?:it|its|this|that|they|these|those|he|she|he/she|"
    r"(?:the|your|our|my) (?:target |chosen |selected |secret )?(?:object|target|thing|item|one|answer))"
)
_OPENING = re.compile(
    r"^(?:(?:so|ok|okay|and|then|well|hi|hello|now) )*"
    rf"(?:(?:is|are|was|were|does|do) )*(?:(?:{_IT}|it it) )?(?:(?:is|are|was|appear to be|look to be) )?"
    r"(?:the one (?:that is |that's |which is )?(?=in |on |at |to ))?"
    r"(?:(?:considered|classified as|just|a type of|type of|a kind of|kind of|some kind of|some type of"
    r"|some sort of|a sort of|located|positioned|situated|located somewhere|somewhere|part of the group"
    r" of) )*"
)
_TAG = re.compile(r"(?: (?:please|then|at all|right now|or not))+$")
_PICTURE = r"(?:picture|image|photo|photograph|pic|scene|frame|shot)"
_ENDING = re.compile(
    r"(?: (?:that is |that's )?(?:shown |depicted |seen )?(?:in|of|from) (?:the|this) "
    rf"{_PICTURE})+$"
)
_WHOLE = rf"(?:(?: of| in| on)? (?:the |this )?(?P<whole>{_PICTURE}))"
_SIDE = r"left|right|top|bottom|upper|lower"
_PART = r"(?:(?: (?:hand|handed))? (?P<part>side|part|portion|section|area|region|half))?"
_PREPOSITION = r"(?:(?:on|in|at|to|toward|towards|within|inside|along) )?"
_ARTICLE = r"(?:(?:the|my|your|our|a) )?"
_PLACE = re.compile(
    rf"^(?P<before>{_PREPOSITION}{_ARTICLE})(?P<half>half )?(?P<side>{_SIDE}){_PART}{_WHOLE}?$"
)
_OF_SIDE = rf"(?: (?:side|half|part))?(?: (?:of|in) (?:the |this )?{_PICTURE})?"
_JOINED = r"(?: and)?(?: (?:on|in|at|to))?(?: (?:the|my|your|our))? "
_CORNER = re.compile(
    rf"^{_PREPOSITION}{_ARTICLE}(?:"
    rf"(?P<high>top|bottom|upper|lower){_OF_SIDE}{_JOINED}(?P<wide>left|right)"
    rf"|(?P<wide2>left|right){_OF_SIDE}{_JOINED}(?P<high2>top|bottom|upper|lower))"
    r"(?: (?:hand|handed))?(?: (?:corner|side|half|part|portion|section|area|region|quadrant|quarter))?"
    rf"{_WHOLE}?$"
)
_MIDDLE = re.compile(
    rf"^{_PREPOSITION}{_ARTICLE}(?:(?:exact|very) )?(?:middle|center|centre|central)"
    rf"(?: (?:part|portion|section|area|region))?{_WHOLE}?$"
)
_NOUN = re.compile(
    r"^(?:(?:an?|the|any|some|any of the|one of the|some of the|any kind of|any type of|a|any sort of) )?"
    r"(?P<noun>.+)$"
)
_COLOUR = re.compile(
    r"^(?:(?:the|a|an) )?(?:(?:colou?r )|colou?red )?(?P<colour>\S+)"
    r"(?: (?:in colou?r|colou?red|colou?r|one|thing|object|item))?$"
)
_TWICE = re.compile(r"\b(\S+)(?: \1\b)+")
_UPPER = {"upper": "top", "lower": "bottom"}
_OR = " or "


class Asked(Struct, frozen=True):
    """What a question asks for: words for things, one of `REGIONS`, or colours; of several, any."""

    type: Type
    names: tuple[str, ...]

    @property
    def said(self) -> str:
        """What is asked for in words."""
        return _OR.join(self.names)


@lru_cache(maxsize=1 << 17)
def parse(question: str) -> Asked | None:
    """What a question asks, or None where it is not covered.

    >>> parse("Is it an animal?"), parse("a cat or a dog?")
    (Asked(type='category', names=('animal',)), Asked(type='object', names=('cat', 'dog')))
    >>> parse("on the top left?"), parse("is it in the left half of the picture")
    (Asked(type='spatial', names=('top left',)), Asked(type='spatial', names=('left half',)))
    >>> parse("Is it orange?").type, parse("is it an orange").type
    ('colour', 'object')
    >>> parse("is it the dog on the left?") is None, parse("left of the dog?") is None
    (True, True)
    """
    body = _TAG.sub("", _OPENING.sub("", normalise(question), count=1))
    region = _region(body)
    if region is not None:
        return Asked("spatial", (region,))
    body = _ENDING.sub("", body)
    return _things(body) or _coloured(body)


def normalise(question: str) -> str:
    """The question in lower case, without punctuation; hyphens part words, and no word comes twice running.

    >>> normalise(" Is it the the T-shirt?? ")
    'is it the t shirt'
    """
    plain = re.sub(r"[^a-z0-9'/]+", " ", question.lower().replace("'s ", " is "))
    # Questioners that are networks stammer.
    return _TWICE.sub(r"\1", " ".join(plain.split()))


def _region(body: str) -> str | None:
    """The place for which a text asks, if it asks for a place of the whole picture and no more."""
    corner = _CORNER.match(body)
    if corner is not None:
        high, wide = corner["high"] or corner["high2"], corner["wide"] or corner["wide2"]
        return f"{_UPPER.get(high, high)} {wide}"
    if _MIDDLE.match(body):
        return "middle"
    place = _PLACE.match(body)
    if place is None or not (place["part"] or place["whole"] or _bare(body, place["side"])):
        return None
    side = _UPPER.get(place["side"], place["side"])
    whole = place["half"] or place["part"] == "half" or place["whole"]
    return f"{side} half" if whole else side


def _bare(body: str, side: str) -> bool:
    """Whether a side alone is a place: "is it right?" may ask whether it is so, "on top" of what."""
    if side == "left":
        return True
    return body != "on top" and side not in _UPPER and body.startswith(("on ", "in ", "at ", "to"))


def _things(body: str) -> Asked | None:
    known = concepts()
    nouns: list[str] = []
    articles = False
    for text in body.split(_OR):
        found = _NOUN.match(text)
        word = text if text in known else found["noun"] if found is not None else ""
        if word not in known:
            return None
        articles |= word != text
        nouns.append(word)
    if not articles and any(word in colours() for word in nouns):
        return None
    several = any(known[word].kind == "category" for word in nouns)
    return Asked("category" if several else "object", tuple(nouns))


def _coloured(body: str) -> Asked | None:
    names: list[str] = []
    for text in body.split(_OR):
        found = _COLOUR.match(text)
        if found is None or found["colour"] not in colours():
            return None
        names.append(colours()[found["colour"]])
    return Asked("colour", tuple(dict.fromkeys(names)))


@cache
def regions() -> tuple[str, ...]:
    """Every place that `parse` can find."""
    sides = ("left", "right", "top", "bottom")
    corners = tuple(f"{high} {wide}" for high in sides[2:] for wide in sides[:2])
    return (*sides, *(f"{side} half" for side in sides), "middle", *corners)
