"""Why a question ruled out nothing: it was asked before, in other words, or its answer was implied."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]


def paraphrases(answers: NDArray[np.int8], things: Counts, turns: Counts) -> Flags:
    """Whether an earlier question of the game has the same answer about every thing of the scene.

    answers [cells], things and turns [games] as in `reference_sets`; the result is [questions].

    >>> import numpy as np
    >>> answers = np.array([0, 1, 0,  0, 0, 1,  0, 1, 0], np.int8)
    >>> paraphrases(answers, np.array([3]), np.array([3])).tolist()
    [False, False, True]
    """
    found = np.zeros(int(turns.sum()), np.bool_)
    _compare(np.ascontiguousarray(answers, np.int8), things, turns, found)
    return found


def redundancies(effective: Flags, repeats: Flags, same: Flags) -> dict[str, Flags]:
    """The ineffective questions by the first reason that holds; with the effective ones, all questions.

        repeated    the question was asked before in this game
        paraphrase  an earlier question has the same answer about every thing (`paraphrases`)
        implied     neither; what was answered before leaves one answer only

    >>> import numpy as np
    >>> effective, repeats, same = np.eye(4, dtype=bool)[:3]
    >>> {name: flags.tolist() for name, flags in redundancies(effective, repeats, same).items()}
    ... # doctest: +NORMALIZE_WHITESPACE
    {'repeated': [False, True, False, False], 'paraphrase': [False, False, True, False],
     'implied': [False, False, False, True]}
    """
    rest = ~effective
    return {
        "repeated": rest & repeats,
        "paraphrase": rest & ~repeats & same,
        "implied": rest & ~repeats & ~same,
    }


@njit(cache=True, nogil=True)
def _compare(answers: Any, things: Counts, turns: Counts, found: Flags) -> None:
    turn = cell = 0
    for game in range(len(things)):
        width, count = things[game], turns[game]
        for later in range(1, count):
            for earlier in range(later):
                same = True
                for place in range(width):
                    one, other = cell + later * width + place, cell + earlier * width + place
                    if answers[one] != answers[other]:
                        same = False
                        break
                if same:
                    found[turn + later] = True
                    break
        turn += count
        cell += width * count
