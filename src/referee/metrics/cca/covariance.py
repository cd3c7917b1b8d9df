"""Means and covariances of paired rows: distinct embeddings and how often they stand together."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from os import cpu_count

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Embeddings = NDArray[np.floating]
Indices = NDArray[np.integer]

BLOCK = 16_384
"""Rows of a matrix product: many enough for it to run at full speed, few enough to stay small."""


@dataclass(frozen=True, eq=False)
class Moments:
    """How many rows there are, the mean of each view [d_v], and the covariance of all views together.

    `covariance` is [sum d_v, sum d_v]: the views within, and across, one after the other. `precision`
    is the machine's in which it was added up.
    """

    count: int
    means: tuple[Floats, ...]
    covariance: Floats
    precision: float

    @property
    def spans(self) -> tuple[slice, ...]:
        """Where each view stands in the covariance."""
        ends = np.cumsum([len(mean) for mean in self.means]).tolist()
        return tuple(
            slice(end - len(mean), end) for mean, end in zip(self.means, ends, strict=True)
        )


def moments(views: Sequence[Embeddings], rows: Sequence[Indices], *, block: int = BLOCK) -> Moments:
    """The moments of paired rows: pair r has the row views[v][rows[v][r]] of each view v.

    With n_ij how often row i of one view stands beside row j of another, and X centred:

        C_uu = X_u' diag(n) X_u / (m - 1),  C_uv = X_u' N X_v / (m - 1),  m = the number of pairs

    N is sparse and no pair is ever written out: N X_v is made for a block of rows at a time. Products
    are in the embeddings' own precision, sums over blocks in double precision, about a point near the
    mean, so that little is lost in centring.

    Args:
        views: [n_v, d_v] the distinct embeddings of each view.
        rows: [m] for each view, which of its embeddings each pair has.
        block: how many rows are multiplied at a time.

    Two answers, one given twice:

        >>> answers, questions = np.array([[1.0], [4.0]]), np.array([[2.0], [3.0]])
        >>> found = moments([answers, questions], [np.array([0, 0, 1]), np.array([0, 1, 1])])
        >>> found.means[0].round(3).tolist(), found.covariance.round(3).tolist()
        ([2.0], [[3.0, 0.5], [0.5, 0.333]])
    """
    count = len(rows[0])
    if count < 2:  # noqa: PLR2004 a covariance
        raise ValueError(f"{count} pairs have no covariance")
    # The view with fewer rows is read in order, and the others are gathered for its rows.
    order = sorted(range(len(views)), key=lambda view: len(views[view]))
    sides = [_side(view, index) for view, index in zip(views, rows, strict=True)]
    spans = _spans(views)
    total = np.zeros((spans[-1].stop, spans[-1].stop))
    offset = np.zeros(spans[-1].stop)
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        for place, one in enumerate(order):
            later = order[place + 1 :]
            found = _add_up(sides[one], [sides[other] for other in later], block, pool)
            total[spans[one], spans[one]], offset[spans[one]], across = found
            for other, products in zip(later, across, strict=True):
                total[spans[one], spans[other]] = products
                total[spans[other], spans[one]] = products.T
    covariance = (total - np.outer(offset, offset) / count) / (count - 1)
    means = tuple(
        side.shift + offset[span] / count for side, span in zip(sides, spans, strict=True)
    )
    precision = max(float(np.finfo(view.dtype).eps) for view in views)
    return Moments(count, means, covariance, precision)


@dataclass(frozen=True, eq=False)
class _Side:
    """A view, which of its rows each pair has, how many pairs each row has, a point near its mean."""

    view: Embeddings
    rows: Indices
    numbers: NDArray[np.int64]
    shift: Floats


def _side(view: Embeddings, rows: Indices) -> _Side:
    plain = np.asarray(view)
    numbers = np.bincount(rows, minlength=len(plain))
    first = np.flatnonzero(numbers)[:BLOCK]
    mean = np.average(np.asarray(plain[first], np.float64), axis=0, weights=numbers[first])
    return _Side(plain, rows, numbers, mean.astype(plain.dtype).astype(np.float64))


def _spans(views: Sequence[Embeddings]) -> list[slice]:
    ends = np.cumsum([view.shape[1] for view in views]).tolist()
    return [slice(end - view.shape[1], end) for view, end in zip(views, ends, strict=True)]


def _add_up(
    side: _Side, others: Sequence[_Side], block: int, pool: Executor
) -> tuple[Floats, Floats, list[Floats]]:
    """Sums over pairs, x and y less their shifts: of xx' [d, d], of x [d], of xy' for each other view.

    A row x that stands in n pairs enters once, as x sqrt(n), and beside it the sum of its y / sqrt(n).
    """
    from referee.metrics.cca.counting import gather, grouped, scale

    rows, width = side.view.shape
    kind = side.view.dtype
    roots = np.sqrt(side.numbers).astype(kind)
    counts = [grouped(side.rows, other.rows, rows, len(other.view)) for other in others]
    tables = [np.ascontiguousarray(other.view) for other in others]
    within, offset = np.zeros((width, width)), np.zeros(width)
    across = [np.zeros((width, table.shape[1])) for table in tables]
    # One set of blocks is filled again and again: new memory would cost more than the filling.
    height = min(block, rows)
    scaled = np.empty((height, width), kind)
    summed = [np.empty((height, table.shape[1]), table.dtype) for table in tables]
    shift = side.shift.astype(kind)

    def fill(first: int, start: int, end: int) -> None:
        part = slice(first + start, first + end)
        scale(np.ascontiguousarray(side.view[part]), shift, roots[part], scaled[start:end])
        for other, table, count, out in zip(others, tables, counts, summed, strict=True):
            gather(table, other.shift, count, first + start, roots[part], out[start:end])

    for first in range(0, rows, block):
        here = min(block, rows - first)
        cuts = np.linspace(0, here, 4 * (cpu_count() or 1) + 1).astype(int).tolist()
        list(pool.map(partial(fill, first), cuts[:-1], cuts[1:]))
        within += scaled[:here].T @ scaled[:here]
        offset += roots[first : first + here] @ scaled[:here]
        for place, out in enumerate(summed):
            across[place] += scaled[:here].T @ out[:here]
    return within, offset, across
