"""The updates of the diagnostic classifier: Adam on the loss's slopes, a block of attributes at a time.

The attributes know of one another only through early stopping, once an epoch. So a block of them goes
through all updates of an epoch before the next one begins: its weights, their moments and slopes stay in
the processor's cache, and what an update costs is its two matrix products.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from referee.metrics.probing import updating
from referee.metrics.probing.examples import Examples, Singles
from referee.metrics.probing.labels import Counts, Labels
from referee.metrics.probing.reading import Linear, blocks
from referee.metrics.probing.settings import Training
from referee.metrics.probing.workers import Workers


class Fitting:
    """A classifier while it is trained: its weights, Adam's moments, and the room the updates need."""

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
        width = examples.states.shape[1]
        batch = min(settings.batch, len(examples))
        self._blocks = blocks(len(start.bias), width, batch)
        self._bounds = _bounds(examples.labels, self._blocks)
        widest = max(high - low for low, high in self._blocks)
        self._shuffled = np.empty_like(examples.states)
        self._logits = np.empty(batch * widest, dtype=np.float32)
        self._slope = np.empty(widest * width, dtype=np.float32)
        self._totals = np.empty_like(start.bias)

    def epoch(self, order: NDArray[np.int64], rate: float) -> float:
        """One pass over the examples in this order; the mean of the loss over it."""
        states, size = self._examples.states, self._settings.batch
        np.take(states, order, axis=0, out=self._shuffled, mode="clip")
        starts = range(0, len(states), size)
        lost = 0.0
        for span in self._blocks:
            for number, start in enumerate(starts):
                batch = slice(start, min(start + size, len(states)))
                sums = self._slopes(span, batch, order[batch])
                self._step(span, self._updates + number + 1, rate)
                lost += sum(sums)
        self._updates += len(starts)
        return lost / (len(states) * len(self.linear.bias))

    def _slopes(self, span: tuple[int, int], batch: slice, rows: NDArray[np.int64]) -> list[float]:
        """Leaves the slopes of a block's weights and bias for a batch; the loss's sums by part."""
        low, high = span
        states = self._shuffled[batch]
        logits = self._logits[: len(rows) * (high - low)].reshape(len(rows), high - low)
        np.matmul(states, self.linear.weights[low:high].T, out=logits)
        labels = self._examples.labels
        scale = np.float32(1 / (len(rows) * len(self.linear.bias)))
        sums: list[float] = []

        def run(start: int, end: int) -> None:
            sums.append(
                updating.slopes(
                    logits,
                    self.linear.bias,
                    self._bounds[low],
                    labels.columns,
                    rows,
                    (low, low + start, low + end),
                    scale,
                    self._totals,
                )
            )

        self._workers.share(high - low, len(rows), run)
        np.matmul(logits.T, states, out=self._slope_of(span))
        return sums

    def _step(self, span: tuple[int, int], update: int, rate: float) -> None:
        """One step of Adam for a block: update number `update`, from 1."""
        low, high = span
        width = self.linear.weights.shape[1]
        one, two = self._settings.betas
        numbers = (
            (np.float32(one), np.float32(two)),
            np.float32(rate / (1 - one**update)),
            np.float32(1 / math.sqrt(1 - two**update)),
            np.float32(self._settings.epsilon),
        )
        parts = (self.linear, *self._moments)
        weights, first, second = (part.weights[low:high].reshape(-1) for part in parts)
        slope = self._slope_of(span).reshape(-1)

        def run(start: int, end: int) -> None:
            cells = slice(start * width, end * width)
            updating.adam(weights[cells], first[cells], second[cells], slope[cells], *numbers)

        self._workers.share(high - low, width, run)
        bias, mean, square = (part.bias[low:high] for part in parts)
        updating.adam(bias, mean, square, self._totals[low:high], *numbers)

    def _slope_of(self, span: tuple[int, int]) -> Singles:
        rows, width = span[1] - span[0], self.linear.weights.shape[1]
        return self._slope[: rows * width].reshape(rows, width)


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
