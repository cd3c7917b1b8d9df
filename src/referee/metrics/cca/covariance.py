"""Means and covariances of paired rows: distinct embeddings and how often they stand together."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
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
    numbers = [
        np.bincount(index, minlength=len(view)) for view, index in zip(views, rows, strict=True)
    ]
    spans = _spans(views)
    total = np.zeros((spans[-1].stop, spans[-1].stop))
    shifts = [_near_mean(view, weights) for view, weights in zip(views, numbers, strict=True)]
    sums: list[Floats] = []
    with ThreadPoolExecutor(max(2, cpu_count() or 2)) as pool:
        for view, weights, shift, span in zip(views, numbers, shifts, spans, strict=True):
            within, offset = _within(view, weights, shift, block, pool)
            total[span, span] = within
            sums.append(offset)
        for one in range(len(views)):
            for two in range(one + 1, len(views)):
                # The view with fewer rows is read in order, the other one is gathered for it.
                outer, inner = sorted((one, two), key=lambda view: len(views[view]))
                across = _across(
                    _Side(views[outer], rows[outer], shifts[outer]),
                    _Side(views[inner], rows[inner], shifts[inner]),
                    block,
                    pool,
                )
                total[spans[outer], spans[inner]] = across
                total[spans[inner], spans[outer]] = across.T
    offset = np.concatenate(sums)
    covariance = (total - np.outer(offset, offset) / count) / (count - 1)
    means = tuple(shift + part / count for shift, part in zip(shifts, sums, strict=True))
    precision = max(float(np.finfo(view.dtype).eps) for view in views)
    return Moments(count, means, covariance, precision)


@dataclass(frozen=True, eq=False)
class _Side:
    view: Embeddings
    rows: Indices
    shift: Floats


def _spans(views: Sequence[Embeddings]) -> list[slice]:
    ends = np.cumsum([view.shape[1] for view in views]).tolist()
    return [slice(end - view.shape[1], end) for view, end in zip(views, ends, strict=True)]


def _near_mean(view: Embeddings, weights: Indices) -> Floats:
    """The mean over the first rows that count: near enough to the mean of all."""
    first = np.flatnonzero(weights)[:BLOCK]
    result: Floats = np.average(
        np.asarray(view[first], np.float64), axis=0, weights=weights[first]
    ).astype(view.dtype)
    return result.astype(np.float64)


def _within(
    view: Embeddings, weights: Indices, shift: Floats, block: int, pool: Executor
) -> tuple[Floats, Floats]:
    """Sum of n (x - shift)(x - shift)' [d, d] and of n (x - shift) [d]."""
    from referee.metrics.cca.counting import scale

    width = view.shape[1]
    products, offset = np.zeros((width, width)), np.zeros(width)
    roots = np.sqrt(weights).astype(view.dtype)
    centre = shift.astype(view.dtype)

    def made(first: int) -> Embeddings:
        scaled = np.empty((min(block, len(view) - first), width), view.dtype)
        scale(np.ascontiguousarray(view[first : first + block]), centre, roots[first:], scaled)
        return scaled

    waiting = pool.submit(made, 0)
    for first in range(0, len(view), block):
        scaled = waiting.result()
        if first + block < len(view):
            waiting = pool.submit(made, first + block)
        products += scaled.T @ scaled
        offset += roots[first : first + block] @ scaled
    return products, offset


def _across(outer: _Side, inner: _Side, block: int, pool: Executor) -> Floats:
    """Sum over pairs of (x - shift)(y - shift)', [outer's d, inner's d]."""
    from referee.metrics.cca.counting import gather, grouped

    counts = grouped(outer.rows, inner.rows, len(outer.view), len(inner.view))
    products = np.zeros((outer.view.shape[1], inner.view.shape[1]))
    centre = outer.shift.astype(outer.view.dtype)
    table = np.ascontiguousarray(inner.view)

    def made(first: int) -> tuple[Embeddings, Embeddings]:
        last = min(first + block, len(outer.view))
        summed = np.empty((last - first, table.shape[1]), table.dtype)
        gather(table, inner.shift, counts.starts, counts.members, counts.numbers, first, summed)
        return outer.view[first:last] - centre, summed

    waiting = pool.submit(made, 0)
    for first in range(0, len(outer.view), block):
        centred, summed = waiting.result()
        if first + block < len(outer.view):
            waiting = pool.submit(made, first + block)
        products += centred.T @ summed
    return products
