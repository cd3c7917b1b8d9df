"""The compiled loops of scoring: how many labels of each row are right, of dense and of sparse labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.metrics.text.compiling import compiled

Array = NDArray[Any]


@compiled
def count_dense(gold: Array, predicted: Array, both: Array, golds: Array, guesses: Array) -> None:
    """The ones of each row in both matrices, in the gold one and in the predicted one."""
    for row in range(gold.shape[0]):
        left, right = gold[row], predicted[row]
        shared, first, second = np.uint32(0), np.uint32(0), np.uint32(0)
        for column in range(len(left)):
            one = np.uint32(left[column] != 0)
            other = np.uint32(right[column] != 0)
            shared += one & other
            first += one
            second += other
        both[row], golds[row], guesses[row] = shared, first, second


@compiled
def count_sparse(
    offsets: Array, columns: Array, other_offsets: Array, other_columns: Array, width: int
) -> Array:
    """How many columns the rows of two sparse matrices share, row by row."""
    found = np.zeros(len(offsets) - 1, dtype=np.int64)
    seen = np.full(width, -1, dtype=np.int32)
    for row in range(len(found)):
        for place in range(offsets[row], offsets[row + 1]):
            seen[np.uint32(columns[place])] = row
        shared = 0
        for place in range(other_offsets[row], other_offsets[row + 1]):
            shared += seen[np.uint32(other_columns[place])] == row
        found[row] = shared
    return found


@compiled
def count_columns(
    offsets: Array, columns: Array, other_offsets: Array, other_columns: Array, width: int
) -> Array:
    """In how many rows two sparse matrices share each column."""
    found = np.zeros(width, dtype=np.int64)
    seen = np.full(width, -1, dtype=np.int32)
    for row in range(len(offsets) - 1):
        for place in range(offsets[row], offsets[row + 1]):
            seen[np.uint32(columns[place])] = row
        for place in range(other_offsets[row], other_offsets[row + 1]):
            column = np.uint32(other_columns[place])
            found[column] += seen[column] == row
    return found
