"""Agglomerative clustering by Ward's criterion, for numbers on a line."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.metrics.clustering.lines import sorted_lines

Floats = NDArray[np.float64]


def ward_bands(values: Floats, anchors: Floats, clusters: int = 5) -> tuple[Floats, Floats]:
    """The band of each round's cluster that holds its anchor, with so many clusters a round.

    Two clusters a and b are as far apart as their union adds to the sum of squares,
    |a| |b| / (|a| + |b|) (mean a - mean b)^2, and the closest are joined until `clusters` are left. On
    a line the closest are always neighbours: where b lies between a and c, a + c adds at least as much
    as the cheaper of a + b and b + c. Equal values are never separated, so that a round with fewer
    distinct values has fewer clusters.

    Shapes: `values` [rounds, n]; `anchors` [rounds]; both results [rounds]. O(n log n) a round.

        >>> values = np.array([[0.1, 0.9, 0.12, 0.5, 0.95, 0.52]])
        >>> low, high = ward_bands(values, values.max(axis=1), clusters=3)
        >>> low.tolist(), high.tolist()
        ([0.9], [inf])
        >>> low, high = ward_bands(values, np.array([0.12]), clusters=3)
        >>> ((values >= low) & (values < high)).tolist()
        [[True, False, True, False, False, False]]
    """
    if clusters < 1:
        raise UsageError(f"clusters must be at least 1, not {clusters}")
    ordered, anchored = sorted_lines(values, anchors)
    low, high = np.empty(len(ordered)), np.empty(len(ordered))
    _bands(ordered, anchored, min(clusters, ordered.shape[1]) - 1, low, high)
    return low, high


@njit(cache=True)
def _bands(ordered: Floats, anchors: Floats, cuts: int, low: Floats, high: Floats) -> None:
    for row in range(len(ordered)):
        line = ordered[row]
        low[row], high[row] = line[0], np.inf
        for place in _highest(_heights(line), cuts):
            floor = line[place]
            if floor <= anchors[row]:
                low[row] = max(low[row], floor)
            else:
                high[row] = min(high[row], floor)


@njit(cache=True)
def _heights(line: Floats) -> Floats:
    """For each place but the first, how much is added by the join of what lies on its two sides.

    The nearest-neighbour chain: it goes right while the next cluster is nearer than the previous one;
    where it is not, the two are each other's nearest and are joined, and the chain takes a step back.
    A cluster is known by the place where it begins; `gaps` holds its distance to the one before it.
    """
    n = len(line)
    heights, gaps = np.zeros(n), np.full(n + 1, np.inf)
    means, sizes = line.copy(), np.ones(n)
    before, after = np.arange(-1, n - 1), np.arange(1, n + 1)
    for place in range(1, n):
        gaps[place] = 0.5 * (line[place] - line[place - 1]) ** 2
    here = 0
    for _ in range(n - 1):
        while gaps[after[here]] < gaps[here]:
            here = after[here]
        left = before[here]
        heights[here] = gaps[here]
        size = sizes[left] + sizes[here]
        means[left] += (means[here] - means[left]) * sizes[here] / size
        sizes[left] = size
        after[left] = after[here]
        for place in (left, after[left]):
            if 0 < place < n:
                previous = left if place != left else before[left]
                before[place] = previous
                weight = sizes[previous] * sizes[place] / (sizes[previous] + sizes[place])
                gaps[place] = weight * (means[place] - means[previous]) ** 2
        here = before[left] if left > 0 else left
    return heights


@njit(cache=True)
def _highest(heights: Floats, count: int) -> NDArray[np.int64]:
    """The places of the `count` highest; of equal ones the later."""
    places = np.zeros(count, np.int64)
    kept = 0
    for place in range(1, len(heights)):
        height = heights[place]
        if kept == count and (count == 0 or height < heights[places[kept - 1]]):
            continue
        spot = min(kept, count - 1)
        while spot > 0 and heights[places[spot - 1]] <= height:
            places[spot] = places[spot - 1]
            spot -= 1
        places[spot] = place
        kept = min(kept + 1, count)
    return places
