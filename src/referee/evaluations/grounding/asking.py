"""Attributes as questions: the words of VISA's norms, of imSitu's roles and of locations, in English."""

from __future__ import annotations

from referee.metrics.boxes import LOCATIONS

_PLACES = {
    "left_image": "is it on the left?",
    "right_image": "is it on the right?",
    "top_image": "is it at the top?",
    "bottom_image": "is it at the bottom?",
    "center": "is it in the middle?",
}
_HEADS = {"agent": "can it be", "has": "does it have", "have": "does it have", "is": "is it"}
_DOES = frozenset(
    {
        *("comes", "contains", "costs", "eats", "explodes", "feels", "grows", "lives", "looks"),
        *("moves", "needs", "produces", "requires", "rings", "smells", "sounds", "tastes", "works"),
    }
)
"""Verbs with which attributes begin that are not marked as behaviours."""
_HISSED = ("ches", "shes", "sses", "xes", "zzes", "oes")


def question(attribute: str) -> str:
    """An attribute as it is asked about.

    >>> question("has legs"), question(" flies"), question("left_image")
    ('does it have legs?', 'does it fly?', 'is it on the left?')
    >>> question("agent eating"), question("can_be riding"), question("used_to chopping")
    ('can it be eating?', 'can somebody be riding it?', 'is it used for chopping?')
    """
    if attribute in _PLACES:
        return _PLACES[attribute]
    name = attribute.replace("_", " ")
    first, _, rest = name.strip().partition(" ")
    if first == "in" and rest.partition(" ")[0] in _DOES:
        # What is left of inbeh_-_, the mark of what lifeless things do.
        return question(rest)
    if first in _HEADS and rest:
        return f"{_HEADS[first]} {rest}?"
    if first in ("can", "used") and rest:
        return _use(first, rest)
    if name.startswith(" ") or first in _DOES:
        return f"does it {_base(first)} {rest}".rstrip() + "?"
    return f"is it {name}?"


def _use(first: str, rest: str) -> str:
    """What is done to a thing, and what with it; imSitu's verbs are all in -ing."""
    _, _, done = rest.partition(" ")
    if first == "can":
        return f"can somebody be {done} it?" if done.endswith("ing") else f"can it {rest}?"
    return f"is it used for {done}?" if done.endswith("ing") else f"is it used {rest}?"


def _base(verb: str) -> str:
    """What someone does as it is called who is asked whether he does.

    >>> [_base(verb) for verb in ("eats", "flies", "lies", "catches", "goes", "hisses", "explodes", "hop")]
    ['eat', 'fly', 'lie', 'catch', 'go', 'hiss', 'explode', 'hop']
    >>> [_base(verb) for verb in ("freezes", "buzzes")]
    ['freeze', 'buzz']
    """
    if verb.endswith("ies") and len(verb) > len("lies"):
        return f"{verb[:-3]}y"
    if verb.endswith(_HISSED):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


assert set(_PLACES) == set(LOCATIONS)  # noqa: S101 - every location has its question
