"""The compiled loops over rounds: packing scores for a sort, and reading ranks and gains off it.

A score and its option share one integer of the score's own width, the score in the upper bits: sorting
these integers sorts the options, stably, and nothing sorts as fast as integers. `low` covers the option's
bits. They hide the last bits of the score; `settle` puts right what that leaves open. An index without a
sign needs no look whether it counts from the end, which makes scattering twice as fast.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]
Integers = NDArray[np.int64]

STABLE, EXPECTED, OPTIMISTIC, PESSIMISTIC = range(4)


@njit(cache=True, nogil=True)
def pack(bits: Array, infinity: int, most: int, low: int, packed: Array) -> bool:
    """Packs scores, given as their bits, the best the least; whether one is NaN.

    `infinity` holds the bits of an infinite score, above which there are only NaNs; `most` all bits but
    the sign.
    """
    beyond = infinity & ~infinity
    for row in range(bits.shape[0]):
        scores, into = bits[row], packed[row]
        for option in range(len(scores)):
            value = scores[option]
            # negative, and so it stays, where any is beyond infinity
            beyond |= infinity - (value & most)
            # -0.0, the sign alone, equals 0.0; below it the bits of floats run backwards
            value = value ^ value if value == ~most else value
            value ^= (value >> 63) & most
            into[option] = (~value & ~low) | option
    return bool(beyond < 0)


@njit(cache=True, nogil=True)
def settle(packed: Array, scores: Array, low: int) -> None:
    """Orders options whose scores differ in hidden bits only: they stand side by side, so insertion does."""
    for row in range(packed.shape[0]):
        order = packed[row]
        alike = False
        for place in range(1, len(order)):
            alike |= bool(((order[place - 1] ^ order[place]) & ~low) == 0)
        if not alike:
            continue
        for place in range(1, len(order)):
            item = order[place]
            if ((order[place - 1] ^ item) & ~low) != 0:
                continue
            score = scores[row, np.uint64(item & low)]
            to = place
            while (
                to > 0
                and ((order[to - 1] ^ item) & ~low) == 0
                and scores[row, np.uint64(order[to - 1] & low)] < score
            ):
                order[to] = order[to - 1]
                to -= 1
            order[to] = item


@njit(cache=True, nogil=True)
def place(packed: Array, low: int, ranks: Array) -> None:
    """Each option's place in the order, from 1."""
    for row in range(packed.shape[0]):
        order, into = packed[row], ranks[row]
        for position in range(len(order)):
            into[np.uint64(np.uint32(order[position]) & np.uint32(low))] = position + 1


@njit(cache=True, nogil=True)
def place_tied(packed: Array, scores: Array, low: int, ties: int, ranks: Array) -> None:
    """Each option's first, last or mean place among those whose score it shares."""
    options = packed.shape[1]
    for row in range(packed.shape[0]):
        start = 0
        while start < options:
            end = _run(packed[row], scores[row], low, start)
            rank = (start + 1 + end) / 2
            if ties == OPTIMISTIC:
                rank = start + 1
            elif ties == PESSIMISTIC:
                rank = end
            for position in range(start, end):
                ranks[row, np.uint64(packed[row, position] & low)] = rank
            start = end


@njit(cache=True, nogil=True)
def _run(order: Array, scores: Array, low: int, start: int) -> int:
    """Where the run of equal scores that begins at `start` ends."""
    score = scores[np.uint64(order[start] & low)]
    end = start + 1
    while end < len(order) and scores[np.uint64(order[end] & low)] == score:
        end += 1
    return end


@njit(cache=True, nogil=True)
def stand(scores: Array, target: Integers, ties: int, first: Integers, last: Integers) -> int:
    """The first and the last rank of each target; the first row with a NaN, or -1."""
    for row in range(scores.shape[0]):
        own = scores[row, target[row]]
        higher, tied, nans = np.int32(0), np.int32(0), np.int32(0)
        for option in range(scores.shape[1]):
            score = scores[row, option]
            higher += np.int32(score > own)
            tied += np.int32(score == own)
            nans += np.int32(score != score)  # noqa: PLR0124 (only a NaN differs from itself)
        if nans:
            return row
        first[row] = higher + 1
        last[row] = higher + tied
        if ties == OPTIMISTIC:
            last[row] = first[row]
        elif ties == PESSIMISTIC:
            first[row] = last[row]
        elif ties == STABLE:
            for option in range(target[row]):
                first[row] += scores[row, option] == own
            last[row] = first[row]
    return -1


@njit(cache=True, nogil=True)
def gain(
    packed: Array,
    scores: Array,
    relevance: Array,
    falling: Array,
    low: int,
    ties: int,
    discount: Array,
    result: Array,
) -> None:
    """NDCG of each round; `falling` holds the relevances negated and sorted, the greatest gain first."""
    gains = np.empty(packed.shape[1])
    for row in range(packed.shape[0]):
        cut = 0
        for option in range(packed.shape[1]):
            cut += relevance[row, option] != 0
        reached, ideal, start = 0.0, 0.0, 0
        while start < cut:
            # without regard to ties each place is a run of its own; beyond the cut nothing counts
            end = start + 1 if ties == STABLE else _run(packed[row], scores[row], low, start)
            for position in range(start, end):
                gains[position] = relevance[row, np.uint64(packed[row, position] & low)]
            if end - start > 1:
                _share(gains[start:end], ties)
            for position in range(start, min(end, cut)):
                reached += gains[position] * discount[position]
            start = end
        for position in range(cut):
            ideal -= falling[row, position] * discount[position]
        result[row] = reached / ideal if cut else np.nan


@njit(cache=True, nogil=True)
def _share(gains: Array, ties: int) -> None:
    """Gives options of one score their mean gain, or their gains in the best or the worst order."""
    if ties == EXPECTED:
        gains[:] = gains.sum() / len(gains)
        return
    gains.sort()
    if ties == OPTIMISTIC:
        gains[:] = gains[::-1].copy()
