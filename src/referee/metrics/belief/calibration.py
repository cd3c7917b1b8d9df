r"""How well beliefs are calibrated: proper scores, confidence against success, and entropy.

A row is a belief $q$ over the candidates of one game after one turn; $y$ is the target.
"""

from __future__ import annotations

import numpy as np

from referee.metrics.belief.ragged import Counts, Floats, greatest, spread, starts, sums

FLOOR = 1e-12
"""A target that was held to be impossible counts as this likely, since its surprise is infinite."""
BINS = 15


def nll(beliefs: Floats, widths: Counts, targets: Counts) -> Floats:
    r"""The surprise at the target, $-\ln \max(q_y, 10^{-12})$, in nats.

    Args:
        beliefs: row after row, shape (cells,).
        widths: candidates of each row, shape (rows,).
        targets: the place of the target in each row, shape (rows,).

    Examples:
        >>> nll(np.array([0.5, 0.5, 1.0, 0.0]), np.array([2, 2]), np.array([0, 1])).round(3).tolist()
        [0.693, 27.631]
    """
    found: Floats = -np.log(np.maximum(beliefs[starts(widths) + targets], FLOOR))
    return found


def brier(beliefs: Floats, widths: Counts, targets: Counts) -> Floats:
    r"""Brier's score, $\sum_i (q_i - [i = y])^2$, from 0 to 2.

    Examples:
        >>> brier(np.array([0.5, 0.5, 1.0, 0.0]), np.array([2, 2]), np.array([0, 1])).tolist()
        [0.5, 2.0]
    """
    found: Floats = sums(beliefs * beliefs, widths) + 1 - 2 * beliefs[starts(widths) + targets]
    return found


def entropy(beliefs: Floats, widths: Counts) -> Floats:
    r"""The entropy $-\sum_i q_i \log_2 q_i$ in bits.

    Examples:
        >>> entropy(np.array([0.5, 0.5, 1.0, 0.0]), np.array([2, 2])).tolist()
        [1.0, 0.0]
    """
    logs = np.log2(np.where(beliefs > 0, beliefs, 1.0))
    return np.abs(sums(beliefs * logs, widths))


def confidence(beliefs: Floats, widths: Counts, targets: Counts) -> tuple[Floats, Floats]:
    """The probability of the likeliest candidate, and whether that is the target.

    Where several are equally likely, being right counts as it would by lot: one over their number if
    the target is one of them.

    Examples:
        >>> found = confidence(np.array([0.4, 0.4, 0.2, 0.9, 0.1]), np.array([3, 2]), np.array([0, 1]))
        >>> [each.tolist() for each in found]
        [[0.4, 0.9], [0.5, 0.0]]
    """
    best = greatest(beliefs, widths)
    likeliest = sums(beliefs == spread(best, widths), widths)
    hit = beliefs[starts(widths) + targets] == best
    return best, np.where(hit, 1 / np.maximum(likeliest, 1), 0.0)


def equal_bins(confidences: Floats, bins: int = BINS) -> Counts:
    """Into which of up to so many bins of about equally many rows each confidence falls.

    Equal confidences share a bin.

    Examples:
        >>> equal_bins(np.array([0.1, 0.2, 0.3, 0.4, 0.9, 0.9]), 3).tolist()
        [0, 0, 1, 1, 2, 2]
    """
    if not len(confidences):
        return np.empty(0, dtype=np.int64)
    inner = np.quantile(confidences, np.arange(1, bins) / bins, method="inverted_cdf")
    places = np.searchsorted(np.unique(inner), confidences, side="left")
    found: Counts = np.unique(places, return_inverse=True)[1].astype(np.int64)
    return found


def binned(confidences: Floats, correct: Floats, places: Counts) -> Floats:
    """For each row its count, $d$ and $d^2$ in the columns of its bin, shape (rows, 3 bins).

    $d$ is its success less its confidence.
    """
    bins = int(places.max()) + 1 if len(places) else 0
    table = np.zeros((len(confidences), bins, 3))
    off = correct - confidences
    table[np.arange(len(places)), places] = np.stack([np.ones(len(off)), off, off * off], axis=1)
    return table.reshape(len(confidences), 3 * bins)


def debiased_ece(totals: Floats, penalty: float = 1.0) -> Floats:
    r"""The calibration error in bins, without what chance adds to it (after Kumar, Liang and Ma 2019).

    With $n_b$ rows in bin $b$, $d$ the success of a row less its confidence, $\bar d_b$ its mean and
    $s_b^2$ its variance in the bin (of a sample),

    $$ \sqrt{\max\Bigl(0, \sum_b \frac{n_b}{N} \Bigl[\bar d_b^2 - \lambda \frac{s_b^2}{n_b}\Bigr]\Bigr)},
    \qquad \lambda = 1. $$

    The squared gap of a bin is too large by $s_b^2 / n_b$ even where every belief is right; the second
    term takes that off, so that the sum under the root has no bias. A resample of the rows adds as much
    again, so that its $\lambda$ is 2. Bins of one row say nothing and are left out.

    Args:
        totals: sums of `binned` rows, shape (..., 3 bins).
        penalty: $\lambda$.

    Returns:
        shape (...,), from 0 to 1; NaN where no bin has two rows.

    Examples:
        >>> rows = binned(np.array([0.9] * 10), np.array([1.0] * 5 + [0.0] * 5), np.array([0] * 10))
        >>> float(debiased_ece(rows.sum(axis=0)).round(4))
        0.3636
    """
    table = np.asarray(totals, dtype=np.float64)
    table = table.reshape(*table.shape[:-1], -1, 3)
    many = table[..., 0]
    told = many > 1
    safe = np.where(told, many, 2.0)
    gap = table[..., 1] / safe
    chance = np.maximum(table[..., 2] / safe - gap * gap, 0.0) / (safe - 1)
    squares = np.where(told, many * (gap * gap - penalty * chance), 0.0).sum(axis=-1)
    whole = np.where(told, many, 0.0).sum(axis=-1)
    square = squares / np.where(whole > 0, whole, 1.0)
    return np.where(whole > 0, np.sqrt(np.maximum(square, 0.0)), np.nan)
