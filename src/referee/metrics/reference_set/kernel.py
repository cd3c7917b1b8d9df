"""The compiled passes over the answers: 64 are compared at once, a scene's things are one mask of bits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from referee.metrics.reference_set.bits import LANES, equal, ones, trailing_zeros

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_SHORT = np.uint64(0xFFFF)
_YES, _NO = np.int8(0), np.int8(1)
_BLOCK = 512
"""Questions whose masks are held at a time: they stay in the processor's nearest memory."""


class Asked(NamedTuple):
    """What is given: the answers, and of each game things, turns and target."""

    answers: NDArray[np.int8]
    things: NDArray[np.int64]
    turns: NDArray[np.int64]
    targets: NDArray[np.int64]
    said: NDArray[np.int8]
    """The given answers; empty where they are the oracle's about the target."""
    swift: int
    """The first so many answers may be compared many at once."""


class Found(NamedTuple):
    """What is filled, an entry a question (see `sets.ReferenceSets`); `packed` is the rest in one number."""

    packed: NDArray[np.uint64]
    sizes: NDArray[np.int16]
    referents: NDArray[np.int16]
    effective: NDArray[np.bool_]
    referring: NDArray[np.bool_]
    in_context: NDArray[np.bool_]
    removed: NDArray[np.bool_]


@njit(cache=True, nogil=True)
def scan(asked: Any, part: tuple[int, int, int, int], found: Any) -> None:
    """Fills the results of the games of one part: first game, last game, first question, first cell.

    Of some questions at a time the masks are made one by one, since each set follows from the last, and
    what they say is worked out for several at once.
    """
    first_game, last_game, at, cell = part
    answers, given, packed = asked.answers, asked.said, found.packed
    things, turns, targets = asked.things, asked.turns, asked.targets
    dialogue, safe = len(given) > 0, asked.swift - LANES
    beside, affirmed = np.empty(_BLOCK, np.uint64), np.empty(_BLOCK, np.uint64)
    before, after = np.empty(_BLOCK, np.uint64), np.empty(_BLOCK, np.uint64)
    own, said = np.empty(_BLOCK, np.uint64), np.empty(_BLOCK, np.uint64)
    start = at
    for game in range(first_game, last_game):
        width, count = things[game], turns[game]
        slow = width > LANES or count > _BLOCK or cell + width * count > safe
        if slow or at + count - start > _BLOCK:
            _settle(beside, affirmed, before, after, own, said, packed[start:at])
            start = at
        if slow:
            _slowly(asked, game, at, cell, found)
            at += count
            cell += count * width
            start = at
            continue
        target = np.uint64(targets[game])
        left = _ALL >> np.uint64(LANES - width) if width > 0 else _ZERO
        others = left & ~(_ONE << target)
        # Indices without a sign, since of others it is asked whether they count from the end.
        place = np.uint64(cell)
        for turn in range(np.uint64(at - start), np.uint64(at - start + count)):
            told = given[np.uint64(start) + turn] if dialogue else answers[place + target]
            rest = others & ~equal(answers, place, _NO)
            beside[turn] = rest
            affirmed[turn] = rest & equal(answers, place, _YES)
            before[turn] = left
            left &= equal(answers, place, told)
            after[turn] = left
            own[turn] = target
            said[turn] = np.uint64(told)
            place += np.uint64(width)
        at += count
        cell += count * width
    _settle(beside, affirmed, before, after, own, said, packed[start:at])


@njit(cache=True, nogil=True)
def _settle(
    beside: Any, affirmed: Any, before: Any, after: Any, own: Any, said: Any, packed: Any
) -> None:
    """What the masks of some questions say; without a branch, so that several are settled at once.

    `beside` are the other things not answered with No, `affirmed` those of them answered with Yes.
    """
    for turn in range(len(packed)):
        target = _ONE << own[turn]
        effective = np.uint64((before[turn] ^ after[turn]) & ~target != _ZERO)
        removed = np.uint64(after[turn] & target == _ZERO)
        yes, no = np.uint64(said[turn] == _ZERO), np.uint64(said[turn] == _ONE)
        sole = yes & np.uint64(beside[turn] == _ZERO)
        context = yes & np.uint64(beside[turn] & before[turn] == _ZERO)
        # Another thing: it alone is not answered with No but with Yes, and the target with No.
        alone = np.uint64(beside[turn] & (beside[turn] - _ONE) == _ZERO)
        single = no & alone & np.uint64(affirmed[turn] != _ZERO)
        # 0 - 1 is a mask of ones.
        referent = (
            (own[turn] & (_ZERO - sole))
            | (trailing_zeros(beside[turn]) & (_ZERO - single))
            | (_ZERO - (_ONE ^ sole ^ single))
        ) & _SHORT
        packed[turn] = (
            ones(after[turn])
            | (referent << np.uint64(16))
            | (effective << np.uint64(32))
            | (sole << np.uint64(40))
            | (context << np.uint64(48))
            | (removed << np.uint64(56))
        )


@njit(cache=True, nogil=True)
def _slowly(asked: Any, game: int, turn: int, cell: int, found: Any) -> None:
    """The same for one game, one thing after the other: at the end, or of more things than a mask holds."""
    width, target = asked.things[game], asked.targets[game]
    left = np.ones(width, np.bool_)
    for at in range(turn, turn + asked.turns[game]):
        row = asked.answers[cell : cell + width]
        said = asked.said[at] if len(asked.said) else row[target]
        size, lost, near, beside, other = 0, False, said == 0, 0, -1
        for thing in range(width):
            if thing != target and row[thing] != 1:
                near = near and not left[thing]
                beside += 1
                other = thing if row[thing] == 0 else -1
            if left[thing] and row[thing] != said:
                left[thing] = False
                lost = lost or thing != target
            size += left[thing]
        sole = said == 0 and beside == 0
        found.sizes[at], found.effective[at], found.removed[at] = size, lost, not left[target]
        found.referring[at], found.in_context[at] = sole, near
        if not sole:
            found.referents[at] = other if beside == 1 and said == 1 else -1
        else:
            found.referents[at] = target
        cell += width


@njit(cache=True, nogil=True)
def remain(asked: Any, remaining: NDArray[np.bool_]) -> None:
    """Fills which things are left after each question."""
    turn = cell = 0
    for game in range(len(asked.things)):
        width = asked.things[game]
        for place in range(asked.turns[game]):
            said = asked.answers[cell + asked.targets[game]]
            if len(asked.said):
                said = asked.said[turn]
            for thing in range(cell, cell + width):
                before = place == 0 or remaining[thing - width]
                remaining[thing] = before and asked.answers[thing] == said
            turn += 1
            cell += width
