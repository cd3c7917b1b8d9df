"""The compiled part of `nearest`: keeps the largest numbers of rows that come in pieces."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Products = NDArray[np.floating]


class Largest:
    """The `count` largest numbers of each row so far, and where they stood; of equal ones the earliest."""

    def __init__(self, rows: int, count: int) -> None:
        self._count = count
        # Numbers are only sorted when twice as many wait as are kept.
        self._values = np.empty((rows, 2 * count), np.float64)
        self._places = np.empty((rows, 2 * count), np.int64)
        self._filled = np.zeros(rows, np.int64)
        self._least = np.full(rows, -np.inf)

    def see(self, products: Products, penalty: Products, first: int) -> None:
        """The next columns of each row, of which the first stands at `first`, less their penalties."""
        kept = (self._values, self._places, self._filled, self._least)
        _see(products, penalty, first, self._count, *kept)

    def found(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Where the largest stand and what they are, [rows, count at most], falling."""
        kept = (self._values, self._places, self._filled, self._least)
        for row in range(len(self._values)):
            _tidy(row, self._count, *kept)
        width = int(min(self._filled.min(initial=self._count), self._count))
        return self._places[:, :width].copy(), self._values[:, :width].copy()


@njit(cache=True, nogil=True)
def _see(
    products: Products,
    penalty: Products,
    first: int,
    count: int,
    values: NDArray[np.float64],
    places: NDArray[np.int64],
    filled: NDArray[np.int64],
    least: NDArray[np.float64],
) -> None:  # pragma: no cover
    for row in range(len(products)):
        for column in range(products.shape[1]):
            value = products[row, column] - penalty[column]
            if value > least[row]:
                values[row, filled[row]] = value
                places[row, filled[row]] = first + column
                filled[row] += 1
                if filled[row] == values.shape[1]:
                    _tidy(row, count, values, places, filled, least)


@njit(cache=True, nogil=True)
def _tidy(
    row: int,
    count: int,
    values: NDArray[np.float64],
    places: NDArray[np.int64],
    filled: NDArray[np.int64],
    least: NDArray[np.float64],
) -> None:  # pragma: no cover
    order = np.argsort(-values[row, : filled[row]], kind="mergesort")
    sorted_values, sorted_places = values[row][order], places[row][order]
    filled[row] = min(count, filled[row])
    for place in range(filled[row]):
        values[row, place] = sorted_values[place]
        places[row, place] = sorted_places[place]
    if filled[row] == count:
        least[row] = values[row, count - 1]
