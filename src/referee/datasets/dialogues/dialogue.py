"""A dialogue as a log tells it: what was said and guessed, often without the scene it was about."""

from __future__ import annotations

import re

from msgspec import Struct

from referee.errors import DataError
from referee.games import ANSWERS, Status, Turn

_SAID = {form: answer for answer in ANSWERS for form in (answer.lower(), f"<{answer.lower()}>")}
_MARKS = frozenset({"<start>", "<stop>", "<stop_dialogue>", "<padding>"})
_ANSWERED = re.compile(r"(<yes>|<no>|<n/a>)", re.IGNORECASE)


class Dialogue(Struct, frozen=True, omit_defaults=True):
    """A played game of which a file says only part; `joining` finds the scene among the games.

    Some files name target and guess by id, others by place in the list of objects. `slots` are the
    guesser's probabilities before the first question and after each turn, over the objects in their
    order and whatever padding the model had behind them; a row of zeros says nothing.
    """

    number: int
    game: str = ""
    image: str = ""
    target: str = ""
    target_index: int | None = None
    target_category: str = ""
    guess: str = ""
    guess_index: int | None = None
    turns: tuple[Turn, ...] = ()
    unanswered: str = ""
    status: Status = "incomplete"
    slots: tuple[tuple[float, ...], ...] = ()


def answer_of(text: str, field: str = "answer") -> str:
    """Yes, No or N/A, from one of the spellings that the logs use."""
    answer = _SAID.get(text.strip().lower())
    if answer is None:
        raise DataError(f"{text!r} is no answer", field=field, expected="yes, no or n/a")
    return answer


def spoken(text: str, field: str = "gen_dialogue") -> tuple[tuple[Turn, ...], str]:
    """The turns of "<start> is it a dog ? <no> is it red ? <yes>", and a last question unanswered."""
    *said, rest = _ANSWERED.split(text)
    turns = [
        Turn(_without_marks(question), answer_of(answer))
        for question, answer in zip(said[::2], said[1::2], strict=True)
    ]
    if any(not turn.question for turn in turns):
        raise DataError(
            "an answer follows no question", field=field, expected="a question before each answer"
        )
    return tuple(turns), _without_marks(rest)


def written(turns: tuple[Turn, ...], *, start: bool = True) -> str:
    """The turns as one string of the kind that `spoken` reads."""
    said = ["<start>"] if start else []
    for turn in turns:
        said.append(spaced(turn.question))
        said.append(f"<{turn.answer.lower()}>")
    return " ".join(said)


def spaced(question: str, *, marked: bool = True) -> str:
    """A question as the logs have it: lower case, with a space before its question mark.

    One that was cut, so that it has no mark, gets one where the log's readers look for it (`marked`).

    >>> spaced("Is it red?"), spaced("is it the"), spaced("is it the", marked=False), spaced("?")
    ('is it red ?', 'is it the ?', 'is it the', '?')
    """
    text = question.strip()
    words = text.removesuffix("?").rstrip().lower()
    return f"{words} ?".lstrip() if marked or text.endswith("?") else words


def check_status(status: Status, target: str | int, guess: str | int, field: str) -> None:
    """Refuses a record whose status is not what its guess and target say."""
    if status != ("success" if guess == target else "failure"):
        raise DataError(
            f"the status is {status}, yet the guess is {guess} and the target {target}",
            field=field,
            expected="success exactly where the guess is the target",
        )


def _without_marks(text: str) -> str:
    return " ".join(word for word in text.split() if word.lower() not in _MARKS)
