"""The rank matrix, against numpy's stable sort."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from referee.errors import DataError
from referee.metrics import ranking
from referee.metrics.ranking import ordering

shapes = st.tuples(st.integers(1, 4), st.integers(1, 9))
tables = st.one_of(
    arrays.arrays(np.float32, shapes, elements=st.floats(width=32, allow_nan=False)),
    arrays.arrays(np.float64, shapes, elements=st.floats(width=64, allow_nan=False)),
)


def by_numpy(scores: NDArray[Any]) -> NDArray[np.int64]:
    """The ranks by a stable sort of falling scores."""
    order = np.argsort(-scores, axis=1, kind="stable")
    return np.asarray(order.argsort(axis=1) + 1)


@given(tables)
@example(np.array([[0.0, -0.0, 0.0, -0.0]]))
@example(np.array([[0.0, -0.0, 1e-45, -0.0]], np.float32))
@example(np.array([[-np.inf, np.inf, -1.0, np.inf]]))
@example(np.array([[1.0, np.nextafter(1, 2), np.nextafter(1, 0), 1.0, np.nextafter(1, 2)]]))
def test_ranks_are_those_of_a_stable_sort(scores: NDArray[Any]) -> None:
    """Scores that differ in their last bit differ in rank; zero equals minus zero."""
    assert ranking.ranks(scores).tolist() == by_numpy(scores).tolist()


@given(tables.map(lambda table: table.round(0)))
def test_the_tied_share_their_first_mean_or_last_rank(scores: NDArray[Any]) -> None:
    above = (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    tied = (scores[:, None, :] == scores[:, :, None]).sum(axis=2)
    assert ranking.ranks(scores, "optimistic").tolist() == (above + 1).tolist()
    assert ranking.ranks(scores, "pessimistic").tolist() == (above + tied).tolist()
    assert ranking.ranks(scores, "expected").tolist() == (above + (tied + 1) / 2).tolist()


@pytest.mark.parametrize("options", [1, 2, 128, 129, 1000])
def test_scores_that_only_the_last_bits_tell_apart_are_ranked_by_them(options: int) -> None:
    scores = np.nextafter(1, 2) + np.spacing(1.0) * np.random.default_rng(0).integers(
        0, options // 2 + 1, (3, options)
    )
    assert ranking.ranks(scores).tolist() == by_numpy(scores).tolist()


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.int64, np.uint8])
def test_more_rounds_than_one_core_takes_give_the_same_ranks(kind: type[np.generic]) -> None:
    """Blocks and threads leave no trace; neither does a table that is not in one piece."""
    rounds = 2 * ordering._ALONE // 100 + 11
    scores = np.random.default_rng(1).integers(0, 99, (100, rounds)).astype(kind).T
    assert np.array_equal(ranking.ranks(scores), by_numpy(scores.astype(np.float64)))


def test_the_first_nan_is_named_wherever_it_is() -> None:
    scores = np.zeros((2 * ordering._ALONE // 100, 100))
    scores[-3, 7] = np.nan
    with pytest.raises(DataError, match=rf"record {len(scores) - 3}, field scores\[7\]: is NaN"):
        ranking.ranks(scores)


def test_nothing_has_no_ranks() -> None:
    assert ranking.ranks(np.zeros((0, 100))).shape == (0, 100)
    assert ranking.ranks(np.zeros((3, 0))).shape == (3, 0)
