"""How long some work takes."""

from __future__ import annotations

import time
from collections.abc import Callable


def least_seconds(work: Callable[[], object], times: int) -> float:
    """The least seconds of some runs."""
    seconds = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)
