"""Rank correlations of two rows of numbers in which many are equal."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def spearman(first: Values, second: Values) -> float:
    """Spearman's rho, equal numbers sharing the mean of their ranks; NaN where one row does not vary.

        rho = cov(rank x, rank y) / (std(rank x) std(rank y)),  x and y of shape (n,)

    >>> spearman(np.array([1.0, 2.0, 3.0, 3.0]), np.array([0.1, 0.4, 0.9, 0.9]))
    1.0
    """
    from scipy.stats import rankdata

    ranks = np.stack([rankdata(first), rankdata(second)]) if len(first) else np.empty((2, 0))
    centred = ranks - ranks.mean(axis=1, keepdims=True) if len(first) else ranks
    return _ratio(centred[0], centred[1])


def kendall(first: Values, second: Values) -> float:
    """Kendall's tau-b; NaN where one row does not vary.

        tau_b = (concordant - discordant) / sqrt((pairs - ties in x) (pairs - ties in y))

    >>> round(kendall(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.5])), 4)
    0.3333
    """
    above = np.triu_indices(len(first), 1)
    signs = [np.sign(row[above[0]] - row[above[1]]) for row in (first, second)]
    return _ratio(*signs)


def _ratio(first: Values, second: Values) -> float:
    spread = math.sqrt(float(first @ first) * float(second @ second))
    return float(np.clip(first @ second / spread, -1.0, 1.0)) if spread > 0 else math.nan
