"""Open questions about a picture ("how many dogs are there?"), and every right answer to them.

`reply` gives the plain right answer, `right_answers` all the ways in which it could be said, each with
its relevance: 1 where it says all that was asked, less where it is true but vague.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from referee.datasets.iconworld.grammar import normalise, nouns
from referee.datasets.iconworld.questions import Predicate, parse, phrase, placed
from referee.datasets.iconworld.truth import Sight, sight
from referee.datasets.iconworld.vocabulary import SIDES, THING, Noun, vocabulary
from referee.games import Scene

Sort = Literal["exists", "count", "colour", "size", "place", "whether"]
VAGUE = 0.4
"""The relevance of an answer that is true but says less than was asked."""
UNSURE = "i can't tell"
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class OpenQuestion(Struct, frozen=True, repr_omit_defaults=True):
    """What is asked of the things of a kind; "" is any thing."""

    sort: Sort
    kind: str = ""
    predicate: Predicate | None = None
    """For `whether`: what is asked about the things of the kind ("is the dog red")."""


_WORDS = r"(?P<kind>[a-z0-9'-]+(?: [a-z0-9'-]+){0,2}?)"
_PATTERNS: tuple[tuple[Sort, re.Pattern[str]], ...] = (
    (
        "count",
        re.compile(rf"how many (?:of the )?{_WORDS}(?: are there| do you see| can you see)?$"),
    ),
    ("colour", re.compile(rf"what (?:is the )?colou?rs? (?:is|are|of) (?:the |it )?{_WORDS}$")),
    ("size", re.compile(rf"(?:what size|how (?:big|large)) (?:is|are) (?:the )?{_WORDS}$")),
    ("place", re.compile(rf"where (?:is|are) (?:the )?{_WORDS}$")),
    ("exists", re.compile(rf"(?:is there|do you see|can you see) (?:an? |any )?{_WORDS}$")),
    ("exists", re.compile(rf"(?:are there )?any {_WORDS}$")),
)
_WHETHER = re.compile(r"(?:is|are) the (?P<text>.+)$")
_TAIL = re.compile(r" (?:in|on) the (?:picture|image|photo|scene)$")


@lru_cache(maxsize=65536)
def parse_open(question: str) -> OpenQuestion | None:
    """What an open question asks for, None where it is not understood.

    >>> parse_open("How many dogs are there?")
    OpenQuestion(sort='count', kind='dog')
    """
    text = _TAIL.sub("", normalise(question))
    for sort, pattern in _PATTERNS:
        match = pattern.match(text)
        kind = _kind(match["kind"]) if match else None
        if kind is not None:
            return OpenQuestion(sort, kind)
    match = _WHETHER.match(text)
    if match is None:
        return None
    words = match["text"].split()
    for count in (3, 2, 1):
        kind = _kind(" ".join(words[:count]))
        asked = parse(" ".join(("is it", *words[count:]))) if kind and words[count:] else None
        if kind and asked is not None and not (asked.category or asked.super_category):
            return OpenQuestion("whether", kind, asked)
    return None


def _kind(words: str) -> str | None:
    if words in (THING.name, THING.plural, *(f"{also}s" for also in THING.also)):
        return ""
    found = nouns().get(words)
    return found[1] if found else None


def ask_open(question: OpenQuestion, *, several: bool = False) -> str:
    """The question as VisDial's people would type it: lower case, no question mark."""
    noun = vocabulary().noun(question.kind)
    name = noun.plural if several else noun.name
    be = "are" if several else "is"
    if question.sort == "whether" and question.predicate is not None:
        condition = phrase(question.predicate).rstrip("?").removeprefix("Is it ")
        return f"{be} the {name} {condition}"
    return {
        "count": f"how many {noun.plural} are there",
        "exists": f"are there any {noun.plural}" if several else f"is there {noun.indefinite}",
        "colour": f"what color {be} the {name}",
        "size": f"what size {be} the {name}",
        "place": f"where {be} the {name}",
    }[question.sort]


def right_answers(question: OpenQuestion, scene: Scene) -> dict[str, float]:
    """Every right answer that this module can word, with its relevance, the plainest first.

    A question about things that are not there, or about several that differ where only one was meant,
    has answers that say just that.
    """
    view = sight(scene)
    mask = view.category(question.kind)
    noun = vocabulary().noun(question.kind)
    if question.sort == "count":
        return counted_answers(mask.bit_count(), noun)
    if question.sort == "exists":
        return existing_answers(mask.bit_count(), noun)
    if not mask:
        return {
            f"there is no {noun.name}": 1.0,
            f"i don't see {noun.indefinite}": 1.0,
            f"no {noun.name} in the picture": 1.0,
        }
    if question.sort == "whether" and question.predicate is not None:
        return _whether(view, mask, question.predicate)
    if question.sort == "place":
        return _located(view, mask)
    return _described(view, mask, question.sort)


def counted_answers(count: int, noun: Noun) -> dict[str, float]:
    """How people say how many there are."""
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    if count == 0:
        exact = ["0", "zero", "none", f"there are no {noun.plural}"]
        return dict.fromkeys(exact, 1.0) | {"i don't see any": 1.0}
    name, be = (noun.name, "is") if count == 1 else (noun.plural, "are")
    exact = [str(count), number, f"{count} {name}", f"there {be} {number}", f"{number} {name}"]
    exact += ["just 1", "only one"] if count == 1 else [f"i see {count}", f"i count {number}"]
    vague = {1: ["at least one"], 2: ["a couple", "more than one"]}.get(
        count, ["several", "a few", "more than one", "more than two"]
    )
    return dict.fromkeys(exact, 1.0) | dict.fromkeys(vague, VAGUE)


def existing_answers(count: int, noun: Noun) -> dict[str, float]:
    """How people say whether there are any."""
    if not count:
        return dict.fromkeys(
            ("no", "nope", "no there is not", "not that i can see", f"there are no {noun.plural}"),
            1.0,
        )
    sure = ["yes", "yes there is", "yep", "yes i can see that"]
    sure += ["yes just one", "yes 1"] if count == 1 else [f"yes {count}", "yes more than one"]
    return dict.fromkeys(sure, 1.0)


ALL = ("yes", "yep", "yes it is", "it is", "i believe so")
NONE = ("no", "nope", "no it isn't", "it is not", "i don't think so")
SOME = ("some of them", "only some", "not all of them")


def _whether(view: Sight, mask: int, predicate: Predicate) -> dict[str, float]:
    yes, known = (part & mask for part in view.masks(predicate))
    if yes == mask:
        return dict.fromkeys(ALL, 1.0)
    if known == mask and not yes:
        return dict.fromkeys(NONE, 1.0)
    if yes:
        return dict.fromkeys(SOME, 1.0) | {"yes and no": VAGUE}
    return {UNSURE: 1.0, "hard to say": 1.0}


CORNERS_AND_MIDDLE = ("top left", "top right", "bottom left", "bottom right", "middle")


def _located(view: Sight, mask: int) -> dict[str, float]:
    held = [place for place in CORNERS_AND_MIDDLE if not mask & ~view.placed(place)]
    answers = {text: 1.0 for place in held for text in place_answers(place)}
    for side in SIDES:
        if not mask & ~view.placed(side):
            answers |= dict.fromkeys(place_answers(side), VAGUE if held else 1.0)
    return answers or dict.fromkeys(SCATTERED, 1.0)


SCATTERED = ("in different places", "they are spread out", "not all in one place")


def place_answers(place: str) -> tuple[str, ...]:
    """How people say where something is."""
    said = placed(place)
    more = f"towards the {place}" if place in SIDES else f"{said} of the picture"
    return said, f"it is {said}", more


def _described(view: Sight, mask: int, sort: Sort) -> dict[str, float]:
    values = worn(view, mask, sort)
    if not values:
        return {UNSURE: 1.0, "hard to say": 1.0}
    if len(values) == 1:
        return dict.fromkeys(value_answers(values[0]), 1.0)
    orders = (values, values[::-1])
    exact = dict.fromkeys((text for order in orders for text in values_answers(order)), 1.0)
    return exact | dict.fromkeys(("they differ", *(f"one is {value}" for value in values)), VAGUE)


def worn(view: Sight, mask: int, sort: Sort) -> tuple[str, ...]:
    """The colours or the sizes of some things; none where that of any is not known."""
    if mask & ~view.known(sort):
        return ()
    return tuple(value for value, things in view.values(sort).items() if things & mask)


def value_answers(value: str) -> tuple[str, ...]:
    """How people say a colour or a size."""
    return value, f"it is {value}", f"it's {value}", f"looks {value}", f"i think {value}"


def values_answers(values: tuple[str, ...]) -> tuple[str, ...]:
    """How people say several."""
    text = f"{', '.join(values[:-1])} and {values[-1]}"
    return text, f"they are {text}"


def reply(question: str, scene: Scene) -> str:
    """The plain right answer to an open question; `UNSURE` where it is not understood.

    A yes/no question about the scene as a whole counts as open: "is there a dog", "is the dog red".
    """
    asked = parse_open(question)
    return UNSURE if asked is None else next(iter(right_answers(asked, scene)))
