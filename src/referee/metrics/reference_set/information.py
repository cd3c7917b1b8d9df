"""What questions tell in bits: gained, gainable, needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

_EXACT = 30
"""Candidates up to which the best split is found exactly, by halves of 2 ** 15 sums."""
_SAME = 1e-12


@dataclass(frozen=True, eq=False)
class Information:
    """Bits: `gain`, `best` and `told` a question, `needed` and `left` a game."""

    gain: Floats
    best: Floats
    told: Floats
    needed: Floats
    left: Floats


def information(
    probabilities: Floats,
    things: Counts,
    turns: Counts,
    targets: Counts,
    said: NDArray[np.int8] | None = None,
) -> Information:
    r"""Information gained by each question about which thing is the target.

    The belief b_0 is uniform over the things of the scene. With p(a | q, o) the oracle's probability of
    the answer a about the thing o, H the entropy in bits and a_t the answer that was given,

        gain_t = H(sum_o b(o) p(. | q_t, o)) - sum_o b(o) H(p(. | q_t, o)),   b = b_{t-1}
        best_t = max over subsets S of the things of h(b(S)),   h(x) = -x log2 x - (1-x) log2 (1-x)
        b_t(o) is proportional to b_{t-1}(o) p(a_t | q_t, o)
        told_t = H(b_{t-1}) - H(b_t),   needed = H(b_0),   left = H(b_T)

    gain_t is what the question was worth before it was answered (the mutual information of answer and
    target), told_t what the answer brought; best_t is what the best yes-or-no question would be worth
    to an oracle that never errs. An answer that no thing could have led to leaves the belief as it was.

    Args:
        probabilities: [cells, 3] of yes, no and not applicable; cells as in `reference_sets`.
        things: [games] how many things each scene has.
        turns: [games] how many questions each game has.
        targets: [games] the place of the target among the things.
        said: [questions] the answers given; by default the likeliest about the target.

    Examples:
        Four things, halved twice:

        >>> import numpy as np
        >>> sure = np.eye(3)[[0, 0, 1, 1, 0, 1, 0, 1]]
        >>> one = np.array([4]), np.array([2]), np.array([0])
        >>> found = information(sure, *one)
        >>> found.gain.tolist(), found.best.tolist(), found.needed.tolist(), found.left.tolist()
        ([1.0, 1.0], [1.0, 1.0], [2.0], [0.0])
    """
    questions = int(turns.sum())
    given = np.empty(0, np.int8) if said is None else np.ascontiguousarray(said, np.int8)
    gain, best, told = (np.empty(questions) for _ in range(3))
    left = np.empty(len(things))
    table = np.ascontiguousarray(probabilities, np.float64)
    _follow(table, things, turns, targets, given, (gain, best, told, left))
    return Information(gain, best, told, np.log2(np.maximum(things, 1)), left)


@njit(cache=True, nogil=True)
def _follow(
    table: Floats, things: Counts, turns: Counts, targets: Counts, said: Any, found: Any
) -> None:
    gain, best, told, left = found
    question = cell = 0
    for game in range(len(things)):
        width = things[game]
        belief = np.full(width, 1.0 / max(width, 1))
        entropy = _entropy(belief)
        for _ in range(turns[game]):
            rows = table[cell : cell + width]
            gain[question] = _mutual(belief, rows)
            best[question] = _best_split(belief)
            own = rows[targets[game]]
            answer = said[question] if len(said) else np.argmax(own)
            updated = belief * rows[:, answer]
            total = updated.sum()
            if total > 0:
                belief = updated / total
            after = _entropy(belief)
            told[question] = entropy - after
            entropy = after
            question += 1
            cell += width
        left[game] = entropy


@njit(cache=True, nogil=True)
def _entropy(shares: Floats) -> float:
    bits = 0.0
    for share in shares:
        if share > 0:
            bits -= share * np.log2(share)
    return max(bits, 0.0)


@njit(cache=True, nogil=True)
def _mutual(belief: Floats, rows: Floats) -> float:
    """H of the mixture of the rows, less the mean of their own H."""
    mixed = np.zeros(rows.shape[1])
    within = 0.0
    for thing in range(len(belief)):
        for answer in range(rows.shape[1]):
            mixed[answer] += belief[thing] * rows[thing, answer]
        if belief[thing] > 0:
            within += belief[thing] * _entropy(rows[thing])
    return max(_entropy(mixed) - within, 0.0)


@njit(cache=True, nogil=True)
def _binary(share: float) -> float:
    if share <= 0 or share >= 1:
        return 0.0
    bits: float = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    return bits


@njit(cache=True, nogil=True)
def _best_split(belief: Floats) -> float:
    """The binary entropy of the part whose belief comes nearest to one half."""
    held = np.sort(belief[belief > 0])[::-1]
    count = len(held)
    if count and held[0] - held[-1] < _SAME:
        return _binary((count // 2) / count)
    if count > _EXACT:
        # Largest first into the lighter part: off by no more than the last that was put there.
        parts = np.zeros(2)
        for share in held:
            parts[0 if parts[0] <= parts[1] else 1] += share
        return _binary(parts[0])
    first, second = np.sort(_sums(held[::2])), np.sort(_sums(held[1::2]))
    nearest, high = 1.0, len(second) - 1
    for low in first:
        while high > 0 and low + second[high] > 0.5:  # noqa: PLR2004 (one half)
            nearest = min(nearest, low + second[high] - 0.5)
            high -= 1
        nearest = min(nearest, abs(low + second[high] - 0.5))
    return _binary(0.5 - nearest)


@njit(cache=True, nogil=True)
def _sums(shares: Floats) -> Floats:
    """The sums of all subsets."""
    sums = np.zeros(1 << len(shares))
    for place in range(len(shares)):
        size = 1 << place
        for at in range(size):
            sums[size + at] = sums[at] + shares[place]
    return sums
