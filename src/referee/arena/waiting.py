"""One event loop in a thread of its own, so that a player may be async wherever the arena is called."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from threading import Thread
from types import TracebackType
from typing import Self, TypeVar

T = TypeVar("T")


class Waiter:
    """Waits for what an async player returns; the loop starts with the first awaitable.

    A notebook runs a loop already in the thread that plays, which could not wait for itself: hence
    the thread. All seats share the loop, so that they can share a connection.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None

    def wait(self, awaitable: Awaitable[T]) -> T:
        """What the awaitable comes to."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = Thread(target=self._loop.run_forever, name="referee-arena", daemon=True)
            self._thread.start()
        return asyncio.run_coroutine_threadsafe(_result(awaitable), self._loop).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._loop is None or self._thread is None:
            return
        asyncio.run_coroutine_threadsafe(_cancel_others(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _result(awaitable: Awaitable[T]) -> T:
    return await awaitable


async def _cancel_others() -> None:
    """Ends what is still under way when a game is broken off, so that the loop closes in silence."""
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()
