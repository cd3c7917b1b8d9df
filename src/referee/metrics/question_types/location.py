"""Kinds of location questions: by number, by relation to something, absolute; and those of order."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast, get_args

from referee.metrics.question_types.classifying import question_types
from referee.metrics.question_types.keywords import Keywords, location_words
from referee.metrics.question_types.words import words

Subtype: TypeAlias = Literal["number", "relational", "absolute"]
SUBTYPES = cast("tuple[Subtype, ...]", get_args(Subtype))


def location_subtype(question: str, keywords: Keywords) -> Subtype | None:
    """How a location question tells the place; None for any other question.

    number: it counts (an ordinal, a cardinal, digits). relational: it holds an adposition or one of
    has, have, facing, and at or after the last of these something that the place is told by: an object or
    a super-category, also as a pronoun, but not the picture or the camera.
    absolute: every other one. The source asks a tagger for numbers and adpositions; here both are
    closed lists of words.

    >>> from referee.metrics.question_types import keywords
    >>> exact = keywords("exact")
    >>> questions = "third from the left?", "next to the car?", "left of the picture?", "a car?"
    >>> [location_subtype(question, exact) for question in questions]
    ['number', 'relational', 'absolute', None]
    """
    if "location" not in question_types(question, keywords):
        return None
    text, known = words(question), location_words()
    if _counts(text):
        return "number"
    binding = known.adpositions | known.relational_verbs
    places = [place for place, word in enumerate(text) if word in binding]
    if places:
        found = list(zip(text, keywords.found(text), strict=True))
        if any(_is_a_thing(word, kinds) for word, kinds in found[places[-1] :]):
            return "relational"
    return "absolute"


def is_order(question: str, keywords: Keywords) -> bool:
    """Whether it is a location question about the order of things (questions.txt, 4.3).

    >>> from referee.metrics.question_types import keywords
    >>> is_order("the third counting from the left?", keywords("exact"))
    True
    """
    ordinals = location_words().ordinals
    counted = any(word in ordinals for word in words(question))
    return counted and "location" in question_types(question, keywords)


def is_plainly_absolute(question: str, keywords: Keywords) -> bool:
    """Whether a question asks for an absolute place and for nothing else.

    Its types are location alone, it is of the absolute kind, and it holds a word or a superlative of
    absolute places (left, bottom, corner …).

    >>> from referee.metrics.question_types import keywords
    >>> exact = keywords("exact")
    >>> questions = "in the left half?", "the red one on the left?"
    >>> [is_plainly_absolute(question, exact) for question in questions]
    [True, False]
    """
    if question_types(question, keywords) != {"location"}:
        return False
    if location_subtype(question, keywords) != "absolute":
        return False
    text, known = words(question), location_words()
    joined = f" {' '.join(text)} "
    return any(word in known.absolute_words for word in text) or any(
        f" {superlative} " in joined for superlative in known.superlatives
    )


def _is_a_thing(word: str, kinds: frozenset[str]) -> bool:
    """Whether a place can be told by what this word, of these types, stands for."""
    known = location_words()
    if word in known.more_things:
        return True
    return word not in known.no_things and bool(kinds & {"object", "super_category"})


def _counts(text: list[str]) -> bool:
    known = location_words()
    # "the one on the left" counts nothing: of the cardinals, one stands for a thing.
    return any(
        word in known.ordinals or (word in known.cardinals and word != "one") or word.isdecimal()
        for word in text
    )
