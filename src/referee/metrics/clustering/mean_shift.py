"""Mean shift with a flat kernel, for numbers on a line."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from referee.metrics.clustering.lines import sorted_lines

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
    ordered, anchored = sorted_lines(values, anchors)
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
    """The summits that the values climb to, and over how many values each stands.

    Where a climb goes depends on the window it is in alone, and windows further up the line begin and
    end further up, so that the sum of a window's ends names it. Each of the at most 2 n windows is left
    once; a climb that comes to a known one ends where that one's ended.
    """
    n = len(line)
    sums = np.zeros(n + 1)
    for place in range(n):
        sums[place + 1] = sums[place] + line[place]
    reached, notes = np.empty(2 * n + 1), np.zeros((3, 2 * n + 1), np.int64)
    over, steps = notes[0], notes[1]
    summits, weights = np.empty(n), np.empty(n, np.int64)
    found = 0
    for seed in line:
        first, end = _window(line, seed, width)
        mean = _mean(line, sums, first, end)
        weight = end - first
        if abs(mean - seed) > _STOP * width:
            start = first + end
            _climb(line, sums, width, first, end, reached, notes)
            if steps[start] <= _STEPS:
                mean, weight = reached[start], over[start]
            else:
                for _ in range(_STEPS):
                    first, end = _window(line, mean, width)
                    if end > first:
                        mean, weight = _mean(line, sums, first, end), end - first
        if found == 0 or summits[found - 1] != mean or weights[found - 1] != weight:
            summits[found], weights[found] = mean, weight
            found += 1
    return summits[:found], weights[:found]


@njit(cache=True)
def _climb(
    line: Floats,
    sums: Floats,
    width: float,
    first: int,
    end: int,
    reached: Floats,
    notes: NDArray[np.int64],
) -> None:
    """Notes of a window, and of those on the way, which summit it leads to in how many steps.

    `notes` has the summit's weight and the steps of each window (0 where it is not known yet), and
    room for the way.
    """
    over, steps, path = notes
    length = 0
    mean = _mean(line, sums, first, end)
    while steps[first + end] == 0:
        here = first + end
        path[length] = here
        length += 1
        first, end = _window(line, mean, width)
        old = mean
        if end > first:
            mean = _mean(line, sums, first, end)
        # Where values differ in their last digits alone, rounding can empty a window or lead in circles.
        lost = end == first or length == len(path)
        if lost or abs(mean - old) <= _STOP * width:
            reached[here], over[here], steps[here] = mean, max(end - first, 1), 1
            length -= 1
            first, end = here, 0
            break
    following = first + end
    for place in range(length - 1, -1, -1):
        here = path[place]
        reached[here], over[here] = reached[following], over[following]
        steps[here] = steps[following] + 1
        following = here


@njit(cache=True)
def _window(line: Floats, mean: float, width: float) -> tuple[int, int]:
    """Where the values within a bandwidth of the mean begin and end."""
    low, high = 0, len(line)
    while low < high:
        middle = (low + high) // 2
        if mean - line[middle] > width:
            low = middle + 1
        else:
            high = middle
    first, high = low, len(line)
    while low < high:
        middle = (low + high) // 2
        if line[middle] - mean > width:
            high = middle
        else:
            low = middle + 1
    return first, low


@njit(cache=True)
def _mean(line: Floats, sums: Floats, first: int, end: int) -> float:
    """The mean of a window, which rounding must not put outside of it."""
    mean = (sums[end] - sums[first]) / (end - first)
    return float(min(max(mean, line[first]), line[end - 1]))


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
