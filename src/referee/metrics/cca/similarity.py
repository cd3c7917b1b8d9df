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
    block: int = 65_536,
) -> tuple[NDArray[np.int64], Floats]:
    """The rows of a table with the largest products with each query, [n, count], best first.

    Returns which rows, and the products less `penalty` [rows], by which they are ordered; of equal ones
    the earlier row comes first. With rows of length 1 that is correlation; with half the squared length
    of each row as its penalty, Euclidean distance.

    >>> places, products = nearest(np.array([[1.0]]), np.array([[1.0], [3.0], [2.0]]), 2)
    >>> places.tolist(), products.tolist()
    ([[1, 2]], [[3.0, 2.0]])
    """
    from referee.metrics.cca.selecting import Largest

    held = Largest(len(queries), count)
    none = np.zeros(min(block, len(table)))
    for first in range(0, len(table), block):
        products = queries @ table[first : first + block].T
        parts = none if penalty is None else penalty[first : first + block]
        held.see(products, parts, first)
    return held.found()
