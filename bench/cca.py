"""CCA on 1.2 million pairs beside the matrix products that it cannot avoid, and beside written-out pairs.

The rival writes out the embedding of each pair's question and answer, centres them and multiplies them.
The floor is three products of distinct arrays in single precision: each view by an array of its size, and
the smaller view by what would be gathered for it. Ours is from the embeddings and the pairs' numbers to
the solved eigenproblem. Peak memory is measured in a process of its own for each.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from referee.metrics.cca import Moments, fit, moments

T = TypeVar("T")
Floats = NDArray[np.float32]

Rows = tuple[NDArray[np.int32], NDArray[np.int32]]

QUESTIONS, ANSWERS, PAIRS, WIDTH = 400_000, 300_000, 1_200_000, 300
TIMES = 5
OVER_PRODUCTS = 1.3
FASTER = 5.0
MEMORY = 0.1
EQUAL = 1e-5
"""The largest difference of covariances in single precision, relative to the largest variance."""


def embeddings(seed: int, rows: int) -> Floats:
    """Vectors with directions of unlike variance and a mean, as averaged word vectors have."""
    rng = np.random.default_rng(seed)
    spread = np.geomspace(1, 0.05, WIDTH, dtype=np.float32)
    made = rng.standard_normal((rows, WIDTH), np.float32)
    made *= spread
    made += spread[::-1]
    return made


def pairs() -> Rows:
    """Which answer and which question each pair has."""
    rng = np.random.default_rng(2)
    answers = rng.integers(0, ANSWERS, PAIRS, dtype=np.int32)
    questions = rng.integers(0, QUESTIONS, PAIRS, dtype=np.int32)
    return answers, questions


def floor(answers: Floats, questions: Floats) -> Callable[[], None]:
    """The three products, over distinct arrays, so that none is taken for a product with itself."""
    factors = [
        (questions, questions.copy()),
        (answers, answers.copy()),
        (answers, questions[:ANSWERS].copy()),
    ]

    def products() -> None:
        for one, other in factors:
            one.T @ other

    return products


def dense(answers: Floats, questions: Floats, rows: Rows) -> NDArray[np.float64]:
    """The covariance of both views over the written-out pairs."""
    written = np.empty((PAIRS, 2 * WIDTH), np.float32)
    written[:, :WIDTH] = answers[rows[0]]
    written[:, WIDTH:] = questions[rows[1]]
    written -= written.mean(axis=0, dtype=np.float64).astype(np.float32)
    found: NDArray[np.float64] = (written.T @ written).astype(np.float64) / (len(written) - 1)
    return found


def ours(answers: Floats, questions: Floats, rows: Rows) -> Moments:
    """The covariances of the counted pairs, and CCA's solutions."""
    found = moments([answers, questions], rows)
    fit(found)
    return found


def solved(answers: Floats, questions: Floats, rows: Rows) -> NDArray[np.float64]:
    """The rival, its solutions included."""
    covariance = dense(answers, questions, rows)
    fit(Moments(PAIRS, (np.zeros(WIDTH),) * 2, covariance, float(np.finfo(np.float32).eps)))
    return covariance


def exact(answers: Floats, questions: Floats, rows: Rows) -> NDArray[np.float64]:
    """The covariance in double precision, some pairs at a time."""
    centre = np.concatenate([answers[:1000].mean(axis=0), questions[:1000].mean(axis=0)])
    total, offset = np.zeros((2 * WIDTH, 2 * WIDTH)), np.zeros(2 * WIDTH)
    for first in range(0, PAIRS, 100_000):
        here = slice(first, first + 100_000)
        written = np.hstack([answers[rows[0][here]], questions[rows[1][here]]]).astype(np.float64)
        written -= centre
        total += written.T @ written
        offset += written.sum(axis=0)
    found: NDArray[np.float64] = (total - np.outer(offset, offset) / PAIRS) / (PAIRS - 1)
    return found


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """The seconds of some work, and what came of it."""
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def warm() -> None:
    """Compiles what is compiled."""
    few = embeddings(3, 500)
    ours(few, few, (np.arange(500, dtype=np.int32),) * 2)


def measured(name: str) -> float:
    """The megabytes that the peak lies above the embeddings and pairs, in a process of its own."""
    command = [sys.executable, __file__, name]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout))


def case() -> dict[str, object]:
    """Ours as a multiple of the three products, best of each, one after the other."""
    answers, questions, rows = embeddings(0, ANSWERS), embeddings(1, QUESTIONS), pairs()
    warm()
    products = floor(answers, questions)
    floors, seconds = [], []
    for _ in range(TIMES):
        floors.append(timed(products)[0])
        taken, found = timed(lambda: ours(answers, questions, rows))
        seconds.append(taken)
    truth = exact(answers, questions, rows)
    off = float(np.abs(found.covariance - truth).max() / truth.max())
    assert off < EQUAL
    ratio = min(seconds) / min(floors)
    return {
        "name": "CCA on 1.2 M pairs of 400 k questions and 300 k answers beside three products",
        "value": round(ratio, 2),
        "bar": OVER_PRODUCTS,
        "unit": "x the three matrix products' time, at most",
        "passed": ratio <= OVER_PRODUCTS,
        "details": {
            "products' seconds": round(min(floors), 2),
            "seconds": round(min(seconds), 2),
            "largest difference from double precision, relative": f"{off:.1e}",
        },
    }


def case_dense() -> dict[str, object]:
    """How many times as fast as over written-out pairs, with the same solutions."""
    answers, questions, rows = embeddings(0, ANSWERS), embeddings(1, QUESTIONS), pairs()
    warm()
    slow, fast = [], []
    for _ in range(2):
        taken, theirs = timed(lambda: solved(answers, questions, rows))
        slow.append(taken)
        taken, found = timed(lambda: ours(answers, questions, rows))
        fast.append(taken)
    off = float(np.abs(found.covariance - theirs).max() / theirs.max())
    assert off < EQUAL
    ratio = min(slow) / min(fast)
    return {
        "name": "CCA on 1.2 M pairs beside written-out pairs",
        "value": round(ratio, 1),
        "bar": FASTER,
        "unit": "x as fast, at least",
        "passed": ratio >= FASTER,
        "details": {
            "seconds": round(min(fast), 2),
            "written out": round(min(slow), 2),
            "largest difference, relative": f"{off:.1e}",
        },
    }


def case_memory() -> dict[str, object]:
    """The memory beyond the embeddings as a share of what written-out pairs take."""
    mine, theirs = measured("ours"), measured("dense")
    return {
        "name": "CCA's memory beyond the embeddings beside written-out pairs",
        "value": round(mine / theirs, 3),
        "bar": MEMORY,
        "unit": "of theirs, at most",
        "passed": mine <= MEMORY * theirs,
        "details": {"megabytes": round(mine), "written out": round(theirs)},
    }


def main(name: str) -> None:
    """Prints how far the peak of one way lies above what it is given."""
    answers, questions, rows = embeddings(0, ANSWERS), embeddings(1, QUESTIONS), pairs()
    warm()
    before = peak()
    {"ours": ours, "dense": solved}[name](answers, questions, rows)
    print(peak() - before)


def peak() -> float:
    """The most megabytes that this process has held.

    Not getrusage's, which begins with what the parent held when it started the process.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main(sys.argv[1])
