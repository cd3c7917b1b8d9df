"""Some threads that share a loop; the caller's own is one of them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from os import cpu_count
from types import TracebackType
from typing import Self

_WORTH = 1 << 16
"""Cells of work below which starting a thread costs more than it saves."""


class Workers:
    """As many threads as there are processors, for loops that have let go of the interpreter."""

    def __init__(self, number: int | None = None) -> None:
        self._number = number or cpu_count() or 1
        self._pool = ThreadPoolExecutor(max(1, self._number - 1))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown()

    def share(self, total: int, cells: int, run: Callable[[int, int], None]) -> None:
        """Calls `run` on ranges that together are range(total), each of which has about `cells` cells."""
        parts = max(1, min(self._number, total, total * cells // _WORTH))
        cuts = [total * part // parts for part in range(parts + 1)]
        waiting = [self._pool.submit(run, start, end) for start, end in pairwise(cuts[:-1])]
        run(cuts[-2], cuts[-1])
        for each in waiting:
            each.result()
