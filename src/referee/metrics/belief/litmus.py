r"""The litmus test of a belief against soft labels (belief.txt, section 4.2).

A row is one answered question of one game, its cells are the candidates. `reference` says of each
candidate whether it is in the reference set $RS$; the others are the complement set $CS$.
"""

from __future__ import annotations

import numpy as np

from referee.metrics.belief.ragged import Counts, Flags, Floats, greatest, least, spread, sums

_FLAT = 1e-12
"""A row whose variance is below this share of its squares does not vary but by rounding."""


def moments(beliefs: Floats, labels: Floats, widths: Counts) -> Floats:
    r"""The sums of each row that a correlation over many rows is made of.

    Args:
        beliefs: probabilities $x$, row after row, shape (cells,).
        labels: soft labels $y$, shape (cells,).
        widths: candidates of each row, shape (rows,).

    Returns:
        shape (rows, 6): the number of cells, $\sum x$, $\sum y$, $\sum x^2$, $\sum y^2$, $\sum xy$.

    Examples:
        >>> moments(np.array([0.5, 0.5]), np.array([1.0, 0.0]), np.array([2])).tolist()
        [[2.0, 1.0, 1.0, 0.5, 1.0, 0.5]]
    """
    columns = (beliefs, labels, beliefs * beliefs, labels * labels, beliefs * labels)
    return np.stack([widths.astype(np.float64), *(sums(each, widths) for each in columns)], axis=1)


def r(totals: Floats) -> Floats:
    r"""Pearson's $r$ from `moments`, of one row or of the sum of many.

    $$ r = \frac{n \sum xy - \sum x \sum y}
    {\sqrt{(n \sum x^2 - (\sum x)^2)(n \sum y^2 - (\sum y)^2)}} $$

    The paper does not say over what it correlates; pooled over the candidates of all games is the
    natural reading (`r` of the sum), the mean of each game's own $r$ the other.

    Args:
        totals: shape (..., 6).

    Returns:
        shape (...,); NaN where beliefs or labels do not vary.

    Examples:
        >>> cells = moments(np.array([0.2, 0.8, 0.6, 0.4]), np.array([0, 1, 1, 0.0]), np.array([2, 2]))
        >>> float(r(cells.sum(axis=0)).round(4)), r(cells).round(6).tolist()
        (0.8944, [1.0, 1.0])
    """
    n, x, y, xx, yy, xy = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    spread_x, spread_y = n * xx - x * x, n * yy - y * y
    varies = (spread_x > _FLAT * n * xx) & (spread_y > _FLAT * n * yy)
    scale = np.sqrt(np.where(varies, spread_x * spread_y, 1.0))
    return np.where(varies, np.clip((n * xy - x * y) / scale, -1.0, 1.0), np.nan)


def least_in_reference(beliefs: Floats, reference: Flags, widths: Counts) -> Floats:
    r"""The least probability in the reference set, $\min_{x \in RS} P(x)$; infinity where it is empty.

    A row is well-grounded against RS when this is above $\theta$, so one number a row serves every
    threshold.
    """
    return least(np.where(reference, beliefs, np.inf), widths)


def greatest_in_complement(beliefs: Floats, reference: Flags, widths: Counts) -> Floats:
    r"""The greatest probability in the complement, $\max_{x \in CS} P(x)$; minus infinity if empty.

    A row is well-grounded against CS when this is below $\theta$.
    """
    return greatest(np.where(reference, -np.inf, beliefs), widths)


def grounded_rs(beliefs: Floats, reference: Flags, widths: Counts, theta: float) -> Flags:
    r"""Whether each row is well-grounded against the reference set: $\forall x \in RS, P(x) > \theta$.

    Examples:
        >>> beliefs, reference = np.array([0.9, 0.1, 0.999, 0.001]), np.array([True] * 4)
        >>> grounded_rs(beliefs, reference, np.array([2, 2]), 0.001).tolist()
        [True, False]
    """
    return least_in_reference(beliefs, reference, widths) > theta


def grounded_cs(beliefs: Floats, reference: Flags, widths: Counts, theta: float) -> Flags:
    r"""Whether each row is well-grounded against the complement: $\forall x \in CS, P(x) < \theta$.

    Examples:
        >>> beliefs, reference = np.array([0.9, 0.1, 1.0, 0.0]), np.array([True, False] * 2)
        >>> grounded_cs(beliefs, reference, np.array([2, 2]), 0.004).tolist()
        [False, True]
    """
    return greatest_in_complement(beliefs, reference, widths) < theta


def complement_probability(beliefs: Floats, reference: Flags, widths: Counts) -> Floats:
    r"""The mean probability of a candidate of the complement set, $\frac{1}{|CS|}\sum_{x \in CS} P(x)$.

    Returns:
        shape (rows,); NaN where the complement is empty.

    Examples:
        >>> beliefs, reference = np.array([0.9, 0.06, 0.04]), np.array([True, False, False])
        >>> complement_probability(beliefs, reference, np.array([3])).round(4).tolist()
        [0.05]
    """
    outside = (~reference).astype(np.float64)
    many = sums(outside, widths)
    whole = sums(outside * beliefs, widths)
    return np.where(many > 0, whole / np.where(many > 0, many, 1.0), np.nan)


def totals_fit(beliefs: Floats, widths: Counts, tolerance: float) -> Flags:
    """Whether each row is a distribution: no number missing or negative, and a sum of one."""
    wrong = ~(beliefs >= 0)
    whole = sums(np.where(wrong, np.nan, beliefs), widths)
    found: Flags = np.abs(whole - 1) <= tolerance
    return found


def scaled(beliefs: Floats, kept: Floats, widths: Counts) -> Floats:
    """The beliefs as they stood before what padding had was shared out: each row times what it kept."""
    result: Floats = beliefs * spread(kept, widths)
    return result
