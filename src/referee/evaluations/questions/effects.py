"""The columns of what each question did: reference sets, bits, redundancy, the oracle's accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.evaluations.questions.asking import Asked
from referee.evaluations.result import Cell, Row
from referee.games import ANSWERS
from referee.metrics.reference_set import (
    Information,
    ReferenceSets,
    information,
    means_by_game,
    paraphrases,
    redundancies,
    reference_sets,
)

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Effects:
    """What the questions of all judged games did."""

    asked: Asked

    @cached_property
    def sets(self) -> ReferenceSets:
        """The reference sets."""
        return reference_sets(self.asked.answers, *self.asked.shape, self.asked.said)

    @cached_property
    def bits(self) -> Information:
        """The bits gained, under the oracle's probabilities."""
        probabilities = self.asked.swept.probabilities[self.asked.cells]
        return information(probabilities, *self.asked.shape, self.asked.said)

    @cached_property
    def repeats(self) -> Flags:
        """Whether each question was asked before in its game."""
        rows = (row for kept in self.asked.games for row in kept.rows)
        return np.array([row["repeats"] for row in rows], dtype=np.bool_)

    @cached_property
    def redundant(self) -> dict[str, Flags]:
        """The ineffective questions by their reason."""
        same = paraphrases(self.asked.answers, self.asked.things, self.asked.turns)
        return redundancies(self.sets.effective, self.repeats, same)


def fill(effects: Effects) -> None:
    """Adds to the rows of the judged games and of their turns what the questions did."""
    sets, bits, asked = effects.sets, effects.bits, effects.asked
    share = means_by_game(sets.effective, asked.turns)
    efficiency = efficiencies(bits)
    ends = np.cumsum(asked.turns)
    for place, kept in enumerate(asked.games):
        last = int(ends[place]) - 1
        kept.row.update(
            {
                "effectiveness": float(share[place]),
                "last_effective": bool(sets.effective[last]),
                "last_referring": bool(sets.referring[last]),
                "last_referring_in_context": bool(sets.in_context[last]),
                "removed_target": bool(sets.removed[last]),
                "bits_needed": float(bits.needed[place]),
                "bits_left": float(bits.left[place]),
                "efficiency": float(efficiency[place]),
            }
        )
    for row, columns in zip(_rows(asked), _turns(effects), strict=True):
        row.update(columns)


def blank(row: Row) -> None:
    """The columns of a game that should have been judged and could not be."""
    row |= dict.fromkeys(
        (
            "effectiveness",
            "last_effective",
            "last_referring",
            "last_referring_in_context",
            "removed_target",
            "efficiency",
        )
    )


def efficiencies(bits: Information) -> Floats:
    """Bits gained over bits needed, a game: (H(b_0) - H(b_T)) / H(b_0)."""
    result: Floats = (bits.needed - bits.left) / bits.needed
    return result


def _rows(asked: Asked) -> Iterator[Row]:
    return (row for kept in asked.games for row in kept.rows)


def _turns(effects: Effects) -> Iterator[Row]:
    # People's answers are taken for right where they led to the target: the paper compares no others.
    asked, remaining = effects.asked, effects.sets.remaining
    columns = _columns(effects)
    referents = effects.sets.referents.tolist()
    turn = cell = 0
    for kept in asked.games:
        ids = [thing.id for thing in kept.game.scene.things]
        target = kept.game.target_index
        for held in kept.turns:
            left = np.flatnonzero(remaining[cell : cell + len(ids)]).tolist()
            referent = referents[turn]
            said = ANSWERS[asked.about_target[turn]]
            yield {
                "oracle_answer": said,
                "oracle_compared": kept.won,
                "oracle_right": said == held.answer if kept.won else None,
                "refers_to": ids[referent] if referent >= 0 else None,
                "refers_to_another": referent >= 0 and referent != target,
                "reference_set": [ids[spot] for spot in left],
                **{name: column[turn] for name, column in columns.items()},
            }
            turn += 1
            cell += len(ids)


def _columns(effects: Effects) -> dict[str, list[Cell]]:
    """What is told of each question as it stands in an array."""
    sets, bits = effects.sets, effects.bits
    arrays = {
        "effective": sets.effective,
        "referring": sets.referring,
        "referring_in_context": sets.in_context,
        "removed_target": sets.removed,
        "distractors": sets.distractors,
        "information_gain": bits.gain,
        "best_gain": bits.best,
        "bits_told": bits.told,
        **{f"redundancy_{name}": flags for name, flags in effects.redundant.items()},
    }
    return {name: array.tolist() for name, array in arrays.items()}
