"""Learning curves: what a probe scores that is trained on a part of the training examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.metrics.probing.classifier import Probe
from referee.metrics.probing.classifier import train as train_probe
from referee.metrics.probing.description import cuts
from referee.metrics.probing.examples import Examples
from referee.metrics.probing.scoring import ExampleScores, example_scores
from referee.metrics.probing.settings import PAPERS, Adapting

SHARES = (0.01, 0.03, 0.1, 0.3, 1.0)


@dataclass(frozen=True, eq=False, slots=True)
class CurvePoint:
    """A probe trained on so many examples, and what each test example scores."""

    examples: int
    scores: ExampleScores
    probe: Probe


def learning_curve(
    train: Examples,
    valid: Examples,
    test: Examples,
    settings: Adapting = PAPERS,
    *,
    shares: Sequence[float] = SHARES,
) -> tuple[CurvePoint, ...]:
    """Scores on the test part against the share of the training part; larger shares hold the smaller.

    Fewer examples must not mean fewer updates, since patience counts epochs: `settings` says how each
    share is learned.

    >>> from referee.metrics.probing.labels import Labels
    >>> states = np.random.default_rng(0).normal(size=(400, 4))
    >>> examples = Examples(states, Labels.of_dense(states[:, :2] > 0))
    >>> curve = learning_curve(examples, examples, examples, shares=(0.1, 1))
    >>> [point.examples for point in curve]
    [40, 400]
    """
    order = np.random.default_rng([settings(len(train)).seed, 6]).permutation(len(train))
    points = []
    for number in cuts(shares, len(train)):
        probe = train_probe(train.take(order[:number]), valid, settings(number))
        scores = example_scores(test.labels, probe.predict(test.states))
        points.append(CurvePoint(number, scores, probe))
    return tuple(points)
