"""What a linear classifier says of states, block after block: never are all logits held at once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.metrics.probing import updating
from referee.metrics.probing.examples import Examples, Singles
from referee.metrics.probing.labels import Labels
from referee.metrics.probing.workers import Workers

CACHE = 1 << 23
"""Bytes that a block of attributes may take, with all that an update of it touches: a thread's share."""
ROWS = 1024
_LANES = 64


@dataclass(frozen=True, eq=False, slots=True)
class Linear:
    """Weights [attributes, width of the state], as torch's Linear has them, and bias [attributes]."""

    weights: Singles
    bias: Singles

    def copy(self) -> Linear:
        """The same numbers elsewhere."""
        return Linear(self.weights.copy(), self.bias.copy())


def blocks(attributes: int, width: int, rows: int) -> list[tuple[int, int]]:
    """Ranges of attributes, about equally many in each, that stay in the cache while they are updated."""
    # weights, two moments and slopes, and the logits of a batch
    each = 4 * (4 * width + rows)
    count = max(1, math.ceil(attributes * each / CACHE))
    # a power of two, so that two, four or eight threads get as many each
    count = 1 << (count - 1).bit_length()
    # what is left over from a vector's width costs as much as several vectors
    step = math.ceil(attributes / count / _LANES) * _LANES
    return [(low, min(low + step, attributes)) for low in range(0, attributes, step)]


def logit_of(share: float) -> np.float32:
    """The logit above which a sigmoid is above the share."""
    return np.float32(math.log(share / (1 - share)))


def f1_over(linear: Linear, examples: Examples, at: float, workers: Workers) -> float:
    """The mean of the examples' F1 when attributes above the threshold are predicted."""
    predicted = np.zeros(len(examples), dtype=np.int64)
    right = np.zeros(len(examples), dtype=np.int64)
    labels, least = examples.labels, logit_of(at)

    def count(part: slice) -> None:
        offsets = labels.offsets[part.start : part.stop + 1]
        found = predicted[part], right[part]
        for low, high, logits in _logits(linear, examples.states[part]):
            bias = linear.bias[low:high]
            updating.count_over(logits, bias, offsets, labels.columns, low, least, *found)

    workers.each(count, _parts(len(examples)))
    whole = predicted + labels.sizes()
    return float(np.where(whole > 0, 2 * right / np.maximum(whole, 1), 0.0).mean())


def nats(linear: Linear, examples: Examples, workers: Workers) -> NDArray[np.float64]:
    """The cross-entropy of each example, summed over the attributes, in nats."""
    found = np.zeros(len(examples))
    labels, width = examples.labels, examples.states.shape[1]

    def add(part: slice) -> None:
        offsets = labels.offsets[part.start : part.stop + 1]
        states = examples.states[part].T
        for low, high in blocks(len(linear.bias), width, ROWS):
            logits = linear.weights[low:high] @ states
            bias = linear.bias[low:high]
            updating.surprise(logits, bias, offsets, labels.columns, low, found[part])

    workers.each(add, _parts(len(examples)))
    return found


def over(linear: Linear, states: Singles, at: float) -> Labels:
    """The attributes whose sigmoid is above the threshold, of each state."""
    least = logit_of(at)
    found = [np.empty((0, 2), dtype=np.int64)]
    for part in _parts(len(states)):
        for low, high, logits in _logits(linear, states[part]):
            ones = np.argwhere(logits + linear.bias[low:high] > least)
            found.append(ones + np.array([part.start, low]))
    ones = np.concatenate(found)
    ones = ones[np.lexsort((ones[:, 1], ones[:, 0]))]
    offsets = np.zeros(len(states) + 1, dtype=np.int64)
    np.cumsum(np.bincount(ones[:, 0], minlength=len(states)), out=offsets[1:])
    return Labels(offsets, ones[:, 1].astype(np.int32), len(linear.bias))


def _parts(rows: int) -> list[slice]:
    return [slice(start, min(start + ROWS, rows)) for start in range(0, rows, ROWS)]


def _logits(linear: Linear, states: Singles) -> Iterator[tuple[int, int, Singles]]:
    """Each range of attributes and what the states give there without bias; the last is overwritten."""
    spans = blocks(len(linear.bias), states.shape[1], ROWS)
    room = np.empty(len(states) * max(high - low for low, high in spans), dtype=np.float32)
    for low, high in spans:
        logits = room[: len(states) * (high - low)].reshape(-1, high - low)
        np.matmul(states, linear.weights[low:high].T, out=logits)
        yield low, high, logits
