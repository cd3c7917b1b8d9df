"""The ranks of all options, and the sort that every rank metric needs: blocks of rounds on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from referee.errors import DataError, UsageError

Ties = Literal["stable", "expected", "optimistic", "pessimistic"]
Scores = NDArray[np.floating]
Counts = NDArray[np.int64]
Values = NDArray[np.float64]
Ranks = NDArray[np.int16] | NDArray[np.int32] | NDArray[np.float64]

_BLOCK = 1 << 17
"""The scores that are sorted at once: their integers stay in a core's cache."""
_FEW = 1 << 8
"""The options whose numbers leave enough of a 32-bit score to sort by."""
_ALONE = 1 << 18
"""Fewer scores than these are not worth a second thread."""


@dataclass(frozen=True)
class Sorted:
    """Some rounds' options in falling order of their scores; kernels.py says how they are packed."""

    rows: slice
    scores: Scores
    packed: NDArray[np.signedinteger]
    low: int


def ranks(scores: Scores, ties: Ties = "stable") -> Ranks:
    """The rank of every option, 1 the best; [rounds, options].

    Integers of 16 bits where they suffice; floats for `expected`, the mean of the ranks that an option
    may have.

    >>> scores = np.array([[0.1, 0.7, 0.1]])
    >>> [ranks(scores, ties).tolist()
    ...  for ties in ("stable", "expected", "optimistic", "pessimistic")]
    [[[2, 1, 3]], [[2.5, 1.0, 2.5]], [[2, 1, 2]], [[3, 1, 3]]]
    """
    from referee.metrics.ranking import kernels

    code = tie_code(ties)
    narrow = np.int16 if scores.shape[1] <= np.iinfo(np.int16).max else np.int32
    result = np.empty(scores.shape, np.float64 if ties == "expected" else narrow)

    def fill(part: Sorted) -> None:
        if code == kernels.STABLE:
            kernels.place(part.packed, part.low, result[part.rows])
        else:
            kernels.place_tied(part.packed, part.scores, part.low, code, result[part.rows])

    in_order(scores, fill)
    return result


def tie_code(ties: Ties) -> int:
    """The number by which the kernels know where the tied stand: its place in the list of names."""
    names = get_args(Ties)
    if ties not in names:
        raise UsageError(f"ties must be one of {', '.join(names)}; not '{ties}'")
    return names.index(ties)


def in_order(scores: Scores, use: Callable[[Sorted], None]) -> None:
    """Sorts each round's options and hands them to `use`, block by block, on as many cores as there are.

    What `use` is given is overwritten afterwards; a NaN among the scores is refused.
    """
    table = floats(scores)
    rounds = len(table)
    threads = min(cores(), table.size // _ALONE + 1)
    edges = [rounds * part // threads for part in range(threads + 1)]

    def work(part: int) -> None:
        _sort_blocks(table, edges[part], edges[part + 1], use)

    if threads == 1:
        work(0)
        return
    with ThreadPoolExecutor(threads - 1) as pool:
        others = pool.map(work, range(1, threads))
        work(0)
        list(others)


def _sort_blocks(table: Scores, start: int, end: int, use: Callable[[Sorted], None]) -> None:
    from referee.metrics.ranking import kernels

    options = table.shape[1]
    if not options:
        return
    height = max(1, _BLOCK // options)
    kind = np.int32 if table.dtype == np.float32 else np.int64
    bits = table.view(kind)
    low = (1 << (options - 1).bit_length()) - 1
    infinity = int(np.array(np.inf, table.dtype).view(kind))
    most = int(np.iinfo(kind).max)
    buffer = np.empty((min(height, end - start), options), kind)
    for first in range(start, end, height):
        rows = slice(first, min(end, first + height))
        part = Sorted(rows, table[rows], buffer[: rows.stop - first], low)
        if kernels.pack(bits[rows], infinity, most, low, part.packed):
            refuse_nan(table, first + int(np.isnan(part.scores).any(axis=1).argmax()))
        part.packed.sort(axis=1)
        kernels.settle(part.packed, part.scores, low)
        use(part)


def floats(scores: NDArray[Any]) -> Scores:
    """The scores as the kernels take them, in one piece: 64-bit floats, or 32-bit where they are that.

    In 32 bits the numbers of many options would hide too much of the scores.
    """
    few = scores.shape[1] <= _FEW and scores.dtype in (np.float16, np.float32)
    kind = np.float32 if few else np.float64
    table: Scores = np.ascontiguousarray(scores, kind)
    return table


def refuse_nan(table: Scores, row: int) -> None:
    """Says which round's scores hold the first NaN."""
    option = int(np.isnan(table[row]).argmax())
    raise DataError("is NaN", record=row, field=f"scores[{option}]", expected="a number to sort by")


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
