"""The compiled part of `moments`: the sparse count matrix, and its product with a block of rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Integers = NDArray[np.integer]
Embeddings = NDArray[np.floating]


class Grouped(NamedTuple):
    """A sparse count matrix by rows: row i has `numbers[e]` of column `members[e]`, e from starts[i]."""

    starts: NDArray[np.int64]
    members: NDArray[np.int32]
    numbers: NDArray[np.int32]


def grouped(outer: Integers, inner: Integers, rows: int, columns: int) -> Grouped:
    """How often each column stands beside each row.

    >>> found = grouped(np.array([1, 0, 1, 1]), np.array([2, 0, 2, 1]), 2, 3)
    >>> found.starts.tolist(), found.members.tolist(), found.numbers.tolist()
    ([0, 1, 3], [0, 1, 2], [1, 1, 2])
    """
    starts, members, numbers = _grouped(
        np.ascontiguousarray(outer, np.int32), np.ascontiguousarray(inner, np.int32), rows, columns
    )
    kept = int(starts[-1])
    return Grouped(starts, members[:kept], numbers[:kept])


@njit(cache=True, nogil=True)
def _grouped(
    outer: NDArray[np.int32], inner: NDArray[np.int32], rows: int, columns: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:  # pragma: no cover
    # Two counting sorts, by column and then by row, leave each row's columns in order and side by side.
    places = np.zeros(columns + 1, np.int64)
    for column in inner:
        places[column + 1] += 1
    for column in range(columns):
        places[column + 1] += places[column]
    by_column = np.empty(len(inner), np.int32)
    for pair in range(len(inner)):
        by_column[places[inner[pair]]] = pair
        places[inner[pair]] += 1
    ends = np.zeros(rows + 1, np.int64)
    for owner in outer:
        ends[owner + 1] += 1
    for row in range(rows):
        ends[row + 1] += ends[row]
    at = ends[:-1].copy()
    ordered = np.empty(len(inner), np.int32)
    for placed in by_column:
        ordered[at[outer[placed]]] = inner[placed]
        at[outer[placed]] += 1
    starts = np.zeros(rows + 1, np.int64)
    numbers = np.empty(len(inner), np.int32)
    kept = 0
    for row in range(rows):
        for place in range(ends[row], ends[row + 1]):
            if kept > starts[row] and ordered[kept - 1] == ordered[place]:
                numbers[kept - 1] += 1
            else:
                ordered[kept] = ordered[place]
                numbers[kept] = 1
                kept += 1
        starts[row + 1] = kept
    return starts, ordered, numbers


@njit(cache=True, nogil=True, fastmath={"contract"})
def scale(
    block: Embeddings, shift: Embeddings, roots: Embeddings, out: Embeddings
) -> None:  # pragma: no cover
    """Rows less the shift, times their weights' roots."""
    for row in range(len(block)):
        root = roots[row]
        for column in range(block.shape[1]):
            out[row, column] = root * (block[row, column] - shift[column])


@njit(cache=True, nogil=True, fastmath={"contract"})
def gather(
    table: Embeddings,
    shift: NDArray[np.float64],
    counts: Grouped,
    first: int,
    roots: Embeddings,
    out: Embeddings,
) -> None:  # pragma: no cover
    """For each row of `out`, the sum of its columns' rows of the table less the shift, by its root.

    A frequent answer has hundreds of thousands of questions: they are added in double precision.
    """
    width = table.shape[1]
    total = np.empty(width, np.float64)
    for row in range(len(out)):
        start, end = counts.starts[first + row], counts.starts[first + row + 1]
        total[:] = 0.0
        weight = 0
        for entry in range(start, end):
            member, number = counts.members[entry], counts.numbers[entry]
            weight += number
            for column in range(width):
                total[column] += number * table[member, column]
        share = 1 / roots[row] if weight else 0.0
        for column in range(width):
            out[row, column] = (total[column] - weight * shift[column]) * share
