"""Correlations of projections, and what is nearest by them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.floating]


def unit(rows: Rows) -> Rows:
    """The rows at length 1; a row of zeros stays as it is, so that it correlates 0 with everything.

    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    lengths = np.sqrt(np.einsum("nk,nk->n", rows, rows))[:, None]
    result: Rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return result


def cosines(one: Rows, other: Rows) -> Floats:
    """The correlation of each row of one with each row of the other, [n, m].

        corr(x, y) = psi(x)' psi(y) / (|psi(x)| |psi(y)|);  0 where either is zero

    >>> cosines(np.array([[1.0, 0.0]]), np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]])).tolist()
    [[1.0, 0.0, 0.0]]
    """
    result: Floats = unit(np.asarray(one, np.float64)) @ unit(np.asarray(other, np.float64)).T
    return result


def nearest(
    queries: Rows,
    table: Rows,
    count: int,
    penalty: Rows | None = None,
    *,
    digits: int = 15,
    block: int = 65_536,
) -> tuple[NDArray[np.int64], Floats]:
    """The rows of a table with the largest products with each query, [n, count], best first.

    Returns which rows, and the products less `penalty` [rows], by which they are ordered; of those that
    are equal to so many decimal digits the earlier row comes first. With rows of length 1 that is
    correlation; with half the squared length of each row as its penalty, Euclidean distance.

    >>> places, products = nearest(np.array([[1.0]]), np.array([[1.0], [3.0], [2.0]]), 2)
    >>> places.tolist(), products.tolist()
    ([[1, 2]], [[3.0, 2.0]])
    """
    best = np.zeros((len(queries), 0))
    places = np.zeros((len(queries), 0), np.int64)
    for first in range(0, len(table), block):
        products = (queries @ table[first : first + block].T).astype(np.float64)
        if penalty is not None:
            products -= penalty[first : first + block]
        np.round(products, digits, out=products)
        best = np.hstack([best, products])
        here = np.arange(first, first + products.shape[1])
        places = np.hstack([places, np.broadcast_to(here, products.shape)])
        best, places = _largest(best, places, count)
    order = np.lexsort((places, -best), axis=1)
    return np.take_along_axis(places, order, 1), np.take_along_axis(best, order, 1)


def _largest(
    values: Floats, places: NDArray[np.int64], count: int
) -> tuple[Floats, NDArray[np.int64]]:
    """The `count` largest of each row; of values equal to the last that fits, the earliest stay."""
    if values.shape[1] <= count:
        return values, places
    last = -np.partition(-values, count - 1, axis=1)[:, count - 1 : count]
    above, equal = values > last, values == last
    room = count - above.sum(axis=1, keepdims=True)
    kept = above | (equal & (np.cumsum(equal, axis=1) <= room))
    shape = (len(values), count)
    return values[kept].reshape(shape), places[kept].reshape(shape)
