r"""The diagnostic classifier: a linear map from states to attributes, trained as the paper's code does.

$$ P(y_k = 1 \mid x) = \sigma(w_k \cdot x + b_k), \qquad
L = -\frac{1}{nK} \sum_{i,k} y_{ik} \ln p_{ik} + (1 - y_{ik}) \ln(1 - p_{ik}) $$

by Adam, with early stopping on the validation part (`Training` has the numbers).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.errors import DataError, UsageError
from referee.metrics.probing.examples import Examples, Singles, checked_states
from referee.metrics.probing.fitting import Fitting
from referee.metrics.probing.labels import Labels
from referee.metrics.probing.reading import Linear, f1_over, nats, over
from referee.metrics.probing.settings import Patience, Plateau, Training
from referee.metrics.probing.workers import Workers


@dataclass(frozen=True, slots=True)
class Epoch:
    """What one epoch came to."""

    loss: float
    """The mean over its batches, each before its own update."""
    watched: float
    """F1 at `stop_at`, or the loss, on the validation part after the epoch."""
    learning_rate: float


@dataclass(frozen=True, eq=False, slots=True)
class Probe:
    """A trained diagnostic classifier: what it was after its best epoch."""

    linear: Linear
    settings: Training
    history: tuple[Epoch, ...]
    best_epoch: int
    """From 0; -1 where nothing was trained."""

    @property
    def weights(self) -> Singles:
        """[attributes, width of the state]."""
        return self.linear.weights

    @property
    def bias(self) -> Singles:
        """[attributes]."""
        return self.linear.bias

    def predict(self, states: NDArray[Any], at: float | None = None) -> Labels:
        """The attributes whose probability is above `at` (strictly); without it, above `report_at`."""
        given = checked_states(states, self.weights.shape[1])
        return over(self.linear, given, self.settings.report_at if at is None else at)

    def logits(self, states: NDArray[Any]) -> Singles:
        """The logit of each attribute, [examples, attributes]."""
        given = checked_states(states, self.weights.shape[1])
        found: Singles = given @ self.weights.T + self.bias
        return found

    def bits(self, examples: Examples) -> NDArray[np.float64]:
        r"""The code length of each example's labels, $-\sum_k \log_2 P(y_{ik})$, [examples]."""
        _check_widths(self.linear, examples)
        with Workers() as workers:
            return nats(self.linear, examples, workers) / math.log(2)


def initial(attributes: int, width: int, seed: int) -> Linear:
    r"""Weights and bias drawn as torch's Linear draws them, from $U(-1/\sqrt d, 1/\sqrt d)$.

    >>> initial(2, 4, seed=0).weights.shape
    (2, 4)
    """
    bound = 1 / math.sqrt(width)
    generator = np.random.default_rng([seed, 0])
    weights = generator.random((attributes, width), dtype=np.float32)
    bias = generator.random(attributes, dtype=np.float32)
    return Linear(*(np.float32(bound) * (2 * each - 1) for each in (weights, bias)))


def train(
    train: Examples, valid: Examples, settings: Training | None = None, start: Linear | None = None
) -> Probe:
    """Trains a diagnostic classifier, and keeps it as it was after its best epoch.

    Args:
        train: states [n, d] and their labels [n, K].
        valid: the same of the part that ends the training.
        settings: the paper's when none are given.
        start: weights and bias to begin with, drawn by the seed when none are given.

    Examples:
        >>> states = np.random.default_rng(0).normal(size=(400, 4))
        >>> examples = Examples(states, Labels.of_dense(states[:, :2] > 0))
        >>> probe = train(examples, examples, Training(batch=20, learning_rate=0.05))
        >>> probe.history[probe.best_epoch].watched > 0.7
        True
    """
    settings = settings or Training()
    if not (len(train) and len(valid)):
        raise DataError(
            f"have {len(train)} and {len(valid)} examples",
            field="train and valid",
            expected="at least one each",
        )
    if not train.labels.width:
        raise DataError("have no attributes", field="labels", expected="at least one")
    start = start or initial(train.labels.width, train.states.shape[1], settings.seed)
    for examples in (train, valid):
        _check_widths(start, examples)
    with Workers() as workers:
        fitting = Fitting(train, start.copy(), settings, workers)
        return _run(fitting, train, valid, settings, workers)


def _run(
    fitting: Fitting, train: Examples, valid: Examples, settings: Training, workers: Workers
) -> Probe:
    generator = np.random.default_rng([settings.seed, 1])
    patience, plateau = Patience(settings.patience, settings.watch), Plateau(settings)
    history: list[Epoch] = []
    best, best_epoch = fitting.linear, -1
    for epoch in range(settings.epochs):
        rate = plateau.rate
        loss = fitting.epoch(generator.permutation(len(train)), rate)
        watched = _watched(fitting.linear, valid, settings, workers)
        history.append(Epoch(loss, watched, rate))
        if patience.better(watched):
            best, best_epoch = fitting.linear.copy(), epoch
        if patience.over:
            break
        plateau.step(watched)
    if not all(np.isfinite(part).all() for part in (best.weights, best.bias)):
        raise UsageError(
            f"learning_rate is {settings.learning_rate}: with steps so large the weights grew beyond all"
            " numbers; it must be smaller"
        )
    return Probe(best, settings, tuple(history), best_epoch)


def _watched(linear: Linear, valid: Examples, settings: Training, workers: Workers) -> float:
    if settings.watch == "f1":
        return f1_over(linear, valid, settings.stop_at, workers)
    return float(nats(linear, valid, workers).mean()) / len(linear.bias)


def _check_widths(linear: Linear, examples: Examples) -> None:
    checked_states(examples.states[:0], linear.weights.shape[1])
    if examples.labels.width != len(linear.bias):
        raise DataError(
            f"has {examples.labels.width} attributes",
            field="labels",
            expected=f"{len(linear.bias)}, as the probe has",
        )
