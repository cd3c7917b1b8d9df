"""What the rules say to an event that they do not accept, and the checks that the games share."""

from __future__ import annotations

from math import isfinite
from typing import Any

from msgspec import Struct

from referee.games.model import Answer, Ask, Belief, Believe, Guess, Pick, Reply, Stop

TOLERANCE = 1e-3
"""How far the sum of a distribution may be from one."""

_NAMES: dict[type, str] = {
    Ask: "a question",
    Stop: "a stop",
    Answer: "an answer",
    Reply: "a reply",
    Believe: "a belief",
    Pick: "a pick",
    Guess: "a guess",
}


class Refusal(Struct, frozen=True):
    """An event that the rules do not accept, and the reason in words that a person can read."""

    reason: str


def out_of_turn(due: str, seat: str | None, event: Any) -> Refusal:
    """The refusal of an event of a kind that is not due."""
    came = _NAMES.get(type(event), f"{type(event).__name__}, which is no event of a game,")
    article = "an" if due == "answer" else "a"
    if seat is None:
        return Refusal(f"{came} came, but the game is over")
    return Refusal(f"{came} came, but it is the {seat}'s turn to give {article} {due}")


def wrong_text(text: Any) -> str | None:
    """Why a text is no question, if it is none."""
    if not isinstance(text, str):
        return f"a question is a text, not {_kind(text)}"
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            return f"the question is no valid text: {error.reason}"
    return None if text.strip() else "the question is empty"


def wrong_distribution(probabilities: Any, count: int) -> str | None:
    """Why some numbers are not `count` probabilities that sum to one, if they are not."""
    if not isinstance(probabilities, tuple):
        return f"the probabilities are a tuple of numbers, not {_kind(probabilities)}"
    if len(probabilities) != count:
        return f"{len(probabilities)} probabilities came where {count} were due"
    try:
        # A number that is none makes the sum none, and every comparison with it false.
        total = sum(probabilities)
        if min(probabilities) >= 0 and -TOLERANCE <= total - 1 <= TOLERANCE:
            return None
        if min(probabilities) < 0 and isfinite(total):
            return f"a probability is negative ({min(probabilities)})"
    except (TypeError, ValueError, OverflowError):
        return "a probability is not a number"
    return f"the probabilities sum to {total:.6g}, not to one"


def wrong_belief(belief: Any, count: int) -> str | None:
    """Why a belief is none over `count` candidates, if it is none."""
    if not isinstance(belief, Belief):
        return f"a belief is a distribution over the candidates, not {_kind(belief)}"
    return wrong_distribution(belief.probabilities, count)


def wrong_numbers(numbers: Any, what: str) -> str | None:
    """Why some scores or log-likelihoods are not finite numbers, if they are not."""
    if not isinstance(numbers, tuple):
        return f"the {what} are a tuple of numbers, not {_kind(numbers)}"
    try:
        if all(map(isfinite, numbers)):
            return None
    except (TypeError, ValueError, OverflowError):
        return f"one of the {what} is not a number"
    return f"one of the {what} is not finite"


def _kind(value: Any) -> str:
    return "nothing" if value is None else type(value).__name__
