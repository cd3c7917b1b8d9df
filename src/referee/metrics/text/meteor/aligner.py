"""METEOR's choice among candidate matches: those that stand alone, then a beam search over the rest."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.metrics.text.compiling import compiled
from referee.metrics.text.meteor.matchers import LENGTH, MODULE, PLACE, Candidates
from referee.metrics.text.meteor.relations import EXACT

Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Masks: TypeAlias = NDArray[np.uint64]

BEAM = 40
_CHUNK_ROOM = 1 << 31
_MASK_BITS = 64

_RANK, _DISTANCE, _LAST, _NEXT, _PARENT, _CANDIDATE, _FIELDS = range(7)
"""A path: matched words and closed chunks in one number (lower is better); the sum of distances; the
hypothesis word just after the open match, or -1; the reference word up to which the path is decided;
the path it comes from and the candidate that it adds, or -1."""


class Beam(NamedTuple):
    """The paths of two steps, best first, and the way back.

    paths: [2, BEAM, fields]; masks: the hypothesis words they use, as bits, [2, BEAM, numbers];
    counts: how many there are, [2]; parents, added: of each step's paths, [words + 1, BEAM].
    """

    paths: Longs
    masks: Masks
    counts: Longs
    parents: Ints
    added: Ints


@compiled
def align(reference: int, hypothesis: int, found: Candidates, beam: Beam, chosen: Ints) -> None:
    """Writes the candidate chosen at each reference word, or -1.

    A candidate that alone covers each of its words is fixed at once; where all are, no search is needed.
    """
    settled = True
    for place in range(reference):
        chosen[place] = -1
        first = found.starts[place]
        if found.starts[place + 1] == first:
            continue
        if found.starts[place + 1] == first + 1 and _stands_alone(found, place):
            chosen[place] = first
        else:
            settled = False
    if not settled:
        _search(reference, (hypothesis + _MASK_BITS - 1) // _MASK_BITS, found, beam, chosen)


@compiled
def _stands_alone(found: Candidates, place: int) -> bool:
    candidate = found.starts[place]
    for word in range(place, place + found.spans[candidate]):
        if found.covered_reference[word] != 1:
            return False
    begin = found.rows[candidate, PLACE]
    for word in range(begin, begin + found.rows[candidate, LENGTH]):
        if found.covered_hypothesis[word] != 1:
            return False
    return True


@compiled
def _search(reference: int, numbers: int, found: Candidates, beam: Beam, chosen: Ints) -> None:
    now = 0
    beam.counts[0] = 1
    beam.paths[0, 0, :] = 0
    beam.paths[0, 0, _LAST] = -1
    beam.masks[0, 0, :numbers] = 0
    for place in range(reference):
        beam.counts[1 - now] = 0
        for path in range(beam.counts[now]):
            if beam.paths[now, path, _NEXT] > place:
                _extend(beam, now, path, -1, found, place)
            elif chosen[place] >= 0:
                _add_fixed(beam, now, path, chosen[place], found, place)
            else:
                _branch(beam, now, path, found, place)
        _settle(beam, now, place, numbers, found)
        now = 1 - now
    beam.counts[1 - now] = 0
    for path in range(beam.counts[now]):
        if beam.paths[now, path, _LAST] >= 0:
            beam.paths[now, path, _RANK] += 1
        _keep(beam, now, path, -1)
    path = beam.paths[1 - now, 0, _PARENT]
    for place in range(reference - 1, -1, -1):
        chosen[place] = beam.added[place, path]
        path = beam.parents[place, path]


@compiled
def _extend(
    beam: Beam, now: int, path: int, candidate: int, found: Candidates, place: int
) -> None:
    """Keeps a path's successor with a candidate added, or with nothing changed."""
    fields = beam.paths[now, path]
    rank, last, following = fields[_RANK], fields[_LAST], fields[_NEXT]
    if candidate >= 0:
        begin, length = found.rows[candidate, PLACE], found.rows[candidate, LENGTH]
        span = found.spans[candidate]
        # Matches other than exact ones weigh one half a word, cut off to whole words at once.
        exact = found.rows[candidate, MODULE] == EXACT
        gain = length + span if exact else length // 2 + span // 2
        fields[_RANK] -= gain * _CHUNK_ROOM
        if last >= 0 and last != begin:
            fields[_RANK] += 1
        fields[_LAST] = begin + length
        fields[_NEXT] = place + span
    _keep(beam, now, path, candidate)
    fields[_RANK], fields[_LAST], fields[_NEXT] = rank, last, following


@compiled
def _add_fixed(
    beam: Beam, now: int, path: int, candidate: int, found: Candidates, place: int
) -> None:
    beam.paths[now, path, _DISTANCE] += abs(place - found.rows[candidate, PLACE])
    _extend(beam, now, path, candidate, found, place)


@compiled
def _branch(beam: Beam, now: int, path: int, found: Candidates, place: int) -> None:
    """The successors of a path by every candidate it has room for, and by none.

    A candidate's distance counts for the successors after it, not for its own.
    """
    for candidate in range(found.starts[place], found.starts[place + 1]):
        begin, free = found.rows[candidate, PLACE], True
        for word in range(begin, begin + found.rows[candidate, LENGTH]):
            bit = np.uint64(1) << np.uint64(word % _MASK_BITS)
            if beam.masks[now, path, word // _MASK_BITS] & bit:
                free = False
        if free:
            _extend(beam, now, path, candidate, found, place)
            beam.paths[now, path, _DISTANCE] += abs(place - begin)
    fields = beam.paths[now, path]
    if fields[_LAST] >= 0:
        fields[_RANK] += 1
        fields[_LAST] = -1
    fields[_NEXT] = place + 1
    _keep(beam, now, path, -1)


@compiled
def _keep(beam: Beam, now: int, path: int, candidate: int) -> None:
    """Puts a path after its equals among the best of the next step, if it is among them."""
    fields, then = beam.paths[now, path], 1 - now
    rank, distance = fields[_RANK], fields[_DISTANCE]
    at = beam.counts[then]
    if at < BEAM:
        beam.counts[then] = at + 1
    else:
        at = BEAM - 1
        worst = beam.paths[then, at]
        if not (
            rank < worst[_RANK] or (rank == worst[_RANK] and distance < worst[_DISTANCE])
        ):
            return
    while at > 0:
        other = beam.paths[then, at - 1]
        if not (
            rank < other[_RANK] or (rank == other[_RANK] and distance < other[_DISTANCE])
        ):
            break
        for field in range(_FIELDS):
            beam.paths[then, at, field] = other[field]
        at -= 1
    for field in range(_PARENT):
        beam.paths[then, at, field] = fields[field]
    beam.paths[then, at, _PARENT] = path
    beam.paths[then, at, _CANDIDATE] = candidate


@compiled
def _settle(beam: Beam, now: int, place: int, numbers: int, found: Candidates) -> None:
    """Marks the words that the kept paths use, and notes where they come from."""
    then = 1 - now
    for path in range(beam.counts[then]):
        parent, candidate = beam.paths[then, path, _PARENT], beam.paths[then, path, _CANDIDATE]
        beam.parents[place, path] = parent
        beam.added[place, path] = candidate
        for number in range(numbers):
            beam.masks[then, path, number] = beam.masks[now, parent, number]
        if candidate >= 0:
            begin = found.rows[candidate, PLACE]
            for word in range(begin, begin + found.rows[candidate, LENGTH]):
                bit = np.uint64(1) << np.uint64(word % _MASK_BITS)
                beam.masks[then, path, word // _MASK_BITS] |= bit
