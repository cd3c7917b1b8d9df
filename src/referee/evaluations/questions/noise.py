"""The columns of what would have been found if the oracle did not err."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.evaluations.questions.asking import Asked
from referee.evaluations.questions.effects import Effects, efficiencies
from referee.evaluations.result import finite
from referee.metrics.reference_set import (
    confusion,
    corrected,
    extrapolated,
    information,
    means_by_game,
    paraphrases,
    redundancies,
    reference_sets,
)

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
_UNBIASED = ("effective", "referring", "referring_in_context")
_REST = ("information_gain", "best_gain", "redundancy_paraphrase", "redundancy_implied")
_SPREAD = 4.0
"""Where the logarithm of an unbiased estimate's spread (see `_steady`) exceeds this, it is not used."""


def fill(effects: Effects, accuracy: float, seed: int) -> None:
    """Adds the corrected columns to the rows of the games and of their turns."""
    asked, errors = effects.asked, confusion(accuracy)
    columns = _extrapolated(effects, errors, seed)
    efficiency = columns.pop("efficiency")
    for name, (estimate, steady) in _unbiased(effects, errors, accuracy).items():
        columns[name] = np.where(steady & np.isfinite(estimate), estimate, columns[name])
    share = means_by_game(columns["effective"], asked.turns)
    last = np.cumsum(asked.turns) - 1
    for place, kept in enumerate(asked.games):
        end = int(last[place])
        kept.row.update(
            {
                "effectiveness_corrected": finite(share[place]),
                "last_effective_corrected": finite(columns["effective"][end]),
                "last_referring_corrected": finite(columns["referring"][end]),
                "last_referring_in_context_corrected": finite(columns["referring_in_context"][end]),
                "efficiency_corrected": finite(efficiency[place]),
            }
        )
        first = end + 1 - len(kept.rows)
        for number, row in enumerate(kept.rows):
            row |= {
                f"{name}_corrected": finite(column[first + number])
                for name, column in columns.items()
            }


def _unbiased(effects: Effects, errors: Floats, accuracy: float) -> dict[str, tuple[Floats, Flags]]:
    """The unbiased estimates, and where they are steady enough to be used.

    A question that is asked again has the answers it had, and their errors. So it is left out of the
    dialogue: it rules out nothing, and refers as it did. Whether it refers in its new context cannot be
    told without bias.
    """
    asked = effects.asked
    first = _firsts(asked)
    width = np.repeat(asked.things, asked.turns)
    turns = np.add.reduceat(first, np.cumsum(asked.turns) - asked.turns, dtype=np.int64)
    said = None if asked.said is None else asked.said[first]
    answers = asked.answers[np.repeat(first, width)]
    once = corrected(answers, asked.things, turns, asked.targets, errors, said)
    effective, near = np.zeros(len(first)), np.full(len(first), np.nan)
    effective[first], near[first] = once.effective, once.in_context
    different = _different(asked, first)
    deep = _steady(different * width, accuracy) | ~first
    return {
        "effective": (effective, deep),
        "referring": (once.referring[_places(asked, first)], _steady(width, accuracy)),
        "referring_in_context": (near, deep),
    }


def _steady(pairs: NDArray[np.int64], accuracy: float) -> Flags:
    """Where a product of estimates of so many pairs of question and thing does not spread too far.

    The mean square of one estimate is (p^3 + (1-p)^3) / (2p - 1)^2 for an oracle that is right with
    probability p; that of a product is its power.
    """
    wrong = 1 - accuracy
    square = (accuracy**3 + wrong**3) / (accuracy - wrong) ** 2
    result: Flags = pairs * np.log(square) <= _SPREAD
    return result


def _different(asked: Asked, first: Flags) -> NDArray[np.int64]:
    """How many different questions each game has had, up to and with each question."""
    count: NDArray[np.int64] = np.cumsum(first)
    before = (count - first)[np.cumsum(asked.turns) - asked.turns]
    result: NDArray[np.int64] = count - np.repeat(before, asked.turns)
    return result


def _firsts(asked: Asked) -> Flags:
    """Whether each question is the first of its kind in its game."""
    found: list[bool] = []
    for kept in asked.games:
        seen: set[int] = set()
        for number in kept.asked:
            found.append(number not in seen)
            seen.add(number)
    return np.array(found, dtype=np.bool_)


def _places(asked: Asked, first: Flags) -> NDArray[np.int64]:
    """For each question the place of the first of its kind among the first ones."""
    place = np.cumsum(first) - 1
    found: list[int] = []
    turn = 0
    for kept in asked.games:
        known: dict[int, int] = {}
        for number in kept.asked:
            found.append(known.setdefault(number, int(place[turn])))
            turn += 1
    return np.array(found, dtype=np.int64)


def _extrapolated(effects: Effects, errors: Floats, seed: int) -> dict[str, Floats]:
    """Everything as an oracle that is certain would have it, extrapolated."""
    asked = effects.asked
    questions = len(asked.numbers)
    names = (*_UNBIASED, *_REST)

    def measured(swept: NDArray[np.int8]) -> Floats:
        answers = swept[asked.cells]
        sets = reference_sets(answers, *asked.shape, asked.said)
        bits = information(np.eye(3)[answers], *asked.shape, asked.said)
        same = paraphrases(answers, asked.things, asked.turns)
        reasons = redundancies(sets.effective, effects.repeats, same)
        of_turns = (sets.effective, sets.referring, sets.in_context, bits.gain, bits.best)
        told = (reasons["paraphrase"], reasons["implied"], efficiencies(bits))
        return np.concatenate([*of_turns, *told])

    # The errors are drawn for each question about a scene once, as the oracle was asked it once.
    found = extrapolated(measured, asked.swept.answers, errors, seed)
    columns = {
        name: found[place * questions : (place + 1) * questions] for place, name in enumerate(names)
    }
    return columns | {"efficiency": found[len(names) * questions :]}
