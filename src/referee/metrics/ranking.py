"""Rank metrics: where the target stands when candidates are sorted by score, and NDCG.

Scores are [rounds, options], higher is better. Options may tie; `ties` says where a tied target stands:
`stable` (as a stable sort leaves it: earlier options first), `expected` (the mean over all orders of the
tied), `optimistic` (before them) or `pessimistic` (after them).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Ties = Literal["stable", "expected", "optimistic", "pessimistic"]
Scores = NDArray[np.floating]
Counts = NDArray[np.int64]
Values = NDArray[np.float64]


def ranks(scores: Scores) -> Counts:
    """The rank of every option, 1 the best, ties as a stable sort leaves them; [rounds, options].

    >>> ranks(np.array([[0.1, 0.7, 0.1]])).tolist()
    [[2, 1, 3]]
    """
    order = np.argsort(-scores, axis=1, kind="stable")
    result = np.empty(scores.shape, np.int64)
    np.put_along_axis(result, order, np.arange(1, scores.shape[1] + 1)[None, :], axis=1)
    return result


def target_places(scores: Scores, target: Counts, ties: Ties = "stable") -> tuple[Counts, Counts]:
    """The first and the last rank that the target may have; each rank between is equally likely.

    >>> scores = np.array([[0.5, 0.9, 0.5, 0.5]])
    >>> [tuple(place.item() for place in target_places(scores, np.array([2]), ties))
    ...  for ties in ("stable", "expected", "optimistic", "pessimistic")]
    [(3, 3), (2, 4), (2, 2), (4, 4)]
    """
    own = np.take_along_axis(scores, target[:, None], axis=1)
    first: Counts = (scores > own).sum(axis=1) + 1
    tied = scores == own
    if ties == "optimistic":
        return first, first
    if ties == "stable":
        earlier = np.arange(scores.shape[1])[None, :] < target[:, None]
        first = first + (tied & earlier).sum(axis=1)
        return first, first
    last = first + tied.sum(axis=1) - 1
    return (last, last) if ties == "pessimistic" else (first, last)


def mean_ranks(first: Counts, last: Counts) -> Values:
    """The rank of each target, [rounds]: (first + last) / 2.

    >>> mean_ranks(np.array([2]), np.array([4])).tolist()
    [3.0]
    """
    result: Values = (first + last) / 2
    return result


def reciprocal_ranks(first: Counts, last: Counts) -> Values:
    """The mean of 1 / rank over the ranks that each target may have, [rounds].

        (H_last - H_{first - 1}) / (last - first + 1),  H_n = 1 + 1/2 + ... + 1/n

    >>> reciprocal_ranks(np.array([1, 2]), np.array([2, 2])).tolist()
    [0.75, 0.5]
    """
    most = int(last.max(initial=0))
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])
    spread = (harmonic[last] - harmonic[first - 1]) / (last - first + 1)
    result: Values = np.where(first == last, 1 / first, spread)
    return result


def recalls(first: Counts, last: Counts, k: int) -> Values:
    """How likely each target is among the k best, [rounds]; 0 or 1 where its rank is certain.

    >>> recalls(np.array([1, 2, 6]), np.array([1, 5, 6]), k=3).tolist()
    [1.0, 0.5, 0.0]
    """
    width = last - first + 1
    result: Values = np.clip(k - first + 1, 0, width) / width
    return result


def ndcg(scores: Scores, relevance: Values, ties: Ties = "stable") -> Values:
    """Normalised discounted cumulative gain of each round, [rounds], cut at the number of relevant options.

        k = |{o : rel(o) > 0}|,  DCG = sum over ranks i = 1..k of rel(option at rank i) / log2(i + 1)
        NDCG = DCG / (DCG of the options sorted by falling relevance);  NaN where k = 0

    The cut moves with the round: this is VisDial's definition, in which the gain is the relevance itself.

    >>> relevance = np.array([[0.0, 1.0, 0.4, 0.0]])
    >>> ndcg(np.array([[0.1, 0.9, 0.5, 0.2]]), relevance).tolist()
    [1.0]
    >>> ndcg(np.array([[0.9, 0.8, 0.5, 0.2]]), relevance).round(4).tolist()
    [0.5038]
    """
    cut = np.count_nonzero(relevance, axis=1)
    places = np.arange(scores.shape[1])
    discount = np.where(places < cut[:, None], 1 / np.log2(places + 2), 0.0)
    reached = (_gains(scores, relevance, ties) * discount).sum(axis=1)
    ideal = (-np.sort(-relevance, axis=1) * discount).sum(axis=1)
    result = np.full(len(cut), np.nan)
    np.divide(reached, ideal, out=result, where=cut > 0)
    return result


def _gains(scores: Scores, relevance: Values, ties: Ties) -> Values:
    """The relevance at each rank, [rounds, options]."""
    if ties == "optimistic":
        order = np.lexsort((-relevance, -scores), axis=-1)
    elif ties == "pessimistic":
        order = np.lexsort((relevance, -scores), axis=-1)
    else:
        order = np.argsort(-scores, axis=1, kind="stable")
    gains: Values = np.take_along_axis(relevance, order, axis=1)
    if ties == "expected":
        return _averaged(gains, np.take_along_axis(scores, order, axis=1))
    return gains


def _averaged(gains: Values, scores: Scores) -> Values:
    """The gains with each run of equal scores replaced by its mean."""
    starts = np.ones(scores.shape, bool)
    starts[:, 1:] = scores[:, 1:] != scores[:, :-1]
    run = np.cumsum(starts.ravel()) - 1
    means = np.bincount(run, gains.ravel()) / np.bincount(run)
    result: Values = means[run].reshape(gains.shape)
    return result


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


def weighted_median(values: Values, weights: Values) -> Values:
    """The median of the values under each row of weights (how often each value counts), [rows].

    The middle value, or the mean of the two middle ones: with weights of 1 it is the plain median.

    >>> values = np.array([4.0, 1.0, 2.0])
    >>> weighted_median(values, np.array([[1.0, 1.0, 1.0], [0.0, 1.0, 1.0]])).tolist()
    [2.0, 1.5]
    """
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[:, order], axis=1)
    half = total[:, -1:] / 2
    ordered = values[order]
    result: Values = (
        ordered[(total < half).sum(axis=1)] + ordered[(total <= half).sum(axis=1)]
    ) / 2
    return result
