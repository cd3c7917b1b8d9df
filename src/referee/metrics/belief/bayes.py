r"""The Bayes gap: how far a belief is from the one that the answer warrants.

Before the answer $a$ the guesser believed $\pi$. The oracle says $a$ of candidate $i$ with probability
$A_i$, so an ideal observer who believed $\pi$ believes afterwards

$$ p_i = \frac{\pi_i A_i}{\sum_j \pi_j A_j}. $$

The guesser believes $q$. The gap is the probability that stands where the answer does not put it, the
total variation between $q$ and $p$. What of it was there before the answer was **ignored** (the answer
should have moved it), what was not was **invented** (nothing warrants it):

$$ \mathrm{gap} = \sum_i (q_i - p_i)^+ = \underbrace{\sum_i \bigl(\min(q_i, \max(\pi_i, p_i)) -
p_i\bigr)^+}_{\mathrm{ignored}} + \underbrace{\sum_i (q_i - \max(\pi_i, p_i))^+}_{\mathrm{invented}}. $$

A guesser who does not listen ($q = \pi$) ignores all of its gap; after an answer that says nothing
($p = \pi$) all of the gap is invented. A divergence in bits would be infinite as soon as a certain
oracle rules out a candidate and the guesser keeps the least probability on it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.metrics.belief.ragged import Counts, Floats, spread, sums


class BayesGap(NamedTuple):
    """The gap of each row and its two parts, each of shape (rows,) and from 0 to 1."""

    gap: Floats
    ignored: Floats
    invented: Floats


def ideal(before: Floats, likelihoods: Floats, widths: Counts) -> Floats:
    r"""What an ideal observer believes after the answer, $p_i \propto \pi_i A_i$.

    Args:
        before: $\pi$, row after row, shape (cells,).
        likelihoods: $A$, the oracle's probability of the answer for each candidate, shape (cells,).
        widths: candidates of each row, shape (rows,).

    Returns:
        shape (cells,); NaN in rows where nothing that was believed possible could have led to the answer.

    Examples:
        >>> ideal(np.array([0.5, 0.25, 0.25]), np.array([0.0, 1.0, 1.0]), np.array([3])).tolist()
        [0.0, 0.5, 0.5]
    """
    joint = before * likelihoods
    whole = sums(joint, widths)
    result: Floats = joint / spread(np.where(whole > 0, whole, np.nan), widths)
    return result


def bayes_gap(beliefs: Floats, before: Floats, likelihoods: Floats, widths: Counts) -> BayesGap:
    """The Bayes gap of each row, split into what was ignored and what was invented.

    Args:
        beliefs: what the guesser believes after the answer, shape (cells,).
        before: what it believed before, shape (cells,).
        likelihoods: as `ideal` takes them, shape (cells,).
        widths: candidates of each row, shape (rows,).

    Examples:
        >>> before, no = np.array([0.25] * 4), np.array([0.0, 0.0, 1.0, 1.0])
        >>> bayes_gap(before, before, no, np.array([4])).ignored.tolist()
        [0.5]
        >>> bayes_gap(np.array([0, 0, 1.0, 0]), before, no, np.array([4])).invented.tolist()
        [0.5]
    """
    warranted = ideal(before, likelihoods, widths)
    ceiling = np.maximum(before, warranted)
    ignored = sums(np.maximum(np.minimum(beliefs, ceiling) - warranted, 0.0), widths)
    invented = sums(np.maximum(beliefs - ceiling, 0.0), widths)
    return BayesGap(ignored + invented, ignored, invented)
