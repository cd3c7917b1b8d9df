r"""Minimum description length: how many bits the labels take when the states are known (online code).

After Voita and Titov (2020). The labels are sent in portions. The first costs a bit for each attribute;
each later one is coded by a probe trained on all before it. A state from which attributes are read off
easily, and from few examples, gives a short code, while a probe's score alone does not tell how hard it
was to read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from referee.errors import UsageError
from referee.metrics.probing.classifier import train as train_probe
from referee.metrics.probing.examples import Examples
from referee.metrics.probing.labels import Labels
from referee.metrics.probing.settings import PAPERS, Adapting

SHARES = (0.001, 0.002, 0.004, 0.008, 0.016, 0.03125, 0.0625, 0.125, 0.25, 0.5, 1.0)
"""Where the portions end."""


@dataclass(frozen=True, slots=True)
class Portion:
    """Some examples, the bits that their labels took, and the best epoch of the probe that coded them."""

    examples: int
    bits: float
    best_epoch: int
    """-1 for the first portion, which no probe codes."""


@dataclass(frozen=True, slots=True)
class DescriptionLength:
    """The code length of all labels, beside those of codes that do not look at the states."""

    portions: tuple[Portion, ...]
    uniform_bits: float
    """A bit for each attribute of each example."""
    marginal_bits: float
    """An adaptive code of each attribute by its share so far."""

    @property
    def bits(self) -> float:
        """The online code of all portions."""
        return math.fsum(portion.bits for portion in self.portions)

    @property
    def compression(self) -> float:
        """How many times shorter than the uniform code it is."""
        return self.uniform_bits / self.bits

    @property
    def compression_of_marginal(self) -> float:
        """How many times shorter it is than the code by shares; 1 where the states say nothing."""
        return self.marginal_bits / self.bits


def marginal_bits(labels: Labels) -> float:
    r"""The length of Krichevsky and Trofimov's code of each attribute, in bits.

    With $c_k$ of $n$ examples having attribute $k$, coded one after the other by
    $P(1) = (c + \tfrac12) / (n + 1)$ of those so far,

    $$ -\sum_k \log_2 \frac{B(c_k + \frac12, n - c_k + \frac12)}{B(\frac12, \frac12)} $$

    Examples:
        >>> round(marginal_bits(Labels.of_rows([[0], []], width=1)), 3)
        3.0
    """
    from scipy import special

    ones = labels.frequencies()
    nats = special.betaln(ones + 0.5, len(labels) - ones + 0.5) - special.betaln(0.5, 0.5)
    return -float(nats.sum()) / math.log(2)


def description_length(
    train: Examples,
    valid: Examples,
    settings: Adapting = PAPERS,
    *,
    shares: Sequence[float] = SHARES,
) -> DescriptionLength:
    r"""The online code length of the training labels given their states.

    $$ L = n_1 K + \sum_{i=1}^{S-1} \; \sum_{j = n_i + 1}^{n_{i+1}} - \log_2 p_{\theta_i}(y_j \mid x_j) $$

    with $\theta_i$ trained on the first $n_i$ examples in an order drawn by the seed, and ended by the
    loss on the validation part, which both sides know. Portions that would be empty are left out.

    Args:
        train: states [n, d] and the labels [n, K] to code.
        valid: the same of the part that ends each training.
        settings: how a portion's probe is trained; `watch` is set to the loss. Few examples must not mean
            few updates, since patience counts epochs.
        shares: where each portion ends, rising to 1.

    Examples:
        >>> states = np.random.default_rng(0).normal(size=(800, 2))
        >>> examples = Examples(states, Labels.of_dense(states > 0))
        >>> from referee.metrics.probing.settings import Training
        >>> settings = Training(batch=20, learning_rate=0.05)
        >>> shares = (0.1, 0.5, 1)
        >>> found = description_length(examples, examples, settings.with_updates, shares=shares)
        >>> [portion.examples for portion in found.portions], found.compression > 3
        ([80, 320, 400], True)
    """
    ends = cuts(shares, len(train))
    order = np.random.default_rng([settings(len(train)).seed, 5]).permutation(len(train))
    ordered, width = train.take(order), train.labels.width
    portions = [Portion(ends[0], float(ends[0] * width), -1)]
    for start, end in pairwise(ends):
        by_loss = replace(settings(start), watch="loss")
        probe = train_probe(ordered.take(np.arange(start)), valid, by_loss)
        bits = probe.bits(ordered.take(np.arange(start, end)))
        portions.append(Portion(end - start, math.fsum(bits), probe.best_epoch))
    uniform = float(len(train) * width)
    return DescriptionLength(tuple(portions), uniform, marginal_bits(train.labels))


def cuts(shares: Sequence[float], examples: int) -> list[int]:
    """How many examples each share is, at least one, each number once.

    >>> cuts((0.001, 0.1, 1), 100)
    [1, 10, 100]
    """
    rising = all(0 < a < b for a, b in pairwise(shares))
    if not (len(shares) and rising and shares[0] > 0 and shares[-1] <= 1):
        raise UsageError(f"shares are {list(shares)}: they must rise from above 0 to at most 1")
    return sorted({max(1, round(share * examples)) for share in shares})
