"""Runs every benchmark, prints a line each, and writes bench/results.json.

Each module of this folder gives its cases as functions whose names begin with `case`; a case returns
{"name", "value", "bar", "unit", "passed", "details"}, measured beside its rival in one process, best
of several. Ratios are what counts: seconds are this machine's.

    python bench/run.py [MODULE ...]
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent
MODULES = (
    "startup",
    "reading",
    "oracle_sweep",
    "playing",
    "mocked_playing",
    "effectiveness",
    "belief",
    "soft_labels",
    "selfplay",
    "iconworld",
    "mutations",
    "cca",
    "ranking",
    "reference_sets",
    "box_mapping",
    "text",
    "meteor",
    "probing",
    "zero_shot",
)


def machine() -> dict[str, object]:
    """What the numbers were measured on."""
    info = Path("/proc/cpuinfo")
    names = [
        line.partition(":")[2].strip()
        for line in (info.read_text().splitlines() if info.exists() else [])
        if line.startswith("model name")
    ]
    return {
        "processor": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def main(wanted: list[str]) -> int:
    """Runs the wanted modules (all when none is named); 1 when a bar is missed."""
    results: list[dict[str, object]] = []
    for module in wanted or MODULES:
        loaded = import_module(module)
        for name in sorted(vars(loaded)):
            if not name.startswith("case"):
                continue
            started = time.perf_counter()
            result = getattr(loaded, name)()
            results.append(result)
            verdict = "ok    " if result["passed"] else "MISSED"
            print(
                f"{verdict} {result['name']}: {result['value']} ({result['unit']} {result['bar']})"
                f"  [{time.perf_counter() - started:.0f} s]",
                flush=True,
            )
    if not wanted:
        text = json.dumps({"machine": machine(), "cases": results}, indent=2)
        (HERE / "results.json").write_text(text + "\n")
    return int(not all(result["passed"] for result in results))


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    sys.exit(main(sys.argv[1:]))
