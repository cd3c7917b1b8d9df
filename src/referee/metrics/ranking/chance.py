"""What guessing at random among candidates scores."""

from __future__ import annotations


def random_mean_rank(candidates: int) -> float:
    """The mean rank of a target among candidates in random order: (N + 1) / 2.

    >>> random_mean_rank(20)
    10.5
    """
    return (candidates + 1) / 2


def random_reciprocal_rank(candidates: int) -> float:
    """The mean reciprocal rank of a target among candidates in random order: H_N / N.

    >>> round(random_reciprocal_rank(20), 3)
    0.18
    """
    return sum(1 / rank for rank in range(1, candidates + 1)) / candidates
