"""The compiled passes over the answers: 64 are compared at once, a scene's things are one mask of bits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from referee.metrics.reference_set.bits import LANES, compared, ones, trailing_zeros

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_SHORT = np.uint64(0xFFFF)
_LANES = np.uint64(LANES)
_YES, _NO = np.int8(0), np.int8(1)
_BYTE = np.uint64(0xFF)
_BLOCK = 1024
"""Questions whose masks are held at a time: they stay in the processor's nearest memory."""
_AHEAD = np.uint64(8)
"""Entries written for any game, however few questions it has: no branch is there to be foreseen wrongly."""
_TARGET, _FIRST = np.uint64(8), np.uint64(16)
"""Where an entry holds the target's place, and whether the question is the first; below is the width."""


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


class Block(NamedTuple):
    """Some questions: of each an entry that says what its game is like, and masks of the scene's things."""

    entries: NDArray[np.uint64]
    yes: NDArray[np.uint64]
    no: NDArray[np.uint64]
    left: NDArray[np.uint64]
    """The reference set before each question, and after the last; a game's first finds the last game's."""


def block() -> Block:
    """Room for the questions that are held at a time."""
    return Block(*np.empty((len(Block._fields), _BLOCK + int(_AHEAD)), np.uint64))


@njit(cache=True, nogil=True)
def extent(things: Any, turns: Any) -> tuple[int, int]:
    """How many questions and cells some games have."""
    questions = cells = 0
    for game in range(len(turns)):
        questions += turns[game]
        cells += turns[game] * things[game]
    return questions, cells


@njit(cache=True, nogil=True)
def scan(asked: Any, part: tuple[int, int, int, int], held: Any, found: Any) -> int:
    """Fills the results of the games of one part: first game, last game, first question, first cell.

    How many questions a game has cannot be foreseen, and a processor that foresees it wrongly stands
    still for longer than a question takes. So games are first laid out as entries, one a question, and
    the loops go over these.

    Returns:
        The first game whose target is none of its things; -1 where all are in order.
    """
    first_game, last_game, at, cell = part
    things, turns, targets = asked.things, asked.turns, asked.targets
    entries, safe = held.entries, asked.swift - LANES
    count, end = 0, cell
    for game in range(first_game, last_game):
        width, asks, target = things[game], turns[game], targets[game]
        # Without a sign, what is below 0 is above everything.
        wrong = np.uint64(target) >= np.uint64(width)
        slow = wrong or width > LANES or asks > _BLOCK or end + width * asks > safe
        if slow or count + asks > _BLOCK:
            _judge(asked, held, at, cell, found.packed[at : at + count])
            at, cell, count = at + count, end, 0
        end += width * asks
        if slow:
            if wrong and asks:
                return game
            _slowly(asked, game, at, cell, found)
            at, cell = at + asks, end
            continue
        entry = np.uint64(width) | (np.uint64(target) << _TARGET)
        # Indices without a sign, since of others it is asked whether they count from the end.
        place = np.uint64(count)
        for ahead in range(_AHEAD):
            entries[place + ahead] = entry
        for later in range(_AHEAD, np.uint64(asks)):
            entries[place + later] = entry
        entries[place] = entry | (_ONE << _FIRST)
        count += asks
    _judge(asked, held, at, cell, found.packed[at : at + count])
    return -1


@njit(cache=True, nogil=True)
def _judge(asked: Any, held: Any, at: int, cell: int, packed: Any) -> None:
    """Fills the results of a block; `at` is its first question, `cell` the first answer to that."""
    given = asked.said[at : at + len(packed)] if len(asked.said) else asked.said
    _mask(asked.answers, given, held, np.uint64(cell), np.uint64(len(packed)))
    _settle(given, held, packed)


@njit(cache=True, nogil=True)
def _mask(answers: Any, given: Any, held: Any, place: Any, count: Any) -> None:
    """The masks of a block, one question after the other, since each set follows from the last."""
    dialogue, left = len(given) > 0, _ZERO
    held.left[0] = left
    for turn in range(count):
        entry = held.entries[turn]
        width, target = entry & _BYTE, (entry >> _TARGET) & _BYTE
        told = given[turn] if dialogue else answers[place + target]
        yes, no, same = compared(answers, place, told)
        left = (left | (_ZERO - (entry >> _FIRST))) & same & (_ALL >> (_LANES - width))
        held.yes[turn], held.no[turn], held.left[turn + _ONE] = yes, no, left
        place += width


@njit(cache=True, nogil=True)
def _settle(given: Any, held: Any, packed: Any) -> None:
    """What the masks of a block say; without a branch, so that several questions are settled at once."""
    dialogue = len(given) > 0
    for turn in range(np.uint64(len(packed))):
        entry, yes, no = held.entries[turn], held.yes[turn], held.no[turn]
        own, everything = (entry >> _TARGET) & _BYTE, _ALL >> (_LANES - (entry & _BYTE))
        target = _ONE << own
        before = (held.left[turn] | (_ZERO - (entry >> _FIRST))) & everything
        after = held.left[turn + _ONE]
        affirmed = np.uint64(given[turn] == _YES) if dialogue else (yes >> own) & _ONE
        denied = np.uint64(given[turn] == _NO) if dialogue else (no >> own) & _ONE
        beside = everything & ~no & ~target
        effective = np.uint64((before ^ after) & ~target != _ZERO)
        removed = np.uint64(after & target == _ZERO)
        sole = affirmed & np.uint64(beside == _ZERO)
        context = affirmed & np.uint64(beside & before == _ZERO)
        # Another thing: it alone is not answered with No but with Yes, and the target with No.
        alone = np.uint64(beside & (beside - _ONE) == _ZERO)
        single = denied & alone & np.uint64(beside & yes != _ZERO)
        # 0 - 1 is a mask of ones.
        referent = (
            (own & (_ZERO - sole))
            | (trailing_zeros(beside) & (_ZERO - single))
            | (_ZERO - (_ONE ^ sole ^ single))
        ) & _SHORT
        packed[turn] = (
            ones(after)
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
