"""The rank correlations against scipy's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from referee.metrics.correlation import kendall, spearman

numbers = st.integers(0, 5).map(float)


@given(st.lists(st.tuples(numbers, numbers), min_size=2, max_size=30))
def test_they_are_scipys_with_ties(pairs: list[tuple[float, float]]) -> None:
    first, second = np.array(pairs).T
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert math.isnan(spearman(first, second))
        assert math.isnan(kendall(first, second))
    else:
        assert spearman(first, second) == pytest.approx(spearmanr(first, second).statistic)
        assert kendall(first, second) == pytest.approx(kendalltau(first, second).statistic)


def test_nothing_has_no_correlation() -> None:
    nothing = np.empty(0)
    assert math.isnan(spearman(nothing, nothing))
    assert math.isnan(kendall(nothing, nothing))
