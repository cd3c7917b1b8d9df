"""`referee --help` beside the bare interpreter."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

BAR = 0.10


def _seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - started


def case() -> dict[str, object]:
    """Seconds that `referee --help` takes above `python -c pass`; the best of fifteen each."""
    bare = [sys.executable, "-c", "pass"]
    referee = [str(Path(sys.executable).with_name("referee")), "--help"]
    pairs = [(_seconds(bare), _seconds(referee)) for _ in range(15)]
    floor, ours = (min(times) for times in zip(*pairs, strict=True))
    return {
        "name": "referee --help above the bare interpreter",
        "value": round(ours - floor, 4),
        "bar": BAR,
        "unit": "s, at most",
        "passed": ours - floor <= BAR,
        "details": {"python": round(floor, 4), "referee": round(ours, 4)},
    }
