r"""How far people agree on which things are meant (belief.txt, sections 3.1 and 5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ratings: TypeAlias = NDArray[np.float64]


def krippendorff_alpha(ratings: Ratings) -> float:
    r"""Krippendorff's alpha for nominal ratings; NaN where nothing could disagree.

    With $o_{ck}$ the pairs of ratings $c$ and $k$ inside units, each unit of $m$ ratings weighing
    $1/(m-1)$, $n_c = \sum_k o_{ck}$ and $n = \sum_c n_c$,

    $$ \alpha = 1 - \frac{D_o}{D_e}, \quad D_o = \frac1n \sum_{c \ne k} o_{ck}, \quad
    D_e = \frac{1}{n(n-1)} \sum_{c \ne k} n_c n_k. $$

    Args:
        ratings: shape (units, raters); NaN where a rater did not rate. Units with one rating say
            nothing and are left out.

    Examples:
        >>> round(krippendorff_alpha(np.array([[1, 1], [0, 0], [0, 1], [1, 1.0]])), 4)
        0.5333
    """
    given = ~np.isnan(ratings)
    paired = given.sum(axis=1) > 1
    kept, held = ratings[paired], given[paired]
    values = np.unique(kept[held])
    if not len(values):
        return float("nan")
    counts = np.stack([((kept == value) & held).sum(axis=1) for value in values], axis=1)
    many = counts.sum(axis=1)
    weight = 1 / (many - 1)
    differing = (weight * (many**2 - (counts**2).sum(axis=1))).sum()
    totals = counts.sum(axis=0)
    whole = totals.sum()
    expected = (whole**2 - (totals**2).sum()) / (whole - 1) if whole > 1 else 0.0
    return float(1 - differing / expected) if expected > 0 else float("nan")


def weighted_alpha(values: Ratings, weights: Ratings) -> Ratings:
    """Krippendorff's alpha of yes-or-no ratings under each row of weights of the units, for a bootstrap.

    Args:
        values: how many rated each unit, and how many of them said yes, shape (n, 2).
        weights: shape (m, n).

    Returns:
        alpha, shape (m,); NaN where nothing could disagree.

    Examples:
        >>> units = np.array([[2, 2], [2, 0], [2, 1], [2, 2.0]])
        >>> weighted_alpha(units, np.ones((1, 4))).round(4).tolist()
        [0.5333]
    """
    kept = values[:, 0] > 1
    many, yes = values[kept].T
    pairs = (many**2 - yes**2 - (many - yes) ** 2) / (many - 1)
    differing, whole, said = (weights[:, kept] @ np.stack([pairs, many, yes], axis=1)).T
    expected = (whole**2 - said**2 - (whole - said) ** 2) / np.maximum(whole - 1, 1)
    found: Ratings = np.full(len(weights), np.nan)
    np.divide(differing, expected, out=found, where=expected > 0)
    return 1 - found


def full_agreement(ratings: Ratings, turns: Sequence[object]) -> NDArray[np.bool_]:
    """Whether all raters of a turn chose the same set of things, a turn in order of first appearance.

    Args:
        ratings: shape (units, raters), a unit a thing of a turn; NaN where a rater did not rate.
        turns: to which turn each unit belongs, shape (units,).

    Examples:
        >>> full_agreement(np.array([[1, 1], [0, 1], [1, 1.0]]), ["a", "a", "b"]).tolist()
        [False, True]
    """
    places: dict[object, int] = {}
    codes = [places.setdefault(turn, len(places)) for turn in turns]
    with_nan = np.nanmin(ratings, axis=1), np.nanmax(ratings, axis=1)
    agreed = np.ones(len(places), dtype=np.bool_)
    np.logical_and.at(agreed, codes, with_nan[0] == with_nan[1])
    return agreed
