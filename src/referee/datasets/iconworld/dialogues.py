"""Dialogues of simulated people about a scene: GuessWhat?! as it was collected, but with known truth."""

from __future__ import annotations

from typing import NamedTuple

from referee.datasets.iconworld.people import PERSON, Mind, Person, choose, spoken, worded
from referee.datasets.iconworld.truth import members
from referee.games import ANSWERS, Scene, Status
from referee.randomness import Stream, mix

LONGEST = 20
"""A dialogue that is still open after so many questions is left."""
LEFT = 0.012
"""How often somebody leaves in the middle of a game, so that its status is incomplete."""


class Dialogue(NamedTuple):
    """The questions and answers of one game, and how it ended."""

    questions: tuple[str, ...]
    answers: tuple[str, ...]
    status: Status
    guess: int | None


def play(scene: Scene, target: int, key: int, person: Person = PERSON) -> Dialogue:
    """A game between two people about one thing of the scene; the same key gives the same dialogue."""
    mind, draw = Mind(scene), Stream(mix(key, 0))
    leaves = draw.random() < LEFT
    bit = 1 << target
    questions: list[str] = []
    answers: list[str] = []
    while (option := choose(mind, draw, person)) is not None:
        truth = ANSWERS[0 if option.yes & bit else 1 if option.known & bit else 2]
        answer = spoken(truth, mix(key, len(answers) + 1), person)
        questions.append(worded(option, draw))
        answers.append(answer)
        mind.hear(option, answer)
        if (leaves and len(answers) > 1) or len(answers) == LONGEST:
            return Dialogue(tuple(questions), tuple(answers), "incomplete", None)
    guessed = draw.choice(members(mind.possible))
    status: Status = "success" if guessed == target else "failure"
    return Dialogue(tuple(questions), tuple(answers), status, guessed)
