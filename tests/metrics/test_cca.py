"""CCA against scipy's generalised eigenproblem, and against covariances of written-out pairs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.metrics.cca import Fit, cosines, fit, moments, nearest, unit
from referee.metrics.cca.counting import grouped

WIDTHS = (6, 5, 4)
SIZES = (90, 60, 30)
PAIRS = 700


def world(views: int, seed: int = 0, kind: Any = np.float64) -> tuple[list[Any], list[Any]]:
    """Embeddings of some views that tell of one another, and which of them stand together."""
    rng = np.random.default_rng(seed)
    cause = rng.integers(0, 20, PAIRS)
    rows = [(cause + rng.integers(0, size // 4, PAIRS)) % size for size in SIZES[:views]]
    slopes = [rng.normal(size=(3, width)) for width in WIDTHS[:views]]
    made = []
    for size, width, slope in zip(SIZES, WIDTHS, slopes, strict=False):
        place = np.arange(size)[:, None] / size
        waves = np.hstack([np.sin(6 * place), np.cos(6 * place), place])
        made.append((waves @ slope + rng.normal(size=(size, width)) + 3).astype(kind))
    return made, rows


def written_out(views: list[Any], rows: list[Any]) -> NDArray[np.float64]:
    stacked = np.hstack([view[row] for view, row in zip(views, rows, strict=True)])
    return stacked.astype(np.float64)


@pytest.mark.parametrize("views", [2, 3])
@pytest.mark.parametrize("block", [1, 7, 10_000])
def test_the_moments_are_those_of_the_pairs_written_out(views: int, block: int) -> None:
    embeddings, rows = world(views)
    found = moments(embeddings, rows, block=block)
    every = written_out(embeddings, rows)
    assert found.count == PAIRS
    assert np.concatenate(found.means) == pytest.approx(every.mean(axis=0), abs=1e-12)
    assert found.covariance == pytest.approx(np.cov(every.T), abs=1e-12)


def test_single_precision_costs_no_more_than_its_digits() -> None:
    embeddings, rows = world(2, kind=np.float32)
    found = moments(embeddings, rows, block=16)
    exact = np.cov(written_out(embeddings, rows).T)
    assert np.abs(found.covariance - exact).max() < 2e-6 * exact.max()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("views", [2, 3])
def test_the_fit_is_scipys_generalised_eigenproblem(views: int, seed: int) -> None:
    """Eigenvalues, and eigenvectors as scipy scales them: length 1 over all views, up to their sign."""
    embeddings, rows = world(views, seed)
    found = fit(moments(embeddings, rows))
    joint = np.cov(written_out(embeddings, rows).T)
    within = np.zeros_like(joint)
    ends = np.cumsum([0, *WIDTHS[:views]])
    for start, end in pairwise(ends):
        within[start:end, start:end] = joint[start:end, start:end]
    small = 1e-12 * np.eye(len(joint))
    values, vectors = scipy.linalg.eig(joint + small, within + small)
    order = np.argsort(-values.real)[: len(found.eigenvalues)]
    assert len(found.eigenvalues) == (min(WIDTHS[:2]) if views == 2 else sum(WIDTHS))
    assert np.diff(values.real[order]).max() < -1e-4, "well separated"
    assert found.eigenvalues == pytest.approx(values.real[order], abs=1e-9)
    stacked, theirs = np.vstack(found.weights), vectors.real[:, order]
    signs = np.sign((stacked * theirs).sum(axis=0))
    assert np.abs(stacked - theirs * signs).max() < 1e-9


def test_with_two_views_an_eigenvalue_is_one_and_the_canonical_correlation() -> None:
    embeddings, rows = world(2)
    found = fit(moments(embeddings, rows), k=3)
    answers, questions = (found.project(view, embeddings[view])[rows[view]] for view in range(2))
    measured = [np.corrcoef(answers[:, i], questions[:, i])[0, 1] for i in range(3)]
    assert found.eigenvalues == pytest.approx(1 + np.array(measured), abs=1e-10)


def test_projections_are_centred_over_the_pairs_and_weighted_by_powers_of_the_eigenvalues() -> None:
    embeddings, rows = world(2)
    paired = moments(embeddings, rows)
    plain, weighted = fit(paired, power=0.0), fit(paired, power=2.0)
    projected = weighted.project(0, embeddings[0])
    assert projected[rows[0]].mean(axis=0) == pytest.approx(np.zeros(5), abs=1e-12)
    assert projected == pytest.approx(plain.project(0, embeddings[0]) * plain.eigenvalues**2)
    raw = weighted.uncentred(0, embeddings[0])
    assert raw - raw[rows[0]].mean(axis=0) == pytest.approx(projected, abs=1e-12)


def test_fewer_directions_are_the_first_ones() -> None:
    embeddings, rows = world(3)
    paired = moments(embeddings, rows)
    few, all_of_them = fit(paired, k=4), fit(paired)
    assert few.eigenvalues == pytest.approx(all_of_them.eigenvalues[:4])
    assert few.weights[1] == pytest.approx(all_of_them.weights[1][:, :4])


@pytest.mark.parametrize("views", [2, 3])
def test_a_direction_in_which_a_view_does_not_vary_is_left_out(views: int) -> None:
    """A constant column and a repeated one change no correlation and make nothing blow up."""
    embeddings, rows = world(views)
    first = embeddings[0]
    wider = np.hstack([first, np.ones((len(first), 1)), first[:, :1]])
    plain, padded = (fit(moments([one, *embeddings[1:]], rows), k=5) for one in (first, wider))
    assert padded.eigenvalues == pytest.approx(plain.eigenvalues, abs=1e-8)
    assert np.abs(padded.weights[0][6]).max() < 1e-6


def test_pairs_too_few_and_directions_too_few_are_refused() -> None:
    embeddings, rows = world(2)
    with pytest.raises(ValueError, match="1 pairs"):
        moments(embeddings, [row[:1] for row in rows])
    with pytest.raises(ValueError, match="0 directions"):
        fit(moments(embeddings, rows), k=0)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), min_size=2, max_size=60),
    st.integers(1, 9),
)
def test_any_pairs_in_any_order_and_blocks_of_any_size_give_their_covariance(
    drawn: list[tuple[int, int]], block: int
) -> None:
    """Also where embeddings stand in no pair."""
    rng = np.random.default_rng(0)
    views = [rng.normal(size=(5, 3)), rng.normal(size=(7, 2))]
    rows = list(np.array(drawn).T)
    found = moments(views, rows, block=block)
    assert found.covariance == pytest.approx(np.cov(written_out(views, rows).T), abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=50))
def test_the_counts_are_those_of_the_pairs(drawn: list[tuple[int, int]]) -> None:
    rows, columns = np.array(drawn, np.int64).reshape(-1, 2).T
    found = grouped(rows, columns, 4, 6)
    dense = np.zeros((4, 6), int)
    np.add.at(dense, (rows, columns), 1)
    assert np.diff(found.starts).tolist() == (dense > 0).sum(axis=1).tolist()
    assert found.members.tolist() == np.nonzero(dense)[1].tolist()
    assert found.numbers.tolist() == dense[dense > 0].tolist()


def test_what_is_zero_correlates_with_nothing() -> None:
    rows = np.array([[0.0, 0.0], [1.0, 1.0]])
    assert cosines(rows, rows) == pytest.approx(np.array([[0.0, 0.0], [0.0, 1.0]]))
    assert unit(rows)[0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("block", [3, 1000])
def test_the_nearest_are_those_of_a_whole_sort_and_ties_go_to_the_first(block: int) -> None:
    rng = np.random.default_rng(0)
    table = rng.integers(-2, 3, (80, 3)).astype(float)
    queries = rng.integers(-2, 3, (9, 3)).astype(float)
    places, products = nearest(queries, table, 7, block=block)
    every = queries @ table.T
    assert places.tolist() == np.argsort(-every, axis=1, kind="stable")[:, :7].tolist()
    assert products == pytest.approx(np.take_along_axis(every, places, 1))


def test_half_the_squared_length_as_a_penalty_makes_them_the_nearest_by_distance() -> None:
    rng = np.random.default_rng(1)
    table, queries = rng.normal(size=(50, 4)), rng.normal(size=(6, 4))
    places, _ = nearest(queries, table, 5, (table**2).sum(axis=1) / 2)
    distances = np.linalg.norm(queries[:, None] - table, axis=2)
    assert places.tolist() == np.argsort(distances, axis=1)[:, :5].tolist()


def test_the_sign_of_a_solution_is_fixed() -> None:
    """The largest weight of the first view is positive, so that a model has the same bytes anywhere."""
    embeddings, rows = world(2)
    found: Fit = fit(moments(embeddings, rows))
    largest = np.abs(found.weights[0]).argmax(axis=0)
    assert (found.weights[0][largest, np.arange(len(largest))] > 0).all()
