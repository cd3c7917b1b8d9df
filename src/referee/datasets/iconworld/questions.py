"""Yes/no questions about one thing, to predicates and back.

A predicate is a conjunction of conditions on one thing. `parse` reads the questions that people would
write and gives None for what it does not cover; `phrases` writes a predicate in several ways, each of
which `parse` reads back.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from referee.datasets.iconworld.grammar import OPENING, normalise, reader
from referee.datasets.iconworld.vocabulary import RANKS, vocabulary


class Predicate(Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """Conditions that must all hold; an empty one is not asked for."""

    super_category: str = ""
    category: str = ""
    colour: str = ""
    size: str = ""
    style: str = ""
    place: str = ""
    relation: str = ""
    other: str = ""
    """The category that `relation` is about."""
    rank: int = 0
    """1 for the first from `side`, among the things that fit the category."""
    side: str = ""


@lru_cache(maxsize=65536)
def parse(question: str) -> Predicate | None:
    """The predicate that a yes/no question asks for, or None where it is not understood.

    >>> parse("Is it the red dog, on the left?")
    Predicate(category='dog', colour='red', place='left')
    >>> parse("do you like it?") is None
    True
    """
    rest = OPENING.sub("", normalise(question), count=1)
    found: dict[str, str | int] = {}
    read = reader()
    article = False
    while rest:
        phrase = read(rest, article=article)
        if phrase is None or any(name in found for name, _ in phrase.fields):
            return None
        found.update(phrase.fields)
        article = phrase.article
        rest = phrase.rest
    if not found or ("rank" in found and "super_category" in found):
        return None
    return Predicate(**found)  # type: ignore[arg-type]


def phrase(predicate: Predicate, variant: int = 0) -> str:
    """The predicate as a question, in one of the ways in which people would ask it.

    >>> phrase(Predicate(category="umbrella"))
    'Is it an umbrella?'
    """
    texts = phrases(predicate)
    return texts[variant % len(texts)]


@lru_cache(maxsize=65536)
def phrases(predicate: Predicate) -> tuple[str, ...]:
    """Every way in which this module asks for the predicate, the plainest first."""
    conditions = [name for name in predicate.__struct_fields__ if getattr(predicate, name)]
    if len(conditions) == 1 or conditions == ["relation", "other"]:
        bodies = _single(predicate)
    else:
        bodies = [f"the {described(predicate)}"]
    lower = [f"is it {body}?" for body in bodies]
    return tuple(text.capitalize() for text in lower) + tuple(lower)


def described(predicate: Predicate) -> str:
    """The predicate as a noun phrase without its article: "large red dog on the left"."""
    p = predicate
    noun = vocabulary().noun(p.category or p.super_category).name
    words = [p.size, p.colour, "outlined" if p.style == "outline" else p.style, noun]
    if p.rank:
        words = [RANKS[p.rank - 1], *words, f"from the {p.side}"]
    if p.relation:
        words.append(related(p.relation, p.other))
    if p.place:
        words.append(placed(p.place))
    return " ".join(word for word in words if word)


def placed(place: str) -> str:
    """The place as people say it: "on the left", "at the top", "in the top left corner"."""
    if place.endswith("half"):
        return f"in the {place} of the picture"
    if " " in place:
        return f"in the {place} corner"
    return {"middle": "in the middle", "top": "at the top", "bottom": "at the bottom"}.get(
        place, f"on the {place}"
    )


def related(relation: str, other: str) -> str:
    """The relation as people say it: "next to the dog"."""
    words = f"to the {relation}" if relation in ("left of", "right of") else relation
    return f"{words} the {other}"


def _single(p: Predicate) -> list[str]:
    if p.super_category:
        noun = vocabulary().super_categories[p.super_category]
        bodies = [noun.indefinite, f"some kind of {noun.name}"]
    elif p.category:
        kind = vocabulary().categories[p.category].noun
        bodies = [kind.indefinite, f"the {kind.name}", f"one of the {kind.plural}"]
    elif p.colour:
        bodies = [p.colour, f"{p.colour} in color", f"the {p.colour} one"]
    elif p.size:
        bodies = [p.size, f"a {p.size} one"]
    elif p.style:
        bodies = {
            "outline": ["drawn as an outline", "just an outline"],
            "filled": ["filled in", "filled"],
        }[p.style]
    elif p.place:
        whole = "" if p.place.endswith("half") else " of the picture"
        bodies = [placed(p.place), f"{placed(p.place)}{whole}"]
        if p.place in ("left", "right"):
            bodies.append(f"on the {p.place} side")
    else:
        bodies = [related(p.relation, p.other)]
        if p.relation == "next to":
            bodies += [f"near the {p.other}", f"beside the {p.other}"]
    return bodies
