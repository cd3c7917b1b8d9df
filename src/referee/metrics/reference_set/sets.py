"""Reference sets: which candidates the answers of a dialogue leave, turn by turn (questions.txt, 3.2).

Many dialogues are one flat array: the answers to the first question of the first game about each of
its things, then those to its second question, and so on, game after game. Nothing is padded.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.metrics.reference_set.kernel import Asked, Found, block, extent, remain, scan

YES, NO, NOT_APPLICABLE = 0, 1, 2

_THREADS = 2
_WORTH_THREADS = 1 << 15
"""Games from which on a second thread is worth its start."""

_PARTS = {"sizes": np.int16, "referents": np.int16} | dict.fromkeys(
    ("effective", "referring", "in_context", "removed"), np.bool_
)
"""What one number of a question is made of."""

Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ReferenceSets:
    """What every question of many dialogues did; all arrays are [turns] but `remaining`.

    `sizes` counts the reference set after the question, `distractors` what is left of it beside the
    target. `referents` holds the place of the one thing that a question refers to, -1 where there is
    none; `removed` says that the target is no longer in the reference set.
    """

    asked: Asked
    sizes: NDArray[np.int16]
    effective: Flags
    referring: Flags
    in_context: Flags
    removed: Flags
    referents: NDArray[np.int16]

    @property
    def distractors(self) -> NDArray[np.int16]:
        """How many of the reference set are not the target."""
        result: NDArray[np.int16] = self.sizes - 1 + self.removed
        return result

    @cached_property
    def remaining(self) -> Flags:
        """Which things are in the reference set after each question, [cells] as the answers."""
        result = np.empty(len(self.asked.answers), np.bool_)
        remain(self.asked, result)
        return result


def reference_sets(
    answers: NDArray[np.integer],
    things: Counts,
    turns: Counts,
    targets: Counts,
    said: NDArray[np.integer] | None = None,
) -> ReferenceSets:
    """The reference set after each question, and whether the question is effective and referring.

    With A the oracle, r the target, a_t the answer to the question q_t and RS(q_0) all things of the
    scene:

        RS(q_t) = {o in RS(q_{t-1}) : A(q_t, o) = a_t}
        q_t is effective  iff  RS(q_t) without r differs from RS(q_{t-1}) without r
        q_t is referring  iff  a_t = yes and A(q_t, o) = no for every other thing o of the scene
        q_t is referring in context  iff  a_t = yes and A(q_t, o) = no for every other o of RS(q_{t-1})
        q_t refers to o   iff  the answer about o is yes and that about every other thing is no

    The paper's a_t is A(q_t, r), so that the target never leaves and effective means that RS(q_t) is a
    proper subset of RS(q_{t-1}). The authors' code takes the dialogue's answer: that is `said`.

    Args:
        answers: [cells] YES, NO or NOT_APPLICABLE; cells = sum over games of turns x things.
        things: [games] how many things each scene has.
        turns: [games] how many questions each game has.
        targets: [games] the place of the target among the things.
        said: [questions] the answer that was given to each question, where it is not the oracle's
            about the target.

    Figure 1's game of eight things, the target first (each row a question):

        >>> import numpy as np
        >>> answers = np.array([[0, 0, 0, 0, 0, 0, 0, 1],
        ...                     [1, 0, 1, 1, 1, 1, 1, 1],
        ...                     [1, 1, 0, 0, 1, 1, 1, 1],
        ...                     [0, 0, 1, 1, 1, 1, 1, 1],
        ...                     [0, 1, 1, 1, 1, 1, 1, 1]])
        >>> sets = reference_sets(answers.ravel(), np.array([8]), np.array([5]), np.array([0]))
        >>> sets.distractors.tolist()
        [6, 5, 3, 0, 0]
        >>> sets.effective.tolist()
        [True, True, True, True, False]
        >>> sets.referring.tolist(), sets.referents.tolist()
        ([False, False, False, False, True], [-1, 1, -1, -1, 0])
        >>> sets.in_context.tolist()
        [False, False, False, True, True]
    """
    asked = _asked(answers, things, turns, targets, said)
    _check(asked)
    parts, questions, cells = _parts(asked)
    if len(asked.answers) != cells:
        raise UsageError(f"{len(asked.answers)} answers for {cells} pairs of question and thing")
    if said is not None and len(asked.said) != questions:
        raise UsageError(f"{len(asked.said)} given answers for {questions} questions")
    found = _room(questions)
    with ThreadPoolExecutor(len(parts)) as pool:
        # One part is this thread's: a thread costs as much as a few thousand questions.
        others = [pool.submit(scan, asked, part, block(), found) for part in parts[1:]]
        wrong = scan(asked, parts[0], block(), found)
        wrong = max(wrong, *(other.result() for other in others), -1)
    if wrong >= 0:
        raise UsageError(
            f"the target of game {wrong} is {targets[wrong]}: it must be one of its {things[wrong]} things"
        )
    return ReferenceSets(asked, **{name: getattr(found, name) for name in _PARTS})


def _asked(
    answers: NDArray[np.integer],
    things: Counts,
    turns: Counts,
    targets: Counts,
    said: NDArray[np.integer] | None,
) -> Asked:
    flat = np.require(answers, np.int8, ["C", "A"]).reshape(-1)
    width, count, place = (np.ascontiguousarray(c, np.int64) for c in (things, turns, targets))
    given = np.empty(0, np.int8) if said is None else np.ascontiguousarray(said, np.int8)
    # Only where the lowest byte comes first is the first answer the lowest bit of a mask.
    swift = len(flat) if sys.byteorder == "little" else 0
    return Asked(flat, width, count, place, given, swift)


def _check(asked: Asked) -> None:
    """What the compiled passes rely on, lest they read and write what is not theirs."""
    things, turns, targets = len(asked.things), len(asked.turns), len(asked.targets)
    if not things == turns == targets:
        raise UsageError(f"things, turns and targets are of {things}, {turns} and {targets} games")
    for name, column in (("things", asked.things), ("turns", asked.turns)):
        if column.min(initial=0) < 0:
            game = int(column.argmin())
            raise UsageError(f"game {game} has {column[game]} {name}")


def _room(questions: int) -> Found:
    """Empty arrays for what is found: the parts of one number a question."""
    packed = np.empty(questions, np.uint64)
    parts = packed.view(np.dtype(list(_PARTS.items())))
    return Found(packed, *(parts[name] for name in _PARTS))


def _parts(asked: Asked) -> tuple[list[tuple[int, int, int, int]], int, int]:
    """For each thread its first and last game and where these begin: question and cell; then all of both."""
    games = len(asked.turns)
    threads = _THREADS if games >= _WORTH_THREADS else 1
    parts = []
    questions = cells = 0
    for first, last in pairwise(games * part // threads for part in range(threads + 1)):
        parts.append((first, last, questions, cells))
        more = extent(asked.things[first:last], asked.turns[first:last])
        questions, cells = questions + more[0], cells + more[1]
    return parts, questions, cells


def means_by_game(flags: NDArray[np.generic], turns: Counts) -> NDArray[np.float64]:
    """The mean over the questions of each game of a flag or number; NaN for a game without questions.

    >>> means_by_game(np.array([True, False, True]), np.array([2, 0, 1])).tolist()
    [0.5, nan, 1.0]
    """
    total = np.concatenate([[0], np.cumsum(flags, dtype=np.float64)])
    ends = np.cumsum(turns)
    share = np.full(len(turns), np.nan)
    np.divide(total[ends] - total[ends - turns], turns, out=share, where=turns > 0)
    return share
