"""Rows of different lengths, one after the other in one flat array: `widths` says how long each is."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Counts: TypeAlias = NDArray[np.int64]
Kind = TypeVar("Kind", bound=np.generic)


def starts(widths: Counts) -> Counts:
    """Where each row begins."""
    found: Counts = np.cumsum(widths) - widths
    return found


def sums(values: Floats, widths: Counts) -> Floats:
    """The sum of each row; 0 of one without cells."""
    return _reduced(np.add, np.asarray(values, dtype=np.float64), widths, 0.0)


def greatest(values: Floats, widths: Counts, empty: float = -np.inf) -> Floats:
    """The greatest cell of each row; `empty` for one without cells."""
    return _reduced(np.maximum, values, widths, empty)


def least(values: Floats, widths: Counts, empty: float = np.inf) -> Floats:
    """The least cell of each row; `empty` for one without cells."""
    return _reduced(np.minimum, values, widths, empty)


def over_sums(values: Floats, widths: Counts) -> Floats:
    """Each cell over the sum of its row; NaN where that is not above zero.

    >>> over_sums(np.array([1.0, 3.0, 0.0]), np.array([2, 1])).tolist()
    [0.25, 0.75, nan]
    """
    return _over_sums(np.ascontiguousarray(values, dtype=np.float64), widths)


def spread(values: NDArray[Kind], widths: Counts) -> NDArray[Kind]:
    """One value a row, repeated for each of its cells."""
    return np.repeat(values, widths)


def cells(rows: Counts, widths: Counts) -> Counts:
    """The places of the cells of these rows, in their order.

    >>> cells(np.array([2, 0]), np.array([2, 1, 3])).tolist()
    [3, 4, 5, 0, 1]
    """
    chosen = widths[rows]
    shift = np.repeat(starts(widths)[rows] - starts(chosen), chosen)
    found: Counts = np.arange(len(shift)) + shift
    return found


def _reduced(function: np.ufunc, values: Floats, widths: Counts, empty: float) -> Floats:
    result = np.full(len(widths), empty)
    held = widths > 0
    if held.any():
        result[held] = function.reduceat(values, starts(widths)[held])
    return result


@njit(cache=True, nogil=True)
def _over_sums(values: Floats, widths: Counts) -> Floats:
    result = np.empty(len(values))
    begin = 0
    for width in widths:
        total = 0.0
        for cell in range(begin, begin + width):
            total += values[cell]
        for cell in range(begin, begin + width):
            result[cell] = values[cell] / total if total > 0 else np.nan
        begin += width
    return result
