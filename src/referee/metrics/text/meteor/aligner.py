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

BEAM = 40
_CHUNK_ROOM = 1 << 31
_MASK_BITS = 64

RANK, DISTANCE, LAST, NEXT, PARENT, CANDIDATE, MASKS = range(7)
"""A path: matched words and closed chunks in one number (lower is better); the sum of distances; the
hypothesis word just after the open match, or -1; the reference word up to which the path is decided;
the path it comes from and the candidate that it adds, or -1; then the hypothesis words it uses, as bits."""


class Beam(NamedTuple):
    """The paths of two steps, best first, and the way back.

    paths: [2, BEAM, 6 fields and the masks]; parents, added: the parent of each step's paths and the
    candidate that it added, [words + 1, BEAM]; draft: the fields of a path that may be kept.
    """

    paths: Longs
    draft: Longs
    parents: Ints
    added: Ints


@compiled
def beam_for(longest: int) -> Beam:
    """Room for sentences of so many words."""
    return Beam(
        np.zeros((2, BEAM, MASKS + longest // _MASK_BITS + 1), np.int64),
        np.zeros(MASKS, np.int64),
        np.zeros((longest + 1, BEAM), np.int32),
        np.zeros((longest + 1, BEAM), np.int32),
    )


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
    paths, draft = beam.paths, beam.draft
    starts, rows, spans = found.starts, found.rows, found.spans
    now, count = 0, 1
    paths[0, 0, :] = 0
    paths[0, 0, LAST] = -1
    for place in range(reference):
        kept, following = 0, paths[1 - now]
        for number in range(count):
            path = paths[now, number]
            fixed = chosen[place]
            if path[NEXT] > place:
                _copy(path, number, draft)
                kept = _keep(following, kept, draft)
            elif fixed >= 0:
                path[DISTANCE] += abs(place - rows[fixed, PLACE])
                _copy(path, number, draft)
                _add(draft, rows[fixed], spans[fixed], place, fixed)
                kept = _keep(following, kept, draft)
            else:
                for candidate in range(starts[place], starts[place + 1]):
                    if _has_room(path, rows[candidate]):
                        _copy(path, number, draft)
                        _add(draft, rows[candidate], spans[candidate], place, candidate)
                        kept = _keep(following, kept, draft)
                        # A candidate's distance counts for the successors after it, not for its own.
                        path[DISTANCE] += abs(place - rows[candidate, PLACE])
                _copy(path, number, draft)
                _skip(draft, place)
                kept = _keep(following, kept, draft)
        _settle(paths[now], following[:kept], numbers, rows)
        for number in range(kept):
            beam.parents[place, number] = following[number, PARENT]
            beam.added[place, number] = following[number, CANDIDATE]
        now, count = 1 - now, kept
    at = _best(paths[now, :count])
    for place in range(reference - 1, -1, -1):
        chosen[place] = beam.added[place, at]
        at = beam.parents[place, at]


@compiled
def _has_room(path: Longs, row: Ints) -> bool:
    """Whether a path uses none of a candidate's hypothesis words."""
    for word in range(row[PLACE], row[PLACE] + row[LENGTH]):
        if (path[MASKS + (word >> 6)] >> (word & 63)) & 1:
            return False
    return True


@compiled
def _copy(path: Longs, number: int, draft: Longs) -> None:
    """Drafts the successor of path `number` that changes nothing."""
    for field in range(PARENT):
        draft[field] = path[field]
    draft[PARENT] = number
    draft[CANDIDATE] = -1


@compiled
def _add(draft: Longs, row: Ints, span: int, place: int, candidate: int) -> None:
    """Adds a candidate to the draft."""
    # Matches other than exact ones weigh one half a word, cut off to whole words at once.
    exact = row[MODULE] == EXACT
    gain = row[LENGTH] + span if exact else row[LENGTH] // 2 + span // 2
    draft[RANK] -= np.int64(gain) * _CHUNK_ROOM
    if draft[LAST] >= 0 and draft[LAST] != row[PLACE]:
        draft[RANK] += 1
    draft[LAST] = row[PLACE] + row[LENGTH]
    draft[NEXT] = place + span
    draft[CANDIDATE] = candidate


@compiled
def _skip(draft: Longs, place: int) -> None:
    """Leaves a reference word without a match, which ends the open chunk."""
    if draft[LAST] >= 0:
        draft[RANK] += 1
    draft[LAST] = -1
    draft[NEXT] = place + 1


@compiled
def _keep(paths: Longs, count: int, draft: Longs) -> int:
    """Puts the draft after its equals among the best, if it is among them; how many there are then."""
    rank, distance = draft[RANK], draft[DISTANCE]
    at = min(count, BEAM - 1)
    if count == BEAM and not _better(rank, distance, paths[at]):
        return count
    while at > 0 and _better(rank, distance, paths[at - 1]):
        for field in range(MASKS):
            paths[at, field] = paths[at - 1, field]
        at -= 1
    for field in range(MASKS):
        paths[at, field] = draft[field]
    return min(count + 1, BEAM)


@compiled
def _better(rank: int, distance: int, other: Longs) -> bool:
    """More matched words, then fewer chunks, then a smaller distance."""
    return bool(rank < other[RANK] or (rank == other[RANK] and distance < other[DISTANCE]))


@compiled
def _best(paths: Longs) -> int:
    """The first of the best paths, now that the last open match ends a chunk."""
    best = 0
    for number in range(len(paths)):
        paths[number, RANK] += paths[number, LAST] >= 0
        if _better(paths[number, RANK], paths[number, DISTANCE], paths[best]):
            best = number
    return best


@compiled
def _settle(before: Longs, after: Longs, numbers: int, rows: Ints) -> None:
    """Marks the words that the kept paths use."""
    for path in range(len(after)):
        for number in range(MASKS, MASKS + numbers):
            after[path, number] = before[after[path, PARENT], number]
        candidate = after[path, CANDIDATE]
        if candidate >= 0:
            begin = rows[candidate, PLACE]
            for word in range(begin, begin + rows[candidate, LENGTH]):
                after[path, MASKS + (word >> 6)] |= np.int64(1) << np.int64(word & 63)
