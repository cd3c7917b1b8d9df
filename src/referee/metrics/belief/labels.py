r"""Soft labels: how often rules or people put each candidate into the reference set, as a distribution.

The paper's text speaks of a softmax over the counts, but its Figure 3 shows counts over their sum, and a
softmax would give the complement set some probability; so plain normalisation is the default.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from referee.errors import UsageError
from referee.metrics.belief.ragged import Counts, Floats, greatest, over_sums, spread, sums

Combine: TypeAlias = Literal["normalise", "softmax"]
AllZero: TypeAlias = Literal["unlabelled", "uniform"]


def combined(
    counts: Floats,
    widths: Counts,
    combine: Combine = "normalise",
    all_zero: AllZero = "unlabelled",
) -> Floats:
    r"""Counts as distributions.

    $$ p_i = \frac{c_i}{\sum_j c_j}, \qquad \text{or with softmax} \qquad
    p_i = \frac{e^{c_i}}{\sum_j e^{c_j}} $$

    Where all counts of a row are zero, no candidate fits the answer and the paper says nothing:
    `unlabelled` gives NaN, `uniform` the same to all, in either way of combining.

    Args:
        counts: the rows one after the other, shape (cells,); not negative.
        widths: how many candidates each row has, shape (rows,).
        combine: `normalise` or `softmax`.
        all_zero: `unlabelled` or `uniform`.

    Examples:
        >>> figure_3 = np.array([0.0, 3, 0, 3, 1])
        >>> combined(figure_3, np.array([5])).round(4).tolist()
        [0.0, 0.4286, 0.0, 0.4286, 0.1429]
        >>> combined(figure_3, np.array([5]), "softmax").round(3).tolist()
        [0.022, 0.447, 0.022, 0.447, 0.061]
    """
    if combine not in get_args(Combine):
        raise UsageError(f"combine must be one of {', '.join(get_args(Combine))}; not '{combine}'")
    if all_zero not in get_args(AllZero):
        known = ", ".join(get_args(AllZero))
        raise UsageError(f"all_zero must be one of {known}; not '{all_zero}'")
    weights = np.asarray(counts, dtype=np.float64)
    if combine == "softmax" or all_zero == "uniform":
        empty = spread(sums(weights, widths) <= 0, widths)
        if combine == "softmax":
            weights = np.exp(weights - spread(greatest(weights, widths), widths))
        weights = np.where(empty, 1.0 if all_zero == "uniform" else 0.0, weights)
    return over_sums(weights, widths)
