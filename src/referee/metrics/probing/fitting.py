"""The updates of the diagnostic classifier: Adam on the loss's slopes, a block of attributes at a time.

The attributes know of one another only through early stopping, once an epoch. So a block of them goes
through all updates of an epoch by itself, on a thread that waits for no other: its weights, their moments
and slopes stay in the processor's cache, and what an update costs is its two matrix products.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from referee.metrics.probing import updating
from referee.metrics.probing.examples import Examples
from referee.metrics.probing.labels import Counts, Labels
from referee.metrics.probing.reading import Linear, blocks
from referee.metrics.probing.settings import Training
from referee.metrics.probing.workers import Workers


class Fitting:
    """A classifier while it is trained: its weights and Adam's moments."""

    def __init__(
        self, examples: Examples, start: Linear, settings: Training, workers: Workers
    ) -> None:
        self.linear = start
        self._examples = examples
        self._settings = settings
        self._workers = workers
        self._moments = [
            Linear(np.zeros_like(start.weights), np.zeros_like(start.bias)) for _ in range(2)
        ]
        self._updates = 0
        self._blocks = blocks(len(start.bias), examples.states.shape[1], settings.batch)
        self._bounds = _bounds(examples.labels, self._blocks)
        self._shuffled = np.empty_like(examples.states)

    def epoch(self, order: NDArray[np.int64], rate: float) -> float:
        """One pass over the examples in this order; the mean of the loss over it."""
        states = self._examples.states
        np.take(states, order, axis=0, out=self._shuffled, mode="clip")
        lost = self._workers.each(lambda span: self._pass(span, order, rate), self._blocks)
        self._updates += math.ceil(len(states) / self._settings.batch)
        return math.fsum(lost) / (len(states) * len(self.linear.bias))

    def _pass(self, span: tuple[int, int], order: NDArray[np.int64], rate: float) -> float:
        """All updates of a block of attributes; the sum of its losses."""
        low, high = span
        weights, bias = self.linear.weights[low:high], self.linear.bias[low:high]
        labels, size = self._examples.labels, min(self._settings.batch, len(order))
        room = np.empty((size, high - low), dtype=np.float32)
        slope, totals = np.empty_like(weights), np.empty_like(bias)
        lost = 0.0
        for number, start in enumerate(range(0, len(order), size)):
            rows = order[start : start + size]
            states, logits = self._shuffled[start : start + size], room[: len(rows)]
            np.matmul(states, weights.T, out=logits)
            lost += updating.slopes(
                logits,
                bias,
                self._bounds[low],
                labels.columns,
                rows,
                low,
                np.float32(1 / (len(rows) * len(self.linear.bias))),
                totals,
            )
            np.matmul(logits.T, states, out=slope)
            self._step(span, Linear(slope, totals), self._updates + number + 1, rate)
        return lost

    def _step(self, span: tuple[int, int], slopes: Linear, update: int, rate: float) -> None:
        """One step of Adam for a block: update number `update`, from 1."""
        one, two = self._settings.betas
        numbers = (
            (np.float32(one), np.float32(two)),
            np.float32(rate / (1 - one**update)),
            np.float32(1 / math.sqrt(1 - two**update)),
            np.float32(self._settings.epsilon),
        )
        block = slice(*span)
        linear, first, second = (
            Linear(part.weights[block].reshape(-1), part.bias[block])
            for part in (self.linear, *self._moments)
        )
        flat = slopes.weights.reshape(-1)
        updating.adam(linear.weights, first.weights, second.weights, flat, *numbers)
        updating.adam(linear.bias, first.bias, second.bias, slopes.bias, *numbers)


def _bounds(labels: Labels, spans: list[tuple[int, int]]) -> dict[int, tuple[Counts, Counts]]:
    """For each block, by its first attribute: where its part of each row's columns begins and ends."""
    block = np.searchsorted([high for _, high in spans], labels.columns, side="right")
    sizes = np.bincount(labels.rows() * len(spans) + block, minlength=len(labels) * len(spans))
    ends = np.cumsum(sizes).reshape(len(labels), len(spans))
    starts = ends - sizes.reshape(ends.shape)
    return {
        low: (starts[:, number].copy(), ends[:, number].copy())
        for number, (low, _) in enumerate(spans)
    }
