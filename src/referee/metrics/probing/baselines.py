"""What predictions score that know nothing of the states."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.errors import DataError
from referee.metrics.probing.labels import Counts, Labels
from referee.metrics.probing.scoring import ExampleScores, Floats


def random_scores(sizes: Counts, width: int, at: float = 0.5) -> ExampleScores:
    r"""What each example scores in expectation when its scores are drawn from U(0, 1) (Table 5's Random).

    With $g$ gold attributes of $K$, and $P \sim B(K, 1 - t)$ predicted ones at threshold $t$, of which
    $P g / K$ are right in expectation,

    $$ E[P_i] = \frac gK (1 - t^K), \qquad E[R_i] = 1 - t, \qquad
    E[F_i] = \frac{2 g}{K} \, E\Bigl[\frac{P}{g + P}\Bigr], $$

    all 0 where $g = 0$.

    Args:
        sizes: the number of gold attributes of each example, shape (examples,).
        width: $K$.
        at: $t$.

    Examples:
        >>> found = random_scores(np.array([1]), 5).means()
        >>> {name: round(100 * value, 1) for name, value in found.items()}
        {'precision': 19.4, 'recall': 50.0, 'f1': 26.9}
    """
    from scipy import stats

    golds, inverse = np.unique(np.asarray(sizes, dtype=np.int64), return_inverse=True)
    if len(golds) and not 0 <= golds[0] <= golds[-1] <= width:
        raise DataError(
            f"go from {golds[0]} to {golds[-1]}",
            field="sizes",
            expected=f"numbers from 0 to {width}",
        )
    guesses = np.arange(1, width + 1)
    likely = stats.binom.pmf(guesses, width, 1 - at)
    part = golds / width
    shares = np.array([likely @ (guesses / (gold + guesses)) for gold in golds], dtype=np.float64)
    precision = part * (1 - at**width)
    recall = np.where(golds > 0, 1 - at, 0.0)
    f1: Floats = 2 * part * shares
    return ExampleScores(precision[inverse], recall[inverse], f1[inverse])


def frequent_labels(labels: Labels, at: float = 0.5) -> Counts:
    """The attributes that more than this share of the examples have.

    A probe of states that say nothing learns to predict these, always.

    >>> frequent_labels(Labels.of_rows([[0, 1], [0], [0, 2]], width=3)).tolist()
    [0]
    """
    return np.flatnonzero(labels.frequencies() > at * len(labels)).astype(np.int64)


def constant(attributes: NDArray[np.int64], examples: int, width: int) -> Labels:
    """The same attributes for each of so many examples.

    >>> constant(np.array([2, 0]), 2, 3).columns.tolist()
    [0, 2, 0, 2]
    """
    return Labels.of_rows([attributes], width).take(np.zeros(examples, dtype=np.int64))
