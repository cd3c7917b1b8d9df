"""What an oracle gave, checked: a row of three probabilities for each question that it was asked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.errors import SeatError
from referee.games import ANSWERS
from referee.games.refusal import TOLERANCE


class NoAnswers(SeatError):
    """An oracle gave something else; `place` is the question that it concerns, or the first."""

    def __init__(self, reason: str, place: int = 0) -> None:
        self.reason, self.place = reason, place
        super().__init__(reason)


def probabilities(given: object, questions: int) -> NDArray[np.float64]:
    """The probabilities of the three answers to each of so many questions, [question, 3].

    >>> probabilities([[1, 0, 0]], questions=1)
    array([[1., 0., 0.]])
    """
    try:
        rows = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise NoAnswers(f"gave no array of probabilities: {error}") from error
    if rows.shape != (questions, len(ANSWERS)):
        raise NoAnswers(
            f"gave probabilities of shape {list(rows.shape)} for {questions} questions "
            f"(expected [{questions}, {len(ANSWERS)}])"
        )
    # A number that is none fails every comparison, so that the negation catches it too.
    wrong = ~((rows >= 0).all(axis=1) & (np.abs(rows.sum(axis=1) - 1) <= TOLERANCE))
    if wrong.any():
        place = int(wrong.argmax())
        raise NoAnswers(
            f"gave {rows[place].tolist()} where probabilities of {', '.join(ANSWERS)} "
            "that sum to one were due",
            place,
        )
    return rows
