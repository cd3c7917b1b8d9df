"""How far people agree: Krippendorff's alpha and full agreement."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.metrics.belief.agreement import full_agreement, krippendorff_alpha, weighted_alpha

NAN = float("nan")
KRIPPENDORFF = np.array(
    [
        [NAN] * 5 + [3, 4, 1, 2, 1, 1, 3, 3, NAN, 3],
        [1, NAN, 2, 1, 3, 3, 4, 3, NAN, NAN, NAN, NAN, NAN, NAN, NAN],
        [NAN, NAN, 2, 1, 3, 4, 4, NAN, 2, 1, 1, 3, 3, NAN, 4],
    ]
).T
"""The worked example of Krippendorff (2011), whose nominal alpha is 0.691."""


def by_pairs(ratings: np.ndarray) -> float:
    """Alpha from all pairs of ratings, written out."""
    units = [[x for x in unit if not np.isnan(x)] for unit in ratings]
    units = [unit for unit in units if len(unit) > 1]
    values = [x for unit in units for x in unit]
    observed = sum(2 * (a != b) / (len(u) - 1) for u in units for a, b in combinations(u, 2))
    expected = sum(2 * (a != b) for a, b in combinations(values, 2)) / max(len(values) - 1, 1)
    return 1 - observed / expected if expected else NAN


def test_the_published_example() -> None:
    """Three coders, four values, missing ratings."""
    assert krippendorff_alpha(KRIPPENDORFF) == pytest.approx(0.691, abs=5e-4)
    assert krippendorff_alpha(KRIPPENDORFF) == pytest.approx(by_pairs(KRIPPENDORFF))


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0, NAN]), min_size=3, max_size=3), min_size=1))
def test_both_ways_of_counting_are_those_of_all_pairs(rows: list[list[float]]) -> None:
    """The one for a bootstrap weighs units: twice the weight is the unit twice."""
    ratings = np.array(rows)
    truth = by_pairs(ratings)
    assert krippendorff_alpha(ratings) == pytest.approx(truth, nan_ok=True)
    units = np.stack([(~np.isnan(ratings)).sum(axis=1), np.nansum(ratings, axis=1)], axis=1)
    found = weighted_alpha(units, np.stack([np.ones(len(rows)), np.full(len(rows), 2.0)]))
    twice = by_pairs(np.concatenate([ratings, ratings]))
    assert found.tolist() == pytest.approx([truth, twice], nan_ok=True)


def test_full_agreement_is_about_the_whole_set() -> None:
    """One object about which one person differs is enough, whoever did not vote on it."""
    ratings = np.array([[1, 1, NAN], [0, 0, 0], [1, 0, 1], [1, 1, 1.0]])
    assert full_agreement(ratings, ["a", "a", "b", "b"]).tolist() == [True, False]
