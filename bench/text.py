"""The text metrics on DenseVisDial's workload, against pycocoevalcap's scorers.

The ratios depend on how many of the workload's strings are distinct: each case states the share, and our
time when no two hypotheses are equal. Our time runs from the loaded strings to the scores; the rivals are
given one generation of the fifteen, with whole reference sets, and their time is multiplied.
"""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pycocoevalcap.bleu.bleu_scorer import BleuScorer
from pycocoevalcap.cider.cider_scorer import CiderScorer

from answer_workload import GENERATIONS, ROUNDS, AnswerWorkload, answer_workload
from referee.metrics.text.bleu import bleu
from referee.metrics.text.cider import cider
from referee.metrics.text.cider_d import cider_d
from referee.metrics.text.interning import Texts, Vocabulary

CIDER_BAR = 200
BLEU_BAR = 60
MEGABYTES = 1_000
OURS, RIVALS = 6, 2
CHECKED_ROUNDS = 200

Lists = list[list[str]]
Metric = Callable[[Texts, Texts], NDArray[np.float64]]

_RESIDENT = """
import sys
from pathlib import Path
import msgspec
import numpy as np
from referee.metrics.text.bleu import bleu
from referee.metrics.text.cider import cider
from referee.metrics.text.cider_d import cider_d
from referee.metrics.text.distances import cosine, l2
from referee.metrics.text.interning import Vocabulary
from referee.metrics.text.rouge import rouge_l
lists = msgspec.json.decode(Path(sys.argv[1]).read_bytes())
words = Vocabulary()
hypotheses, references = map(words.texts, lists)
scores = [metric(hypotheses, references) for metric in (cider, cider_d, bleu, rouge_l)]
own, other = (np.ones((len(texts.distinct), 384), np.float32) for texts in (hypotheses, references))
scores += [metric(hypotheses, references, own, other) for metric in (l2, cosine)]
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(len(scores[0]), int(peak.split()[1]) / 1024)
"""


@cache
def workload() -> tuple[Lists, Lists]:
    """The generations and the reference sets of each round."""
    made = answer_workload(ROUNDS, GENERATIONS)
    return made.generations, made.references


@cache
def _strings() -> dict[str, object]:
    """What the workload consists of: the ratios depend on how many of its strings are distinct."""
    flat = [text for lists in workload() for texts in lists for text in texts]
    return {
        **AnswerWorkload(*workload()).described(),
        "distinct strings": len(set(flat)),
        "share of distinct strings": round(len(set(flat)) / len(flat), 4),
    }


def _ours(metric: Metric, lists: tuple[Lists, Lists]) -> tuple[float, NDArray[np.float64]]:
    """The best time from strings to scores, [rounds, generations, ...], and the scores."""
    best = math.inf
    stored = json.dumps(lists)
    for _ in range(OURS + 1):  # the first call compiles, or loads what was compiled
        # A string that was looked up knows its hash: only fresh ones are like those of a file.
        hypotheses, references = json.loads(stored)
        started = time.perf_counter()
        words = Vocabulary()
        scores = metric(words.texts(hypotheses), words.texts(references))
        best = min(best, time.perf_counter() - started)
    return best, scores.reshape(ROUNDS, GENERATIONS, -1)


def _rival(scorer: Callable[[], Any], **options: str) -> tuple[float, NDArray[np.float64]]:
    """The best time for one generation a round, and the scores of the rounds."""
    hypotheses, references = workload()
    best = math.inf
    for _ in range(RIVALS):
        started = time.perf_counter()
        judge = scorer()
        for texts, against in zip(hypotheses, references, strict=True):
            judge += (texts[0], against)
        _, scores = judge.compute_score(**options)
        best = min(best, time.perf_counter() - started)
    return best, np.array(scores)


def _grams(text: str, order: int) -> Counter[tuple[str, ...]]:
    words = text.split()
    return Counter(zip(*(words[skip:] for skip in range(order)), strict=False))


def _plain_cider(rounds: Iterable[int]) -> NDArray[np.float64]:
    """CIDEr 1 to 4 of all generations of some rounds, from the definition, [rounds, generations, 4]."""
    hypotheses, references = workload()
    orders = range(1, 5)
    frequency: Counter[tuple[str, ...]] = Counter()
    for texts in references:
        frequency.update({gram for text in texts for n in orders for gram in _grams(text, n)})

    def vector(text: str, order: int) -> dict[tuple[str, ...], float]:
        return {
            gram: times * (math.log(ROUNDS) - math.log(max(1, frequency[gram])))
            for gram, times in _grams(text, order).items()
        }

    def nearness(text: str, other: str, order: int) -> float:
        one, two = vector(text, order), vector(other, order)
        norms = math.hypot(*one.values()) * math.hypot(*two.values())
        return sum(one[gram] * two.get(gram, 0) for gram in one) / norms if norms else 0.0

    def means(text: str, against: list[str]) -> list[float]:
        return [sum(nearness(text, other, n) for other in against) / len(against) for n in orders]

    found = [[means(text, references[at]) for text in hypotheses[at]] for at in rounds]
    result: NDArray[np.float64] = np.cumsum(found, axis=2) / np.array(orders)
    return result


def _all_different() -> tuple[Lists, Lists]:
    """The same with a number behind every hypothesis: no two are equal."""
    hypotheses, references = workload()
    return [
        [f"{text} {row * GENERATIONS + at}" for at, text in enumerate(texts)]
        for row, texts in enumerate(hypotheses)
    ], references


def case_cider() -> dict[str, object]:
    """CIDEr 1 to 4 of every generation against pycocoevalcap's CIDEr scorer, which is CIDEr-D."""
    strings = _strings()
    ours, scores = _ours(cider, workload())
    ours_d, scores_d = _ours(cider_d, workload())
    rival, expected = _rival(CiderScorer)
    np.testing.assert_allclose(scores_d[:, 0, 0], expected, atol=1e-9)
    checked = random.Random(1).sample(range(ROUNDS), CHECKED_ROUNDS)
    np.testing.assert_allclose(scores[checked], _plain_cider(checked), atol=1e-12)
    different, _ = _ours(cider, _all_different())
    ratio = rival * GENERATIONS / ours
    return {
        "name": f"CIDEr 1-4 of {ROUNDS} x {GENERATIONS} generations over pycocoevalcap's scorer",
        "value": round(ratio),
        "bar": CIDER_BAR,
        "unit": "x, at least",
        "passed": ratio >= CIDER_BAR,
        "details": {
            **strings,
            "our seconds": round(ours, 3),
            "rival's seconds on one generation of fifteen": round(rival, 2),
            "rival's seconds, scaled by 15": round(rival * GENERATIONS, 1),
            "CIDEr-D: our seconds": round(ours_d, 3),
            "CIDEr-D: x": round(rival * GENERATIONS / ours_d),
            "our seconds when no two hypotheses are equal": round(different, 3),
            "equal": f"CIDEr-D to the rival on {ROUNDS} hypotheses, CIDEr 1-4 to its definition on"
            f" {CHECKED_ROUNDS * GENERATIONS}",
        },
    }


def case_bleu() -> dict[str, object]:
    """BLEU 1 to 4 of every generation against pycocoevalcap's BLEU scorer."""
    strings = _strings()
    ours, scores = _ours(bleu, workload())
    rival, expected = _rival(BleuScorer, option="closest")
    np.testing.assert_allclose(scores[:, 0], expected.T, rtol=1e-12)
    different, _ = _ours(bleu, _all_different())
    ratio = rival * GENERATIONS / ours
    return {
        "name": f"BLEU 1-4 of {ROUNDS} x {GENERATIONS} generations over pycocoevalcap's scorer",
        "value": round(ratio),
        "bar": BLEU_BAR,
        "unit": "x, at least",
        "passed": ratio >= BLEU_BAR,
        "details": {
            **strings,
            "our seconds": round(ours, 3),
            "rival's seconds on one generation of fifteen": round(rival, 2),
            "rival's seconds, scaled by 15": round(rival * GENERATIONS, 1),
            "our seconds when no two hypotheses are equal": round(different, 3),
            "equal": f"BLEU 1-4 to the rival on {ROUNDS} hypotheses",
        },
    }


def case_memory() -> dict[str, object]:
    """The peak of a process that reads the workload and scores it with every metric but METEOR."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "workload.json"
        path.write_text(json.dumps(workload()))
        command = [sys.executable, "-c", _RESIDENT, str(path)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert int(said[0]) == ROUNDS * GENERATIONS
    peak = float(said[1])
    return {
        "name": f"peak memory of the text metrics on {ROUNDS} x {GENERATIONS} generations",
        "value": round(peak),
        "bar": MEGABYTES,
        "unit": "MB, at most",
        "passed": peak <= MEGABYTES,
        "details": {**_strings(), "metrics": "CIDEr, CIDEr-D, BLEU, ROUGE-L, L2 and cosine (384)"},
    }
