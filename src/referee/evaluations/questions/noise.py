"""The columns of what would have been found if the oracle did not err."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.evaluations.questions.asking import Asked
from referee.evaluations.questions.effects import Effects, efficiencies
from referee.evaluations.result import Cell, finite
from referee.metrics.reference_set import (
    Corrected,
    confusion,
    corrected,
    extrapolated,
    information,
    means_by_game,
    paraphrases,
    redundancies,
    reference_sets,
)

Floats = NDArray[np.float64]
_OF_TURNS = ("information_gain", "best_gain", "redundancy_paraphrase", "redundancy_implied")


def fill(effects: Effects, accuracy: float, seed: int) -> None:
    """Adds the corrected columns to the rows of the games and of their turns."""
    asked, errors = effects.asked, confusion(accuracy)
    found = _unbiased(effects, errors)
    columns = {"effective": found.effective, "referring": found.referring} | _extrapolated(
        effects, errors, seed
    )
    efficiency = columns.pop("efficiency")
    known = np.isfinite(found.effective)
    counted = means_by_game(known, asked.turns)
    share = means_by_game(np.where(known, found.effective, 0.0), asked.turns) / counted
    ends = np.cumsum(asked.turns)
    for place, kept in enumerate(asked.games):
        last, first = int(ends[place]) - 1, int(ends[place]) - len(kept.asked)
        kept.row.update(
            {
                "effectiveness_corrected": _cell(share[place]),
                "last_effective_corrected": _cell(found.effective[last]),
                "last_referring_corrected": _cell(found.referring[last]),
                "last_referring_in_context_corrected": _cell(found.in_context[last]),
                "efficiency_corrected": _cell(efficiency[place]),
            }
        )
        for number, row in enumerate(kept.rows):
            row |= {
                f"{name}_corrected": _cell(column[first + number])
                for name, column in columns.items()
            }


def _cell(number: float) -> Cell:
    return finite(number)


def _unbiased(effects: Effects, errors: Floats) -> Corrected:
    """The unbiased estimates; a question that is asked again has the answers it had, and their errors.

    So it is left out of the dialogue: it rules out nothing, and refers as it did. Whether it refers in
    its new context cannot be told without bias.
    """
    asked = effects.asked
    first = _firsts(asked)
    width = np.repeat(asked.things, asked.turns)
    turns = np.add.reduceat(first, np.cumsum(asked.turns) - asked.turns, dtype=np.int64)
    said = None if asked.said is None else asked.said[first]
    answers = asked.answers[np.repeat(first, width)]
    once = corrected(answers, asked.things, turns, asked.targets, errors, said)
    result = Corrected(
        np.zeros(len(first)), np.full(len(first), np.nan), np.full(len(first), np.nan)
    )
    result.effective[first] = once.effective
    result.in_context[first] = once.in_context
    result.referring[:] = once.referring[_places(asked, first)]
    return result


def _firsts(asked: Asked) -> NDArray[np.bool_]:
    """Whether each question is the first of its kind in its game."""
    found: list[bool] = []
    for kept in asked.games:
        seen: set[int] = set()
        for number in kept.asked:
            found.append(number not in seen)
            seen.add(number)
    return np.array(found, dtype=np.bool_)


def _places(asked: Asked, first: NDArray[np.bool_]) -> NDArray[np.int64]:
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
    """What has no unbiased estimate, extrapolated: bits and redundancy of an oracle that is certain."""
    asked = effects.asked
    questions = len(asked.numbers)

    def measured(swept: NDArray[np.int8]) -> Floats:
        answers = swept[asked.cells]
        sets = reference_sets(answers, *asked.shape, asked.said)
        bits = information(np.eye(3)[answers], *asked.shape, asked.said)
        same = paraphrases(answers, asked.things, asked.turns)
        reasons = redundancies(sets.effective, effects.repeats, same)
        return np.concatenate(
            [bits.gain, bits.best, reasons["paraphrase"], reasons["implied"], efficiencies(bits)]
        )

    # The errors are drawn for each question about a scene once, as the oracle was asked it once.
    found = extrapolated(measured, asked.swept.answers, errors, seed)
    columns = {
        name: found[place * questions : (place + 1) * questions]
        for place, name in enumerate(_OF_TURNS)
    }
    return columns | {"efficiency": found[len(_OF_TURNS) * questions :]}
