"""The litmus test's values, against plain loops over the candidates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from referee.metrics.belief import litmus

THETAS = (0.001, 0.004, 0.2)


@st.composite
def rows(draw: st.DrawFn) -> list[tuple[list[float], list[bool]]]:
    """Beliefs of several games, and who is in the reference set."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=6))
    cell = st.sampled_from([0.0, 0.001, 0.004, 0.2]) | st.floats(0, 1)
    return [
        (
            draw(st.lists(cell, min_size=n, max_size=n)),
            draw(st.lists(st.booleans(), min_size=n, max_size=n)),
        )
        for n in sizes
    ]


@given(rows(), st.sampled_from(THETAS))
def test_every_row_is_judged_as_a_loop_would(
    games: list[tuple[list[float], list[bool]]], theta: float
) -> None:
    """Strictly above and strictly below, and an empty set is well-grounded."""
    beliefs = np.array([p for row, _ in games for p in row])
    reference = np.array([inside for _, row in games for inside in row])
    widths = np.array([len(row) for row, _ in games])
    rs = litmus.grounded_rs(beliefs, reference, widths, theta)
    cs = litmus.grounded_cs(beliefs, reference, widths, theta)
    mean = litmus.complement_probability(beliefs, reference, widths)
    for place, (row, inside) in enumerate(games):
        outside = [p for p, member in zip(row, inside, strict=True) if not member]
        assert rs[place] == all(p > theta for p, member in zip(row, inside, strict=True) if member)
        assert cs[place] == all(p < theta for p in outside)
        if outside:
            assert mean[place] == pytest.approx(sum(outside) / len(outside), abs=1e-12)
        else:
            assert np.isnan(mean[place])


def test_r_is_scipys_pooled_and_by_game() -> None:
    generator = np.random.default_rng(0)
    widths = generator.integers(3, 12, 40)
    beliefs = generator.random(widths.sum())
    labels = (beliefs + generator.random(widths.sum())) / 2
    totals = litmus.moments(beliefs, labels, widths)
    assert litmus.r(totals.sum(axis=0)) == pytest.approx(stats.pearsonr(beliefs, labels).statistic)
    edges = np.cumsum(widths)[:-1]
    by_game = [
        stats.pearsonr(x, y).statistic
        for x, y in zip(np.split(beliefs, edges), np.split(labels, edges), strict=True)
    ]
    assert litmus.r(totals) == pytest.approx(by_game)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 0.7])
def test_a_belief_that_does_not_vary_has_no_r(value: float) -> None:
    """However its sums are rounded."""
    found = litmus.r(litmus.moments(np.full(7, value), np.arange(7.0), np.array([7])))
    assert np.isnan(found).all()


def test_what_is_no_distribution_is_told() -> None:
    cells = [0.5, 0.5, 0.5, 0.4, np.nan, 1.0, 1.5, -0.5, 0.5, 0.5009]
    found = litmus.totals_fit(np.array(cells), np.full(5, 2), 1e-3)
    assert found.tolist() == [True, False, False, False, True]
