"""The types of a question, and the one coarse type that a shift of strategy is told by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from referee.metrics.question_types.keywords import Keywords
from referee.metrics.question_types.words import words

Coarse: TypeAlias = Literal["attribute", "object", "super_category", "other"]

ATTRIBUTES = ("color", "shape", "size", "texture", "location", "action")
TYPES = (*ATTRIBUTES, "object", "super_category", "other")
"""The types of questions.txt, Table 2; its "Obj" is object and super_category together."""


@dataclass(frozen=True)
class Grouping:
    """What one paper counts as an attribute."""

    name: str
    attributes: frozenset[str]


GROUPINGS: dict[str, Grouping] = {
    "effectiveness": Grouping("effectiveness", frozenset(ATTRIBUTES)),
    "compguesswhat": Grouping("compguesswhat", frozenset(ATTRIBUTES) - {"action"}),
}
"""questions.txt has eight types, the action among the attributes; grounding.txt (A.5) knows no action."""


@lru_cache(maxsize=1 << 16)
def question_types(
    question: str, keywords: Keywords, grouping: Grouping = GROUPINGS["effectiveness"]
) -> frozenset[str]:
    """Everything that a question asks about.

    It has each attribute type of which it holds a keyword; only a question without any is looked
    through for an object, and only one without an object for a super-category; what is left is other.

    >>> from referee.metrics.question_types import keywords
    >>> exact = keywords("exact")
    >>> sorted(question_types("Is it the white one on the left?", exact))
    ['color', 'location']
    >>> [sorted(question_types(text, exact)) for text in ("is it a car?", "an animal?", "is it?")]
    [['object'], ['super_category'], ['other']]
    """
    found = frozenset[str]().union(*keywords.found(words(question)))
    if found & grouping.attributes:
        return found & grouping.attributes
    for kind in ("object", "super_category"):
        if kind in found:
            return frozenset({kind})
    return frozenset({"other"})


def coarse_type(
    question: str, keywords: Keywords, grouping: Grouping = GROUPINGS["compguesswhat"]
) -> Coarse:
    """Attribute, object, super_category or other.

    >>> from referee.metrics.question_types import keywords
    >>> coarse_type("is the person running?", keywords("exact"))
    'super_category'
    >>> coarse_type("is he eating?", keywords("exact"), GROUPINGS["effectiveness"])
    'attribute'
    """
    found = question_types(question, keywords, grouping)
    if found & grouping.attributes:
        return "attribute"
    (only,) = found
    return only  # type: ignore[return-value]
