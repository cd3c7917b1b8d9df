"""METEOR 1.5's statistics of an alignment and its score of statistics (English, task `rank`)."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.metrics.text.compiling import compiled
from referee.metrics.text.meteor.aligner import Ints
from referee.metrics.text.meteor.matchers import LENGTH, MODULE, PLACE, Candidates

Longs: TypeAlias = NDArray[np.int64]

ALPHA, BETA, GAMMA, DELTA = 0.85, 0.2, 0.6, 0.75
WEIGHTS = (1.0, 0.6, 0.8, 0.6)
"""Of exact, stem, synonym and paraphrase matches."""

STATISTICS = 23
"""0, 1: words of the hypothesis and of the reference; 2, 3: function words of both; 4 to 19, four for each
module: matched content words of both, matched function words of both; 20: chunks; 21, 22: matched words of
both."""

HYPOTHESIS, REFERENCE, FUNCTION, MODULES, CHUNKS, MATCHED = 0, 1, 2, 4, 20, 21
PER_MODULE = 4


@compiled
def count(
    hypothesis: Ints,
    reference: Ints,
    function: NDArray[np.bool_],
    found: Candidates,
    chosen: Ints,
    statistics: Longs,
) -> None:
    """Writes the statistics of the chosen candidates; chunks are runs of matches adjacent on both sides."""
    statistics[:] = 0
    statistics[HYPOTHESIS], statistics[REFERENCE] = len(hypothesis), len(reference)
    for word in hypothesis:
        statistics[FUNCTION + HYPOTHESIS] += function[word]
    for word in reference:
        statistics[FUNCTION + REFERENCE] += function[word]
    last = -1
    place = 0
    while place < len(reference):
        candidate = chosen[place]
        if candidate < 0:
            statistics[CHUNKS] += last >= 0
            last = -1
            place += 1
            continue
        begin, length = found.rows[candidate, PLACE], found.rows[candidate, LENGTH]
        statistics[CHUNKS] += last >= 0 and last != begin
        last = begin + length
        first = MODULES + PER_MODULE * found.rows[candidate, MODULE]
        for word in range(begin, last):
            statistics[first + FUNCTION * function[hypothesis[word]]] += 1
        for word in range(place, place + found.spans[candidate]):
            statistics[first + 1 + FUNCTION * function[reference[word]]] += 1
        statistics[MATCHED] += length
        statistics[MATCHED + 1] += found.spans[candidate]
        place += found.spans[candidate]
    statistics[CHUNKS] += last >= 0


@compiled
def _side(statistics: Longs, side: int) -> float:
    """Weighted matches over weighted length of one side, for more than no matches."""
    function = float(statistics[FUNCTION + side])
    length = DELTA * (statistics[side] - function) + (1 - DELTA) * function
    matched = 0.0
    for module in range(len(WEIGHTS)):
        content = float(statistics[MODULES + PER_MODULE * module + side])
        matched += content * WEIGHTS[module] * DELTA
    for module in range(len(WEIGHTS)):
        functions = float(statistics[MODULES + PER_MODULE * module + FUNCTION + side])
        matched += functions * WEIGHTS[module] * (1 - DELTA)
    return float(matched / length)


@compiled
def score(statistics: Longs) -> float:
    """The score of 23 statistics, of one alignment or summed over many.

        P, R = weighted matches / weighted length of the hypothesis, of the reference
        F = 1 / ((1 - alpha) / P + alpha / R)
        score = F * (1 - gamma * (chunks / matched words) ** beta)

    where function words weigh 1 - delta and others delta. The penalty is nil if every word of both
    sides is matched in one chunk.

    >>> score(np.array([2, 3, 1, 1, 1, 1, 1, 1] + [0] * 12 + [1, 2, 2]))
    0.29170666383042776
    """
    if statistics[MATCHED] == 0 or statistics[MATCHED + 1] == 0:
        return 0.0
    precision, recall = _side(statistics, 0), _side(statistics, 1)
    mean = 1.0 / ((1.0 - ALPHA) / precision + ALPHA / recall)
    fragmentation = 0.0
    if not whole(statistics):
        words = float(statistics[MATCHED] + statistics[MATCHED + 1]) / 2
        fragmentation = statistics[CHUNKS] / words
    return float(max(mean * (1.0 - GAMMA * fragmentation**BETA), 0.0))


@compiled
def whole(statistics: Longs) -> bool:
    """Whether all words of both sides are matched in one chunk."""
    result: bool = (
        statistics[MATCHED] == statistics[HYPOTHESIS]
        and statistics[MATCHED + 1] == statistics[REFERENCE]
        and statistics[CHUNKS] == 1
    )
    return result


def aggregated(statistics: Longs) -> Longs:
    """The statistics of many alignments as those of one corpus, [23].

    They are summed, but for the chunks of alignments that match every word in one chunk.

    >>> perfect = np.array([1, 1, 0, 0, 1, 1] + [0] * 14 + [1, 1, 1])
    >>> aggregated(np.stack([perfect, perfect]))[[0, 20, 21]].tolist()
    [2, 0, 2]
    """
    result: Longs = statistics.sum(axis=0)
    perfect = (
        (statistics[:, MATCHED] == statistics[:, HYPOTHESIS])
        & (statistics[:, MATCHED + 1] == statistics[:, REFERENCE])
        & (statistics[:, CHUNKS] == 1)
    )
    result[CHUNKS] -= perfect.sum()
    return result
