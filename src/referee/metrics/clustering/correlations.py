"""The correlations within rounds, straight from a table of unique texts."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def round_correlations(anchors: Floats, table: Floats, options: NDArray[np.int64]) -> Floats:
    """The product of each round's anchor with its options, which for rows of length 1 is the correlation.

    The options' rows are read where they are; no round's are ever copied together. Equal rows have
    exactly equal products.

    Shapes: `anchors` [rounds, k]; `table` [texts, k]; `options` [rounds, n], rows of the table; result
    [rounds, n].

        >>> table = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
        >>> round_correlations(table[:1], table, np.array([[0, 1, 2]])).tolist()
        [[1.0, 0.6, 0.0]]
    """
    found = np.empty(options.shape)
    _fill(np.ascontiguousarray(anchors), np.ascontiguousarray(table), options, found)
    return found


@njit(cache=True, fastmath={"reassoc", "contract"})
def _fill(anchors: Floats, table: Floats, options: NDArray[np.int64], found: Floats) -> None:
    rounds, count = options.shape
    for row in range(rounds):
        anchor = anchors[row]
        for place in range(count):
            other = table[options[row, place]]
            total = 0.0
            for column in range(len(anchor)):
                total += anchor[column] * other[column]
            found[row, place] = total
