"""Intervals of many values from one set of draws are those of each value by itself."""

from __future__ import annotations

import numpy as np
import pytest

from referee.metrics.belief import litmus
from referee.metrics.statistics import (
    OfTotals,
    bootstrap_interval,
    deviation_of,
    mean_of,
    totals_intervals,
    weighted_correlation,
)


def sums(rows: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The sums of each cluster."""
    return np.stack([np.bincount(codes, column) for column in rows.T], axis=1)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_a_mean_has_the_interval_that_it_has_alone(method: str) -> None:
    """But for the luck of the draws."""
    generator = np.random.default_rng(0)
    codes = generator.integers(0, 150, 600)
    values = generator.normal(size=600) + codes / 100
    totals = sums(np.stack([values, np.ones(600)], axis=1), codes)
    mean = OfTotals(slice(0, 2), mean_of, 600, 150)
    (ours,) = totals_intervals(totals, [mean], method=method, resamples=4000, seed=1)  # type: ignore[arg-type]
    alone = bootstrap_interval(values, clusters=codes, method=method, resamples=4000, seed=1)  # type: ignore[arg-type]
    assert ours.estimate == pytest.approx(alone.estimate)
    assert ours.low == pytest.approx(alone.low, abs=0.02)
    assert ours.high == pytest.approx(alone.high, abs=0.02)


def test_a_pooled_correlation_has_the_interval_that_it_has_alone() -> None:
    generator = np.random.default_rng(0)
    codes = np.repeat(np.arange(80), 5)
    x = generator.random(400)
    rows = np.stack([x, x + generator.random(400)], axis=1)
    moments = litmus.moments(rows[:, 0], rows[:, 1], np.full(80, 5))
    (ours,) = totals_intervals(moments, [OfTotals(slice(0, 6), litmus.r, 80, 80)], seed=1)
    alone = bootstrap_interval(rows, clusters=codes, statistic=weighted_correlation, seed=1)
    assert ours.estimate == pytest.approx(alone.estimate)
    assert ours.low == pytest.approx(alone.low, abs=0.01)
    assert ours.high == pytest.approx(alone.high, abs=0.01)


def test_a_deviation_is_numpys() -> None:
    values = np.random.default_rng(0).random(50)
    totals = np.stack([values, np.ones(50), values**2], axis=1)
    assert deviation_of(totals.sum(axis=0)) == pytest.approx(values.std(ddof=1))


def test_a_cluster_without_a_part_leaves_the_estimate_alone() -> None:
    totals = np.array([[1.0, 1], [0, 1], [0, 0], [1, 2]])
    found = totals_intervals(totals, [OfTotals(slice(0, 2), mean_of, 4, 3)], seed=0)
    assert found[0].estimate == 0.5
    assert found[0].n_clusters == 3


def test_one_cluster_has_no_interval() -> None:
    (found,) = totals_intervals(
        np.array([[3.0, 4.0]]), [OfTotals(slice(0, 2), mean_of, 4, 1)], seed=0
    )
    assert found.estimate == 0.75
    assert np.isnan([found.low, found.high]).all()


def test_an_undefined_estimate_has_no_interval() -> None:
    totals = np.zeros((3, 2))
    (found,) = totals_intervals(totals, [OfTotals(slice(0, 2), mean_of, 0, 0)], seed=0)
    assert np.isnan([found.estimate, found.low, found.high]).all()
