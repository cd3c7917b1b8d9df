"""Normalised discounted cumulative gain."""

from __future__ import annotations

import numpy as np

from referee.errors import DataError
from referee.metrics.ranking.ordering import Scores, Sorted, Ties, Values, in_order, tie_code


def ndcg(scores: Scores, relevance: Values, ties: Ties = "stable") -> Values:
    """Normalised discounted cumulative gain of each round, [rounds], cut at the number of relevant options.

        k = |{o : rel(o) > 0}|,  DCG = sum over ranks i = 1..k of rel(option at rank i) / log2(i + 1)
        NDCG = DCG / (DCG of the options sorted by falling relevance);  NaN where k = 0

    The cut moves with the round: this is VisDial's definition, in which the gain is the relevance itself.
    `scores` and `relevance` are [rounds, options].

    >>> relevance = np.array([[0.0, 1.0, 0.4, 0.0]])
    >>> ndcg(np.array([[0.1, 0.9, 0.5, 0.2]]), relevance).tolist()
    [1.0]
    >>> ndcg(np.array([[0.9, 0.8, 0.5, 0.2]]), relevance).round(4).tolist()
    [0.5038]
    """
    from referee.metrics.ranking import kernels

    gains = np.ascontiguousarray(relevance, np.float64)
    code = tie_code(ties)
    _check(scores, gains)
    discount = 1 / np.log2(np.arange(2, gains.shape[1] + 2))
    result = np.full(len(gains), np.nan)

    def fill(part: Sorted) -> None:
        rows = part.rows
        falling = -gains[rows]
        falling.sort(axis=1)
        kernels.gain(
            part.packed,
            part.scores,
            gains[rows],
            falling,
            part.low,
            code,
            discount,
            result[rows],
        )

    in_order(scores, fill)
    return result


def _check(scores: Scores, relevance: Values) -> None:
    if scores.shape != relevance.shape:
        raise DataError(
            f"has the shape {relevance.shape}",
            field="relevance",
            expected=f"{scores.shape}, as the scores have",
        )
    # NaN is not at least 0 either
    wrong = np.flatnonzero(~(relevance >= 0) | np.isinf(relevance))
    if len(wrong):
        row, option = divmod(int(wrong[0]), relevance.shape[1])
        raise DataError(
            f"is {relevance[row, option]}",
            record=row,
            field=f"relevance[{option}]",
            expected="a finite number, not negative",
        )
