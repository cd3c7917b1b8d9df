"""Many tests at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.errors import UsageError
from referee.metrics.statistics.inputs import as_values


def holm(p_values: Sequence[float]) -> list[float]:
    r"""Holm's adjusted p-values, in the order given.

    With the p-values sorted, $p_{(1)} \le \dots \le p_{(m)}$,

    $$ \tilde p_{(i)} = \max_{j \le i} \min(1, (m - j + 1)\, p_{(j)}). $$

    Rejecting where the adjusted value is at most alpha keeps the chance of any false rejection at
    alpha, however the tests depend on each other.

    Args:
        p_values: one for each test, in [0, 1], shape (m,).

    Returns:
        The adjusted values, shape (m,).

    Examples:
        >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03, 0.005])]
        [0.03, 0.06, 0.06, 0.02]
    """
    numbers = as_values(p_values, "p_values")
    if ((numbers < 0) | (numbers > 1)).any():
        raise UsageError("p-values must lie in [0, 1]")
    # statsmodels' multipletests collects all garbage in each call, which takes longer than the tests.
    order = np.argsort(numbers, kind="stable")
    left = np.arange(len(numbers), 0, -1)
    adjusted = np.empty_like(numbers)
    adjusted[order] = np.maximum.accumulate(np.minimum(1.0, left * numbers[order]))
    listed: list[float] = adjusted.tolist()
    return listed
