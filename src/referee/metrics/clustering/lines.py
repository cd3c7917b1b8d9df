"""What every clustering of a line begins with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.errors import UsageError

Floats = NDArray[np.float64]

_LARGEST = 1e150
"""Squares of larger numbers are no numbers any more."""


def sorted_lines(values: Floats, anchors: Floats) -> tuple[Floats, Floats]:
    """The values of each round in ascending order, and the anchors, as the compiled code needs them."""
    lines = np.sort(np.asarray(values, dtype=np.float64), axis=1)
    # What is not finite has been sorted to the ends.
    if lines.shape[1] == 0 or not (np.abs(lines[:, [0, -1]]) < _LARGEST).all():
        raise UsageError("a round has no values, or one that is not a finite number of some size")
    return lines, np.ascontiguousarray(anchors, dtype=np.float64)
