"""Is what a probe finds in the states, or in the probe? Control tasks, shuffled labels, and chance."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.errors import DataError, RefereeError
from referee.metrics.probing.labels import Counts, Labels, stacked
from referee.metrics.probing.scoring import ExampleScores, example_scores
from referee.metrics.statistics import Interval, mean_interval

DRAWS = 200


class AboveChance(RefereeError):
    """A probe that finds in the states what cannot be there."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A mean F1, and where it would lie if the predictions had nothing to do with the labels."""

    score: float
    expected: float
    low: float
    high: float
    level: float


def control_table(labels: Labels, types: Counts, count: int, seed: int) -> Labels:
    """One random set of labels for each type, [types, attributes]: a control task (Hewitt and Liang 2019).

    A type is the category of the target. Each type gets the labels of an example drawn at random, so
    that each attribute keeps its share, and sets their size, in expectation; no type gets its own
    by more than chance. `table.take(types)` are the control labels of the examples of any split. A probe
    that learns them has learnt which category is which and a table by heart.

    Args:
        labels: those of the training part, [examples, attributes].
        types: the type of each of its examples, [examples].
        count: how many types there are in all splits.
        seed: of the draw.

    Examples:
        >>> labels = Labels.of_rows([[0], [1], [2]], width=3)
        >>> table = control_table(labels, np.array([0, 0, 1]), 3, seed=0)
        >>> len(table), table.take(np.array([2, 2])).sizes().tolist()
        (3, [1, 1])
    """
    _check_groups(types, len(labels))
    if not len(labels):
        raise DataError("have no examples", field="labels", expected="at least one to draw from")
    return labels.take(np.random.default_rng([seed, 2]).integers(0, len(labels), count))


def selectivity(
    real: ExampleScores,
    control: ExampleScores,
    *,
    clusters: Sequence[Hashable] | NDArray[Any] | None = None,
    level: float = 0.95,
) -> Interval:
    """The mean of each example's F1 on the task less its F1 on the control task, with an interval.

    >>> real, control = (ExampleScores(f1, f1, f1) for f1 in (np.array([1.0, 0.5]), np.array([0.5, 0.5])))
    >>> selectivity(real, control).estimate
    0.25
    """
    if len(real.f1) != len(control.f1):
        raise DataError(
            f"has {len(control.f1)} examples", field="control", expected=f"{len(real.f1)}"
        )
    return mean_interval(real.f1 - control.f1, clusters=clusters, level=level)


def shuffled(
    parts: Sequence[Labels], seed: int, *, groups: Sequence[NDArray[Any]] | None = None
) -> list[Labels]:
    """The rows of all splits' labels in another order, so that they say nothing of their states.

    Rows of one group (a game, an image) get one row of labels wherever they stand, that of some group.
    A probe that is tested on what it was trained on then knows the shuffled labels by heart and betrays
    itself.

    Args:
        parts: the labels of each split, [examples, attributes].
        seed: of the order.
        groups: a number for each example of each split; without it each is a group of its own.

    Examples:
        >>> parts = [Labels.of_rows([[0], [1]], width=3), Labels.of_rows([[2]], width=3)]
        >>> mixed = shuffled(parts, seed=1)
        >>> [part.columns.tolist() for part in mixed]
        [[0, 2], [1]]
    """
    whole = stacked(parts)
    numbers = np.arange(len(whole)) if groups is None else np.concatenate(list(groups))
    _check_groups(numbers, len(whole))
    rows = _shuffled_rows(numbers, np.random.default_rng([seed, 3]))
    ends = np.cumsum([len(part) for part in parts])
    return [whole.take(rows[end - len(part) : end]) for part, end in zip(parts, ends, strict=True)]


def chance(
    gold: Labels,
    predicted: Labels,
    *,
    groups: NDArray[Any] | None = None,
    level: float = 0.999,
    draws: int = DRAWS,
    seed: int = 0,
) -> Chance:
    r"""The mean F1 of predictions, and the interval in which it falls when they are blind.

    The same predictions are scored against the gold labels in `draws` other orders. Blind predictions'
    own score is one more such draw, so it falls into

    $$ \bar F \pm t_{m-1} \, s \sqrt{1 + 1/m} $$

    with $\bar F, s$ the mean and deviation of the $m$ draws. A probe that always predicts the frequent
    attributes scores what chance gives, however high that is.

    Examples:
        >>> gold = Labels.of_rows([[0], [1]] * 50, width=2)
        >>> found = chance(gold, gold)
        >>> found.score, round(found.expected, 1), found.score > found.high
        (1.0, 0.5, True)
    """
    from scipy import stats

    numbers = np.arange(len(gold)) if groups is None else np.asarray(groups)
    _check_groups(numbers, len(gold))
    generator = np.random.default_rng([seed, 4])
    score = float(example_scores(gold, predicted).f1.mean())
    found = np.array(
        [
            example_scores(gold.take(_shuffled_rows(numbers, generator)), predicted).f1.mean()
            for _ in range(draws)
        ]
    )
    # what differs in the last digits only does not differ
    spread = max(float(found.std(ddof=1)), 1e-12) * np.sqrt(1 + 1 / draws)
    reach = float(stats.t.ppf((1 + level) / 2, draws - 1)) * float(spread)
    expected = float(found.mean())
    return Chance(score, expected, expected - reach, expected + reach, level)


def check_chance(
    gold: Labels,
    predicted: Labels,
    *,
    groups: NDArray[Any] | None = None,
    level: float = 0.999,
    draws: int = DRAWS,
    seed: int = 0,
) -> Chance:
    """The same of a probe trained and tested on shuffled labels, which must not be above chance.

    Raises:
        AboveChance: when the score is above the interval, so that something is wrong with the probe.
    """
    found = chance(gold, predicted, groups=groups, level=level, draws=draws, seed=seed)
    if found.score > found.high:
        raise AboveChance(
            f"a probe scores F1 {found.score:.4f} on shuffled labels, where chance gives"
            f" {found.low:.4f} to {found.high:.4f}: it has seen what it is tested on (are games of the"
            " test part in the training part?), so no score of it can be trusted"
        )
    return found


def _shuffled_rows(groups: NDArray[Any], generator: np.random.Generator) -> Counts:
    """For each row the row whose labels it gets: the first of the group that its group is dealt."""
    _, first, group = np.unique(groups, return_index=True, return_inverse=True)
    found: Counts = first[generator.permutation(len(first))][group]
    return found


def _check_groups(groups: NDArray[Any], number: int) -> None:
    if len(groups) != number:
        raise DataError(
            f"has {len(groups)} numbers", field="groups", expected=f"{number}, one an example"
        )
