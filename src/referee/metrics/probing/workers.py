"""Some threads that share the work of a probe, each by itself: products, loops and all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from os import cpu_count
from types import TracebackType
from typing import Self, TypeVar

from threadpoolctl import ThreadpoolController

T = TypeVar("T")
Found = TypeVar("Found")


class Workers:
    """As many threads as there are processors.

    While they are at work NumPy multiplies matrices on the thread that asks for it: threads that each
    start as many again wait for one another longer than they compute.
    """

    def __init__(self, number: int | None = None) -> None:
        self._number = number or cpu_count() or 1
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._pool = self._open.enter_context(ThreadPoolExecutor(self._number))
        self._open.enter_context(_libraries().limit(limits=1, user_api="blas"))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._open.close()

    def each(self, run: Callable[[T], Found], items: Sequence[T]) -> list[Found]:
        """What `run` gives for each item, in their order."""
        if self._number == 1 or len(items) == 1:
            return [run(item) for item in items]
        return list(self._pool.map(run, items))


@cache
def _libraries() -> ThreadpoolController:
    # looks through all that is loaded, which takes ten milliseconds
    return ThreadpoolController()
