"""The exact interval of a share."""

from __future__ import annotations

import pytest
from statsmodels.stats.proportion import proportion_confint

from referee.errors import UsageError
from referee.metrics.statistics import exact_proportion


@pytest.mark.parametrize(("right", "n"), [(0, 5), (5, 5), (3, 17), (80, 81), (1, 1)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_the_bounds_are_those_of_the_beta_distribution(right: int, n: int, level: float) -> None:
    expected = proportion_confint(right, n, alpha=1 - level, method="beta")
    found = exact_proportion(right, n, level)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-7)


def test_all_right_is_not_certain() -> None:
    assert exact_proportion(10, 10).low == pytest.approx(0.025**0.1)


@pytest.mark.parametrize(("right", "n", "level"), [(3, 2, 0.95), (0, 0, 0.95), (1, 2, 1.0)])
def test_what_is_no_share_is_refused(right: int, n: int, level: float) -> None:
    with pytest.raises(UsageError):
        exact_proportion(right, n, level)
