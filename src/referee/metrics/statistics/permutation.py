"""Two runs on the same games, compared by exchanging them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from referee.metrics.statistics.inputs import (
    Array,
    Labels,
    as_codes,
    as_pair,
    check_alternative,
    check_resamples,
)
from referee.metrics.statistics.resampling import chunks, few_kinds, seeded
from referee.metrics.statistics.results import Alternative, SignificanceTest

_ENUMERATED = 16
"""Up to this many clusters all sign patterns are tried: 2**16 of them."""


def paired_permutation(
    a: ArrayLike,
    b: ArrayLike,
    *,
    clusters: Labels | None = None,
    alternative: Alternative = "two-sided",
    resamples: int = 10_000,
    seed: int,
) -> SignificanceTest:
    r"""Sign-flip permutation test of the mean difference over the same games.

    If the runs are alike, a and b of a game (or of all games of an image) may be exchanged. With
    $D_g = \sum_{i \in g} (a_i - b_i)$ and all signs $s_g = \pm 1$,

    $$ p = P\Bigl(\bigl|\sum_g s_g D_g\bigr| \ge \bigl|\sum_g D_g\bigr|\Bigr), $$

    exact over all sign patterns when at most 16 clusters differ, else $(1 + k) / (1 + m)$ with $k$ of
    $m$ random patterns as extreme. Without any difference p is 1.

    Args:
        a: shape (n,).
        b: the same games, shape (n,).
        clusters: the image (or other unit) of each game, flipped as a whole, shape (n,).
        alternative: "greater" asks whether a is greater.
        resamples: number of random sign patterns.
        seed: of the random patterns.

    Examples:
        >>> test = paired_permutation([1, 1, 1, 0, 1], [0, 0, 0, 0, 0], seed=1)
        >>> test.p_value, test.effect, test.method
        (0.125, 0.8, 'exact')
    """
    check_alternative(alternative)
    check_resamples(resamples)
    first, second = as_pair(a, b)
    differences = first - second
    n = len(differences)
    sums = differences
    if clusters is not None:
        codes, groups = as_codes(clusters, n)
        sums = np.bincount(codes, differences, groups).astype(np.float64)
    moving = sums[sums != 0]
    exact = len(moving) <= _ENUMERATED
    flipped = _all_flips(moving) if exact else _random_flips(moving, seeded(seed), resamples)
    # Equal sums added in another order differ in their last digits.
    slack = 1e-12 * float(np.abs(moving).sum())
    observed = float(moving.sum())
    sign = {"two-sided": 0.0, "greater": 1.0, "less": -1.0}[alternative]
    extremes, limit = (
        (flipped * sign, observed * sign) if sign else (np.abs(flipped), abs(observed))
    )
    hits = int(np.count_nonzero(extremes >= limit - slack))
    return SignificanceTest(
        name="paired permutation" + ("" if clusters is None else " by cluster"),
        p_value=hits / len(flipped) if exact else (1 + hits) / (1 + resamples),
        statistic=float(differences.sum()),
        effect=float(differences.mean()) if n else math.nan,
        effect_name="mean difference",
        alternative=alternative,
        method="exact" if exact else "Monte Carlo",
        n=n,
    )


def _all_flips(sums: Array) -> Array:
    """The sum under every sign pattern, shape (2**clusters,)."""
    patterns = np.arange(1 << len(sums))[:, None] >> np.arange(len(sums)) & 1
    flipped: Array = (1.0 - 2.0 * patterns) @ sums
    return flipped


def _random_flips(sums: Array, generator: np.random.Generator, resamples: int) -> Array:
    """The sum under random sign patterns, shape (resamples,).

    Clusters whose sums have one size are one kind; how many of a kind keep their sign is binomial.
    """
    sizes, repeats = np.unique(np.abs(sums), return_counts=True)
    if few_kinds(len(sizes), len(sums)):
        kept = [
            generator.binomial(repeats, 0.5, size=(rows, len(sizes))) @ sizes
            for rows in chunks(resamples, len(sizes))
        ]
    else:
        ordered = np.repeat(sizes, repeats)
        width = -(-len(ordered) // 8)
        kept = [
            np.unpackbits(
                generator.integers(0, 256, size=(rows, width), dtype=np.uint8),
                axis=1,
                count=len(ordered),
            )
            @ ordered
            for rows in chunks(resamples, len(ordered))
        ]
    return 2.0 * np.concatenate(kept) - float(sizes @ repeats)
