"""The votes for Yes: which candidates are what was asked for, by COCO's categories, colours, or the rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from referee.annotate.soft_labels.candidates import Candidates, colour_bits
from referee.annotate.soft_labels.concepts import UNSURE, YES, Truths, truths
from referee.annotate.soft_labels.how import DIFFER, LABELLED, UNKNOWN, How
from referee.annotate.soft_labels.questions import Asked
from referee.metrics.belief import rules
from referee.metrics.belief.ragged import Counts, Floats, cells, spread, starts, sums

Told = NDArray[np.int8]


class Asking:
    """What can be asked, as tables; `known` are the candidates, and a code is a place in `kinds`.

    The code -1 is that of questions that are not covered, and of it the last row of each table.
    """

    def __init__(self, known: Candidates, kinds: Sequence[Asked]) -> None:
        self.known, self.kinds = known, kinds
        self.is_spatial, self._is_colour = (
            np.array([*(kind.type == name for kind in kinds), False], dtype=np.bool_)
            for name in ("spatial", "colour")
        )
        nothing = np.zeros_like(truths(()))
        self._truths = np.stack(
            [
                *(truths(each.names) if each.type in _BY_NAME else nothing for each in kinds),
                nothing,
            ]
        )
        bits = (colour_bits(each.names) if each.type == "colour" else 0 for each in kinds)
        self._colours = np.array([*bits, 0], dtype=np.int64)
        self._begins = starts(known.widths)
        self._edges = np.ascontiguousarray(known.edges.T)

    def votes(self, games: Counts, codes: Counts, how: How) -> tuple[Floats, Told]:
        """How many say Yes of each candidate of each question, and whether each question can be told."""
        widths = self.known.widths[games]
        flat = self._cells(games, widths)
        votes, told = self._named(codes, flat, widths)
        colour = np.flatnonzero(self._is_colour[codes])
        spatial = np.flatnonzero(self.is_spatial[codes])
        if len(colour):
            inside = cells(colour, widths)
            held = self.known.colours[flat][inside]
            votes[inside], told[colour] = self._coloured(held, codes[colour], widths[colour])
        if len(spatial):
            order = spatial[np.argsort(codes[spatial], kind="stable")]
            counts = np.bincount(codes[order], widths[order], len(self.kinds)).astype(np.int64)
            edges = np.empty((4, int(widths[order].sum())))
            _gather(self._edges, self._begins[games[order]], widths[order], edges)
            found = self._placed(edges.T, counts, how)
            _scatter(found, starts(widths)[order], widths[order], votes)
            told[spatial] = np.where(self.known.placed[games[spatial]], LABELLED, UNKNOWN)
        return votes, told

    def _cells(self, games: Counts, widths: Counts) -> Counts | slice:
        """Where the candidates of these games are; of first turns the games stand side by side."""
        if len(games) and bool((np.diff(games) == 1).all()):
            begin = int(self._begins[games[0]])
            return slice(begin, begin + int(widths.sum()))
        return cells(games, self.known.widths)

    def _named(self, codes: Counts, flat: Counts | slice, widths: Counts) -> tuple[Floats, Told]:
        """The votes of categories and objects, for all questions; of other types there are none."""
        votes, told = np.empty(int(widths.sum())), np.full(len(codes), LABELLED, dtype=np.int8)
        _look_up(self._truths, codes, self.known.categories[flat], widths, votes, told)
        return votes, told

    def _coloured(self, held: Counts, codes: Counts, widths: Counts) -> tuple[Floats, Told]:
        """The colours of all things of the scene must be known."""
        told = np.where(sums(held == 0, widths) > 0, UNKNOWN, LABELLED)
        wanted = spread(self._colours[codes], widths)
        return ((held & wanted) > 0).astype(np.float64), told.astype(np.int8)

    def _placed(self, edges: Floats, counts: Counts, how: How) -> NDArray[np.uint8]:
        """How many rules vote for each box; the boxes of each kind stand together, in the kinds' order."""
        found = np.empty(len(edges), dtype=np.uint8)
        ends = np.cumsum(counts)
        for code in np.flatnonzero(counts).tolist():
            part = slice(ends[code] - counts[code], ends[code])
            (region,) = self.kinds[code].names
            found[part] = rules.votes(edges[part], region, how.rules, how.thresholds)
        return found


_BY_NAME = ("category", "object")


@njit(cache=True, nogil=True)
def _look_up(
    table: Truths, codes: Counts, categories: Counts, widths: Counts, votes: Floats, told: Told
) -> None:
    cell = 0
    for question in range(len(codes)):
        row = table[codes[question]]
        for _ in range(widths[question]):
            found = row[categories[cell]]
            votes[cell] = found == YES
            if found == UNSURE:
                told[question] = DIFFER
            cell += 1


@njit(cache=True, nogil=True)
def _gather(edges: Floats, begins: Counts, widths: Counts, found: Floats) -> None:
    for edge in range(len(edges)):
        cell = 0
        for row in range(len(widths)):
            for place in range(begins[row], begins[row] + widths[row]):
                found[edge, cell] = edges[edge, place]
                cell += 1


@njit(cache=True, nogil=True)
def _scatter(found: NDArray[np.uint8], begins: Counts, widths: Counts, votes: Floats) -> None:
    cell = 0
    for row in range(len(widths)):
        for place in range(begins[row], begins[row] + widths[row]):
            votes[place] = found[cell]
            cell += 1
