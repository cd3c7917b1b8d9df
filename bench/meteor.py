"""METEOR 1.5 over a workload of DenseVisDial's size, beside the reference program's jar."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from answer_workload import AnswerWorkload, answer_workload
from meteor_jar import MeteorJar, Pair
from referee.datasets.meteor_data import open_meteor

BAR = 20.0
MEGABYTES = 1024
ROUNDS = 5
WARM_UP = 30_000
SLICE = 12_000
EQUAL = 1e-9

_RESIDENT = """
import sys
sys.path.insert(0, sys.argv[1])
from answer_workload import answer_workload
from referee.datasets.meteor_data import open_meteor
work = answer_workload()
scores = open_meteor().score(work.generations, work.references)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(len(scores), int(peak.split()[1]) / 1024)
"""


def _ours(work: AnswerWorkload) -> tuple[float, NDArray[np.float64]]:
    started = time.perf_counter()
    scores = open_meteor().score(work.generations, work.references)
    return time.perf_counter() - started, scores


def _theirs(jar: MeteorJar, pairs: list[Pair]) -> tuple[float, list[float]]:
    started = time.perf_counter()
    scores = jar.evaluated(jar.statistics(pairs))[:-1]
    return time.perf_counter() - started, scores


def _pairs(work: AnswerWorkload) -> list[Pair]:
    """Every hypothesis with its references, as the jar's protocol wants them."""
    rounds = zip(work.generations, work.references, strict=True)
    return [(text or " ", references) for texts, references in rounds for text in texts]


def _all_distinct(work: AnswerWorkload) -> AnswerWorkload:
    """Every hypothesis with a number of its own behind it."""
    numbers = count()
    said = [[f"{text} {next(numbers)}" for text in texts] for texts in work.generations]
    return AnswerWorkload(said, work.references)


def _peak_megabytes(hypotheses: int) -> float:
    command = [sys.executable, "-c", _RESIDENT, str(Path(__file__).parent)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert int(said[0]) == hypotheses
    return float(said[1])


def case() -> dict[str, object]:
    """Hypotheses a second over the jar's, from loaded strings to scores, all of the workload in one call.

    The jar sees WARM_UP hypotheses first, which do not count, and then ROUNDS slices of the same
    workload, whose scores must be ours.
    """
    work = answer_workload()
    pairs = _pairs(work)
    _ours(answer_workload(10))
    ours, theirs = [], []
    with MeteorJar() as jar:
        begin = len(pairs) - WARM_UP
        _theirs(jar, pairs[begin:])
        for number in range(ROUNDS):
            part = slice(number * SLICE, (number + 1) * SLICE)
            seconds, judged = _theirs(jar, pairs[part])
            theirs.append(seconds / SLICE)
            seconds, scores = _ours(work)
            ours.append(seconds / len(pairs))
            assert np.abs(scores[part] - judged).max() <= EQUAL
    ratio = min(theirs) / min(ours)
    distinct, _ = _ours(_all_distinct(work))
    peak = _peak_megabytes(len(pairs))
    return {
        "name": f"METEOR 1.5 of {len(pairs)} generations beside its jar",
        "value": round(ratio, 1),
        "bar": BAR,
        "unit": "x, at least",
        "passed": ratio >= BAR and peak <= MEGABYTES,
        "details": {
            **work.described(),
            "our seconds": round(min(ours) * len(pairs), 2),
            "our seconds if no two hypotheses were equal": round(distinct, 2),
            "the jar's seconds a slice": round(min(theirs) * SLICE, 2),
            "slice": f"{ROUNDS} times {SLICE} hypotheses after {WARM_UP} others, equal to 1e-9",
            "peak resident megabytes": round(peak, 1),
            "megabytes at most": MEGABYTES,
        },
    }
