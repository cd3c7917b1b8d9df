"""The compiled passes over the answers: eight answers are one word, a scene's things one mask of bits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from referee.metrics.reference_set.bits import ones, trailing_zeros

_EACH = np.uint64(0x0101010101010101)
_SECOND = np.uint64(0x0202020202020202)
_GATHER = np.uint64(0x0102040810204080)
_TOP = np.uint64(56)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_WORD = 64
"""Things that one mask holds; a scene with more is gone through thing by thing."""


class Asked(NamedTuple):
    """What is given: the answers (also as words), and of each game things, turns and target."""

    answers: NDArray[np.int8]
    words: NDArray[np.uint64]
    things: NDArray[np.int64]
    turns: NDArray[np.int64]
    targets: NDArray[np.int64]
    said: NDArray[np.int8]
    """The given answers; empty where they are the oracle's about the target."""


class Found(NamedTuple):
    """What is filled, an entry a question; see `sets.ReferenceSets`."""

    sizes: NDArray[np.int32]
    effective: NDArray[np.bool_]
    referring: NDArray[np.bool_]
    in_context: NDArray[np.bool_]
    removed: NDArray[np.bool_]
    referents: NDArray[np.int16]


@njit(cache=True, nogil=True)
def scan(asked: Any, part: tuple[int, int, int, int], found: Any) -> None:
    """Fills the results of the games of one part: first game, last game, first question, first cell.

    It is one loop without calls or branches that depend on answers: either would take longer than
    the work itself.
    """
    first_game, last_game, at, cell = part
    words, answers, given = asked.words, asked.answers, asked.said
    things, turns, targets = asked.things, asked.turns, asked.targets
    sizes, effective, referring = found.sizes, found.effective, found.referring
    in_context, removed, referents = found.in_context, found.removed, found.referents
    dialogue, safe = len(given) > 0, len(words) * 8 - 16
    for game in range(first_game, last_game):
        width, count = things[game], turns[game]
        if width > _WORD:
            _long_game(asked, game, at, cell, found)
            at += count
            cell += count * width
            continue
        target = np.uint64(targets[game])
        full = _ALL >> np.uint64(_WORD - width) if width > 0 else _ZERO
        others = full & ~(_ONE << target)
        left = full
        for turn in range(at, at + count):
            no, neither = _ZERO, _ZERO
            if cell + width <= safe:
                shift = np.uint64((cell & 7) * 8)
                for first in range(0, width, 8):
                    # Twice, since a shift by a whole word is undefined.
                    word = (words[(cell + first) >> 3] >> shift) | (
                        words[((cell + first) >> 3) + 1] << (np.uint64(63) - shift) << _ONE
                    )
                    # A product gathers the lowest bits of eight bytes in its highest byte.
                    no |= (((word & _EACH) * _GATHER) >> _TOP) << np.uint64(first)
                    if word & _SECOND:
                        neither |= ((((word >> _ONE) & _EACH) * _GATHER) >> _TOP) << np.uint64(
                            first
                        )
            else:
                for place in range(width):
                    no |= np.uint64(answers[cell + place] == 1) << np.uint64(place)
                    neither |= np.uint64(answers[cell + place] == 2) << np.uint64(place)  # noqa: PLR2004
            cell += width
            no &= full
            neither &= full
            yes = full & ~(no | neither)
            own_no, own_neither = (no >> target) & _ONE, (neither >> target) & _ONE
            if dialogue:
                own_no = np.uint64(given[turn] == 1)
                own_neither = np.uint64(given[turn] == 2)  # noqa: PLR2004
            own_yes = _ONE - own_no - own_neither
            known = left
            # 0 - 1 is a mask of ones.
            left &= (
                (yes & (_ZERO - own_yes))
                | (no & (_ZERO - own_no))
                | (neither & (_ZERO - own_neither))
            )
            beside = others & ~no
            sizes[turn] = np.int32(ones(left))
            effective[turn] = (left ^ known) & others != _ZERO
            removed[turn] = (left >> target) & _ONE == _ZERO
            sole = (own_yes != _ZERO) & (beside == _ZERO)
            referring[turn] = sole
            in_context[turn] = (own_yes != _ZERO) & (known & beside == _ZERO)
            # Another thing: it alone is not answered with No but with Yes, and the target with No.
            single = (
                (own_no != _ZERO) & (beside & yes != _ZERO) & (beside & (beside - _ONE) == _ZERO)
            )
            other = np.int64(single) * (np.int64(trailing_zeros(beside)) + 1) - 1
            referents[turn] = np.int16(other + np.int64(sole) * (np.int64(target) + 1))
        at += count


@njit(cache=True, nogil=True)
def _long_game(asked: Any, game: int, turn: int, cell: int, found: Any) -> None:
    """The same for a scene of more things than a mask holds, one thing after the other."""
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
