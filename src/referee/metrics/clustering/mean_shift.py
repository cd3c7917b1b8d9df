"""Mean shift with a flat kernel, for numbers on a line."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

_QUANTILE = 0.3
_STOP = 1e-3
_STEPS = 300


def mean_shift_bands(values: Floats, anchors: Floats) -> tuple[Floats, Floats]:
    """The band of each round's cluster that holds its anchor, which must be one of the values.

    Every value climbs to the mean of the values within the bandwidth until it moves by at most a
    thousandth of it (or 300 times). Of the summits within a bandwidth of each other the one over most
    values stays, of equals the higher; every value then belongs to the nearest summit. The bandwidth
    is the mean distance of the values to the farthest of their nearest 30 %, themselves included.
    These are scikit-learn's defaults, which DenseVisDial's M was made with (answers.txt, section D).

    Shapes: `values` [rounds, n]; `anchors` [rounds]; both results [rounds]. O(n log n) a round.

        >>> values = np.array([[0.1, 0.9, 0.12, 0.5, 0.52, 0.92, 0.11, 0.51, 0.91, 0.13]])
        >>> low, high = mean_shift_bands(values, values.max(axis=1))
        >>> low.tolist(), high.tolist()
        ([0.9], [inf])
        >>> low, high = mean_shift_bands(values, np.array([0.11]))
        >>> low.tolist(), high.tolist()
        ([0.1], [0.5])
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64), axis=1)
    anchored: Floats = np.ascontiguousarray(anchors, dtype=np.float64)
    low, high = np.empty(len(ordered)), np.empty(len(ordered))
    _bands(ordered, anchored, low, high)
    return low, high


@njit(cache=True)
def _bands(ordered: Floats, anchors: Floats, low: Floats, high: Floats) -> None:
    for row in range(len(ordered)):
        line = ordered[row]
        width = _bandwidth(line)
        summits, weights = _summits(line, width)
        kept = _kept(summits, weights, width)
        mine = _nearest(summits, kept, anchors[row])
        low[row] = high[row] = np.inf
        for value in line:
            other = _nearest(summits, kept, value)
            if other == mine:
                low[row] = min(low[row], value)
            elif summits[other] > summits[mine]:
                high[row] = value
                break


@njit(cache=True)
def _bandwidth(line: Floats) -> float:
    """The mean distance to the farthest of the nearest values, in one pass of a window over the line."""
    n = len(line)
    near = max(1, int(n * _QUANTILE))
    total, first = 0.0, 0
    for value in line:
        while first + near < n and line[first + near] - value < value - line[first]:
            first += 1
        total += max(value - line[first], line[first + near - 1] - value)
    return total / n


@njit(cache=True)
def _summits(line: Floats, width: float) -> tuple[Floats, Places]:
    """The summits that the values climb to, and over how many values each stands."""
    n = len(line)
    sums = np.zeros(n + 1)
    for place in range(n):
        sums[place + 1] = sums[place] + line[place]
    summits, weights = np.empty(n), np.empty(n, np.int64)
    found = 0
    start_first, start_end = 0, 0
    for seed in line:
        start_first, start_end = _window(line, seed, width, start_first, start_end)
        first, end = start_first, start_end
        mean, steps = seed, 0
        while True:
            old = mean
            # The sum of equal values may be a little off, which would move them apart from themselves.
            same = line[first] == line[end - 1]
            mean = line[first] if same else (sums[end] - sums[first]) / (end - first)
            if abs(mean - old) <= _STOP * width or steps == _STEPS:
                break
            steps += 1
            first, end = _window(line, mean, width, first, end)
        if found == 0 or summits[found - 1] != mean or weights[found - 1] != end - first:
            summits[found], weights[found] = mean, end - first
            found += 1
    return summits[:found], weights[:found]


@njit(cache=True)
def _window(line: Floats, mean: float, width: float, first: int, end: int) -> tuple[int, int]:
    """Where the values within a bandwidth of the mean begin and end, sought from another window."""
    n = len(line)
    while first > 0 and mean - line[first - 1] <= width:
        first -= 1
    while first < n and mean - line[first] > width:
        first += 1
    end = max(end, first)
    while end < n and line[end] - mean <= width:
        end += 1
    while end > first and line[end - 1] - mean > width:
        end -= 1
    return first, end


@njit(cache=True)
def _kept(summits: Floats, weights: Places, width: float) -> Places:
    """The summits without those within a bandwidth of a better one, the best first."""
    free = np.ones(len(summits), np.bool_)
    kept = np.empty(len(summits), np.int64)
    count = 0
    while True:
        best = -1
        for place in range(len(summits)):
            if free[place] and (
                best < 0
                or weights[place] > weights[best]
                or (weights[place] == weights[best] and summits[place] > summits[best])
            ):
                best = place
        if best < 0:
            return kept[:count]
        kept[count] = best
        count += 1
        for place in range(len(summits)):
            if abs(summits[place] - summits[best]) <= width:
                free[place] = False
        free[best] = False


@njit(cache=True)
def _nearest(summits: Floats, kept: Places, value: float) -> int:
    """The nearest of the kept summits; of two equally near the better one."""
    best = kept[0]
    for place in kept:
        if abs(summits[place] - value) < abs(summits[best] - value):
            best = place
    return int(best)
