"""Where the target stands among its candidates, and what follows from its rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.errors import DataError
from referee.metrics.ranking.ordering import (
    Counts,
    Scores,
    Ties,
    Values,
    floats,
    refuse_nan,
    tie_code,
)


def target_places(scores: Scores, target: Counts, ties: Ties = "stable") -> tuple[Counts, Counts]:
    """The first and the last rank that the target may have; each rank between is equally likely.

    >>> scores = np.array([[0.5, 0.9, 0.5, 0.5]])
    >>> [tuple(place.item() for place in target_places(scores, np.array([2]), ties))
    ...  for ties in ("stable", "expected", "optimistic", "pessimistic")]
    [(3, 3), (2, 4), (2, 2), (4, 4)]
    """
    from referee.metrics.ranking import kernels

    table = floats(scores)
    places = np.ascontiguousarray(target, np.int64)
    outside = (places < 0) | (places >= table.shape[1])
    if outside.any():
        row = int(outside.argmax())
        raise DataError(
            f"is {places[row]}",
            record=row,
            field="target",
            expected=f"0 to {table.shape[1] - 1}",
        )
    first, last = np.empty(len(table), np.int64), np.empty(len(table), np.int64)
    nan = kernels.stand(table, places, tie_code(ties), first, last)
    if nan >= 0:
        refuse_nan(table, nan)
    return first, last


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


def histogram(first: Counts, last: Counts, options: int) -> Values:
    """How often the targets have each rank, [options]: Figure 2's histogram of ground-truth ranks.

    A target that may have several ranks counts in equal parts for each.

    >>> histogram(np.array([1, 2, 1]), np.array([1, 3, 1]), 4).tolist()
    [2.0, 0.5, 0.5, 0.0]
    """
    if np.array_equal(first, last):
        return np.bincount(first - 1, minlength=options).astype(np.float64)
    part = 1 / (last - first + 1)
    edges = np.bincount(first - 1, part, options + 1) - np.bincount(last, part, options + 1)
    result: Values = np.cumsum(edges)[:options]
    return result


def summary(histogram: Values, recalls: Sequence[int]) -> dict[str, float]:
    """The rank metrics of a histogram of ranks: each is a function of it alone.

    With h the shares of the ranks i: mr = sum h_i i, mrr = sum h_i / i, r_at_k = sum over i <= k of h_i;
    the median is the middle rank, or the mean of the two middle ones.

    >>> summary(np.array([2.0, 0.0, 0.0, 2.0]), [1])
    {'mr': 2.5, 'mrr': 0.625, 'median_rank': 2.5, 'r_at_1': 0.5}
    """
    total = histogram.sum()
    if not total:
        return dict.fromkeys(("mr", "mrr", "median_rank", *(f"r_at_{k}" for k in recalls)), np.nan)
    ranks = np.arange(1, len(histogram) + 1)
    return {
        "mr": float(histogram @ ranks / total),
        "mrr": float(histogram @ (1 / ranks) / total),
        "median_rank": float(weighted_median(ranks.astype(np.float64), histogram[None, :])[0]),
        **{f"r_at_{k}": float(histogram[:k].sum() / total) for k in recalls},
    }


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
