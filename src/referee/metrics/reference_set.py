"""Reference sets: which candidates the answers of a dialogue leave, turn by turn (questions.txt, 3.2).

Many dialogues are one flat array: the answers to the first question of the first game about each of
its things, then those to its second question, and so on, game after game. Nothing is padded.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

YES, NO, NOT_APPLICABLE = 0, 1, 2

Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class ReferenceSets:
    """What every question of many dialogues did.

    `remaining` [cells] has the shape of the answers; `sizes`, `effective` and `referring` are [turns].
    """

    remaining: Flags
    sizes: Counts
    effective: Flags
    referring: Flags


def reference_sets(
    answers: NDArray[np.integer], things: Counts, turns: Counts, targets: Counts
) -> ReferenceSets:
    """The reference set after each question, and whether the question is effective and referring.

    With A the oracle, r the target and RS(q_0) all things of the scene:

        RS(q_t) = {o in RS(q_{t-1}) : A(q_t, o) = A(q_t, r)}
        q_t is effective  iff  RS(q_t) is a proper subset of RS(q_{t-1})
        q_t is referring  iff  A(q_t, r) = yes and A(q_t, o) = no for every other thing of the scene

    Args:
        answers: [cells] YES, NO or NOT_APPLICABLE; cells = sum over games of turns x things.
        things: [games] how many things each scene has.
        turns: [games] how many questions each game has.
        targets: [games] the place of the target among the things.

    Figure 1's game of eight things, the target first (each row a question):

        >>> import numpy as np
        >>> answers = np.array([[0, 0, 0, 0, 0, 0, 0, 1],
        ...                     [1, 0, 1, 1, 1, 1, 1, 1],
        ...                     [1, 1, 0, 0, 1, 1, 1, 1],
        ...                     [0, 0, 1, 1, 1, 1, 1, 1],
        ...                     [0, 1, 1, 1, 1, 1, 1, 1]])
        >>> sets = reference_sets(answers.ravel(), np.array([8]), np.array([5]), np.array([0]))
        >>> (sets.sizes - 1).tolist()
        [6, 5, 3, 0, 0]
        >>> sets.effective.tolist()
        [True, True, True, True, False]
        >>> sets.referring.tolist()
        [False, False, False, False, True]
    """
    width = np.repeat(things, turns)
    start = np.cumsum(width) - width
    row = np.repeat(np.arange(len(width)), width)
    target_answers = answers[start + np.repeat(targets, turns)]
    thing = _things_of_cells(things, turns, width, start)
    # The first question at which a thing's answer differs from the target's. Of repeated indices
    # the last assignment stays, hence the reversal.
    leaves = np.full(int(things.sum()), len(width))
    differs = np.flatnonzero(answers != target_answers[row])[::-1]
    leaves[thing[differs]] = row[differs]
    remaining = row < leaves[thing]
    sizes = _row_sums(remaining, start, width)
    return ReferenceSets(
        remaining=remaining,
        sizes=sizes,
        effective=sizes < _sizes_before(sizes, things, turns),
        referring=(target_answers == YES) & (_row_sums(answers == NO, start, width) == width - 1),
    )


def _things_of_cells(things: Counts, turns: Counts, width: Counts, start: Counts) -> Counts:
    """For each cell, the number of its thing when the things of all games are counted through."""
    first_thing = np.repeat(np.cumsum(things) - things, turns)
    result: Counts = np.arange(int(width.sum())) + np.repeat(first_thing - start, width)
    return result


def _row_sums(flags: Flags, start: Counts, width: Counts) -> Counts:
    total = np.concatenate([[0], np.cumsum(flags, dtype=np.int64)])
    result: Counts = total[start + width] - total[start]
    return result


def _sizes_before(sizes: Counts, things: Counts, turns: Counts) -> Counts:
    before = np.roll(sizes, 1)
    asked = turns > 0
    before[(np.cumsum(turns) - turns)[asked]] = things[asked]
    return before


def means_by_game(flags: Flags, turns: Counts) -> NDArray[np.float64]:
    """The share of the questions of each game for which a flag holds; NaN for a game without questions.

    >>> means_by_game(np.array([True, False, True]), np.array([2, 0, 1])).tolist()
    [0.5, nan, 1.0]
    """
    start = np.cumsum(turns) - turns
    share = np.full(len(turns), np.nan)
    np.divide(_row_sums(flags, start, turns), turns, out=share, where=turns > 0)
    return share
