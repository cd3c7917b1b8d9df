"""The Bayes gap splits without rest, and an ideal observer has none."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.metrics.belief.bayes import bayes_gap, ideal

Row = NDArray[np.float64]


def shares(size: int) -> st.SearchStrategy[Row]:
    """A distribution, zeros among it."""
    weights = st.lists(st.floats(0, 1) | st.just(0.0), min_size=size, max_size=size)
    return weights.filter(lambda row: sum(row) > 1e-3).map(lambda row: np.array(row) / sum(row))


@st.composite
def steps(draw: st.DrawFn) -> tuple[Row, Row, Row]:
    """What was believed after an answer, before it, and how likely the answer is of each candidate."""
    size = draw(st.integers(1, 8))
    likelihoods = draw(
        st.lists(st.sampled_from([0.0, 1.0]) | st.floats(0, 1), min_size=size, max_size=size)
    )
    before = draw(shares(size))
    assume(float(before @ np.array(likelihoods)) > 1e-6)
    return draw(shares(size)), before, np.array(likelihoods)


def width(row: Row) -> NDArray[np.int64]:
    return np.array([len(row)])


@given(steps())
def test_ignored_and_invented_add_up_to_the_gap(step: tuple[Row, Row, Row]) -> None:
    """And the gap is half the distance between the two beliefs, added up without the split."""
    beliefs, before, likelihoods = step
    found = bayes_gap(beliefs, before, likelihoods, width(beliefs))
    warranted = ideal(before, likelihoods, width(beliefs))
    distance = np.abs(beliefs - warranted).sum() / 2
    assert np.isclose(found.ignored + found.invented, found.gap, atol=1e-12).all()
    assert np.isclose(found.gap, distance, atol=1e-9).all()
    assert all(-1e-12 <= float(part[0]) <= 1 + 1e-9 for part in found)


@given(steps())
def test_an_ideal_observer_has_no_gap(step: tuple[Row, Row, Row]) -> None:
    _, before, likelihoods = step
    warranted = ideal(before, likelihoods, width(before))
    found = bayes_gap(warranted, before, likelihoods, width(before))
    assert all(abs(float(part[0])) < 1e-12 for part in found)


@given(steps())
def test_who_does_not_listen_invents_nothing(step: tuple[Row, Row, Row]) -> None:
    _, before, likelihoods = step
    found = bayes_gap(before, before, likelihoods, width(before))
    assert float(found.invented[0]) == 0.0
    assert np.isclose(found.ignored, found.gap).all()


@given(steps())
def test_after_an_answer_that_says_nothing_all_is_invented(step: tuple[Row, Row, Row]) -> None:
    beliefs, before, _ = step
    found = bayes_gap(beliefs, before, np.full(len(before), 0.7), width(before))
    assert float(found.ignored[0]) < 1e-12


def test_rows_are_judged_apart_and_an_impossible_answer_has_no_ideal_observer() -> None:
    beliefs = np.array([0.5, 0.5, 0.2, 0.3, 0.5])
    before = np.array([1.0, 0.0, 0.5, 0.25, 0.25])
    found = bayes_gap(beliefs, before, np.array([0.0, 1.0, 0.0, 1.0, 1.0]), np.array([2, 3]))
    assert np.isnan([part[0] for part in found]).all()
    assert np.allclose([part[1] for part in found], [0.2, 0.2, 0.0])
