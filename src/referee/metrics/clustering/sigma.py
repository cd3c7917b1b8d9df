"""The band of one standard deviation under an anchor (answers.txt, section 4.2.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def sigma_bands(values: Floats, anchors: Floats) -> tuple[Floats, Floats]:
    """The bands [anchor - sigma, infinity), sigma being the sample standard deviation of the round.

    With the highest value as the anchor this is the paper's [C_max - sigma, C_max].

    Shapes: `values` [rounds, n], n at least 2; `anchors` [rounds]; both results [rounds].

        >>> values = np.array([[0.0, 0.2, 0.8, 1.0]])
        >>> low, high = sigma_bands(values, values.max(axis=1))
        >>> low.round(4).tolist(), high.tolist()
        ([0.5239], [inf])
    """
    low = anchors - values.std(axis=1, ddof=1)
    return low, np.full(len(values), np.inf)
