"""Clusters on a line, against scikit-learn, and against all pairs of clusters joined by brute force."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.cluster import AgglomerativeClustering, MeanShift, estimate_bandwidth

from referee.errors import UsageError
from referee.metrics.clustering import (
    correlated_sets,
    mean_shift,
    mean_shift_bands,
    round_correlations,
    sigma_bands,
    ward_bands,
)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def inside(values: Floats, band: tuple[Floats, Floats]) -> Flags:
    low, high = band
    found: Flags = (values >= low[:, None]) & (values < high[:, None])
    return found


def lines(rounds: int, n: int, seed: int = 0) -> Floats:
    """Numbers in lumps, squeezed into (-1, 1) as correlations are."""
    random = np.random.default_rng(seed)
    lumps = random.normal(0, 0.5, (rounds, 6))
    chosen = random.integers(0, 6, (rounds, n))
    spread = random.uniform(0.02, 0.4, (rounds, 1))
    values: Floats = np.tanh(
        np.take_along_axis(lumps, chosen, axis=1) + spread * random.normal(size=(rounds, n))
    )
    return values


def ward_labels(values: Floats, clusters: int = 5) -> NDArray[np.int64]:
    found: NDArray[np.int64] = AgglomerativeClustering(clusters).fit(values[:, None]).labels_
    return found


def mean_shift_labels(values: Floats) -> NDArray[np.int64]:
    found: NDArray[np.int64] = MeanShift().fit(values[:, None]).labels_
    return found


@pytest.mark.parametrize("n", [3, 5, 12, 99, 100, 137])
def test_ward_is_scikit_learns_for_every_anchor(n: int) -> None:
    """The band of each value holds those that have its label, with 1 to 7 clusters."""
    for clusters in range(1, min(n, 7) + 1):
        values = lines(6, n, seed=n)
        for anchor in range(0, n, max(1, n // 11)):
            ours = inside(values, ward_bands(values, values[:, anchor], clusters))
            for row, mask in zip(values, ours, strict=True):
                labels = ward_labels(row, clusters)
                assert (mask == (labels == labels[anchor])).all()


def test_wards_best_cluster_is_scikit_learns_in_many_rounds() -> None:
    values = lines(400, 99)
    ours = inside(values, ward_bands(values, values.max(axis=1)))
    for row, mask in zip(values, ours, strict=True):
        labels = ward_labels(row)
        assert (mask == (labels == labels[row.argmax()])).all()


@pytest.mark.parametrize("n", [2, 5, 12, 99])
def test_mean_shift_is_scikit_learns_for_every_anchor(n: int) -> None:
    values = lines(4, n, seed=n)
    labelled = [mean_shift_labels(row) for row in values]
    for anchor in range(n):
        ours = inside(values, mean_shift_bands(values, values[:, anchor]))
        for labels, mask in zip(labelled, ours, strict=True):
            assert (mask == (labels == labels[anchor])).all()


@pytest.mark.slow
def test_mean_shifts_best_cluster_is_scikit_learns_in_many_rounds() -> None:
    values = np.concatenate([lines(12, 99, seed=1), lines(12, 100, seed=2)[:, :99]])
    ours = inside(values, mean_shift_bands(values, values.max(axis=1)))
    for row, mask in zip(values, ours, strict=True):
        labels = mean_shift_labels(row)
        assert (mask == (labels == labels[row.argmax()])).all()


def climbed(line: Floats) -> tuple[Floats, int]:
    """The mean shift of every value at once, step by step, and the most steps that one took."""
    near = max(1, int(len(line) * 0.3))
    width = np.mean(np.sort(np.abs(line[:, None] - line), axis=1)[:, near - 1])
    sums = np.concatenate([[0], np.cumsum(line)])
    means, moving, steps = line.copy(), np.ones(len(line), bool), 0
    while moving.any() and steps <= 300:
        first = np.searchsorted(line, means[moving] - width, "left")
        end = np.searchsorted(line, means[moving] + width, "right")
        new = (sums[end] - sums[first]) / (end - first)
        old, means[moving] = means[moving], new
        moving[moving] = np.abs(new - old) > 1e-3 * width
        steps += 1
    return means, steps


@pytest.mark.parametrize("power", [0.98, 0.995])
def test_a_climb_ends_after_three_hundred_steps(power: float) -> None:
    """On a gentle slope the values would climb on for long; on a gentler one they soon stop."""
    line = np.linspace(0, 1, 3000) ** power
    means, steps = climbed(line)
    assert steps == 301 if power < 0.99 else steps < 301
    summits, _ = mean_shift._summits(line, mean_shift._bandwidth(line))
    assert np.unique(means) == pytest.approx(np.unique(summits), abs=1e-9)


def test_the_order_of_the_values_does_not_matter() -> None:
    values = lines(20, 99)
    order = np.random.default_rng(3).permutation(99)
    for bands in (ward_bands, mean_shift_bands):
        anchors = values[:, 7]
        first, second = bands(values, anchors), bands(values[:, order], anchors)
        assert np.array_equal(first, second)


def joined(values: list[float], clusters: int) -> list[list[float]]:
    """Ward's clusters by brute force over all pairs, neighbours or not."""
    found = [[value] for value in sorted(values)]

    def cost(one: list[float], other: list[float]) -> float:
        between = float(np.mean(one) - np.mean(other))
        return len(one) * len(other) / (len(one) + len(other)) * between**2

    while len(found) > clusters:
        pairs = [(i, j) for i in range(len(found)) for j in range(i + 1, len(found))]
        i, j = min(pairs, key=lambda pair: cost(found[pair[0]], found[pair[1]]))
        found[i] += found.pop(j)
    return found


@settings(max_examples=80)
@given(st.integers(0, 10**6), st.integers(2, 14), st.integers(1, 6))
def test_only_neighbours_are_ever_joined(seed: int, n: int, clusters: int) -> None:
    """Though every pair may be joined, the clusters are those of joining neighbours alone."""
    values = np.random.default_rng(seed).normal(size=n) ** 3
    for cluster in joined(values.tolist(), clusters):
        band = ward_bands(values[None], np.array(cluster[:1]), clusters)
        assert sorted(cluster) == sorted(values[inside(values[None], band)[0]].tolist())


TIED = st.lists(st.integers(-6, 6).map(lambda number: number / 8), min_size=2, max_size=30)
"""Few distinct values: ties in value and in distance."""

BANDS: tuple[Callable[[Floats, Floats], tuple[Floats, Floats]], ...] = (
    ward_bands,
    mean_shift_bands,
    lambda values, anchors: ward_bands(values, anchors, 2),
)


@settings(max_examples=120)
@given(TIED, st.sampled_from(range(len(BANDS))))
def test_ties_or_not_the_bands_part_the_line(numbers: list[float], which: int) -> None:
    """Each value is in its own band, two bands are equal or apart, and equal values stay together."""
    values = np.array([numbers] * len(numbers))
    masks = inside(values, BANDS[which](values, np.array(numbers)))
    assert masks.diagonal().all()
    assert np.array_equal(masks, masks.T)
    distinct = {tuple(mask) for mask in masks.tolist()}
    assert sum(map(sum, distinct)) == len(numbers)
    for one, first in enumerate(numbers):
        for other, second in enumerate(numbers):
            assert masks[one, other] or first != second


ULPS = st.lists(
    st.tuples(st.sampled_from((-1.0, 0.3, 1.0)), st.integers(-3, 3)), min_size=2, max_size=40
)


@settings(max_examples=200)
@given(ULPS, st.sampled_from(range(len(BANDS))))
def test_values_that_differ_in_the_last_digit_are_parted_too(
    lumps: list[tuple[float, int]], which: int
) -> None:
    """Correlations of one direction alone are 1 or -1 but for rounding: the climbs must end."""
    numbers = [value + count * float(np.spacing(value)) for value, count in lumps]
    values = np.array([numbers] * len(numbers))
    masks = inside(values, BANDS[which](values, np.array(numbers)))
    assert masks.diagonal().all()
    assert sum(map(sum, {tuple(mask) for mask in masks.tolist()})) == len(numbers)


@settings(max_examples=60)
@given(TIED)
def test_ward_gives_as_many_clusters_as_asked_or_as_there_are_values(numbers: list[float]) -> None:
    values = np.array([numbers] * len(numbers))
    masks = inside(values, ward_bands(values, np.array(numbers)))
    assert len({tuple(mask) for mask in masks.tolist()}) <= min(5, len(set(numbers)))


@settings(max_examples=40)
@given(TIED)
def test_one_cluster_of_ward_is_everything(numbers: list[float]) -> None:
    values = np.array([numbers])
    assert inside(values, ward_bands(values, values[:, 0], 1)).all()


def test_equal_values_are_one_cluster_whatever_the_method() -> None:
    values = np.full((1, 99), 0.1 + 0.2)
    for bands in (ward_bands, mean_shift_bands, sigma_bands):
        assert inside(values, bands(values, values.max(axis=1))).all()


def test_with_a_bandwidth_of_zero_equal_values_are_the_clusters() -> None:
    """Three tenths of the values of each kind leave no distance at all."""
    values = np.array([[0.1 + 0.2] * 4 + [0.7] * 4 + [0.9] * 4])
    assert estimate_bandwidth(values.T) == 0
    masks = inside(values, mean_shift_bands(values, np.array([0.7])))
    assert masks[0].tolist() == [False] * 4 + [True] * 4 + [False] * 4


def test_sigma_is_the_samples_and_its_band_is_closed() -> None:
    values = np.array([[0.0, 1.0, 2.0, 3.0, 4.0]])
    low, high = sigma_bands(values, np.array([4.0]))
    assert low[0] == 4 - np.sqrt(2.5)
    assert np.isinf(high[0])
    assert inside(values, (np.array([3.0]), high)).tolist() == [[False, False, False, True, True]]


def test_there_is_no_clustering_into_no_clusters() -> None:
    with pytest.raises(UsageError, match="at least 1"):
        ward_bands(np.zeros((1, 3)), np.zeros(1), 0)


METHODS = ("sigma", "meanshift", "agglomerative")


def rounds(seed: int = 0) -> tuple[Floats, NDArray[np.int64]]:
    """Correlations with a ground truth that stands at a random place with its 1."""
    random = np.random.default_rng(seed)
    correlations, truths = lines(30, 100, seed), random.integers(0, 100, 30)
    correlations[np.arange(30), truths] = 1.0
    return correlations, truths


@pytest.mark.parametrize("method", METHODS)
def test_the_ground_truth_is_apart_or_among_all(method: str) -> None:
    """With the rest it is added to their best cluster; with all it is the best itself."""
    correlations, truths = rounds()
    for pairing in ("gt-rest", "gt-all"):
        masks = correlated_sets(correlations, truths, method, pairing)  # type: ignore[arg-type]
        assert masks[np.arange(30), truths].all()
        for row, truth, mask in zip(correlations, truths, masks, strict=True):
            rest = np.delete(row, truth)
            best = mask[row == rest.max()].any()
            assert best or pairing == "gt-all"
            if method == "sigma":
                used = rest if pairing == "gt-rest" else row
                expected = row >= used.max() - used.std(ddof=1)
                expected[truth] = True
                assert np.array_equal(mask, expected)


@pytest.mark.parametrize("method", METHODS)
def test_with_the_question_it_is_the_ground_truths_cluster_or_the_best(method: str) -> None:
    correlations, truths = lines(30, 100, 5), np.random.default_rng(5).integers(0, 100, 30)
    holding = correlated_sets(correlations, truths, method, "q-gt")  # type: ignore[arg-type]
    best = correlated_sets(correlations, truths, method, "q-max")  # type: ignore[arg-type]
    assert holding[np.arange(30), truths].all()
    assert best[np.arange(30), correlations.argmax(axis=1)].all()
    for row, truth, mask, top in zip(correlations, truths, holding, best, strict=True):
        if top[truth] and method != "sigma":
            assert np.array_equal(mask, top)
        if method == "sigma":
            assert np.array_equal(mask, row >= row[truth] - row.std(ddof=1))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"method": "kmeans"}, "method must be"),
        ({"pairing": "gt"}, "pairing must be"),
        ({"gt_index": np.array([4])}, "gt_index"),
        ({"gt_index": np.array([-1])}, "gt_index"),
        ({"gt_index": np.array([0, 1])}, "2 ground truths for 1 rounds"),
        ({"correlations": np.array([[0.1, np.nan, 0.2]])}, "not a finite number"),
        ({"correlations": np.array([[0.1, 0.2]])}, "at least three options"),
    ],
)
def test_what_makes_no_set_is_refused(arguments: dict[str, object], said: str) -> None:
    given: dict[str, object] = {
        "correlations": np.array([[0.1, 0.2, 0.3]]),
        "gt_index": np.array([0]),
        "method": "sigma",
    }
    with pytest.raises(UsageError, match=said):
        correlated_sets(**(given | arguments))  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
def test_what_is_not_finite_has_no_place_on_the_line(bad: float) -> None:
    values = np.array([[0.1, bad, 0.3]])
    for bands in (ward_bands, mean_shift_bands):
        with pytest.raises(UsageError, match="not a finite number"):
            bands(values, np.array([0.1]))


def test_no_rounds_have_no_sets() -> None:
    for method in METHODS:
        found = correlated_sets(np.empty((0, 100)), np.empty(0, int), method)  # type: ignore[arg-type]
        assert found.shape == (0, 100)


def test_correlations_of_rounds_are_products_with_the_anchor() -> None:
    random = np.random.default_rng(0)
    table = random.normal(size=(40, 7))
    options = random.integers(0, 40, (5, 9))
    anchors = random.normal(size=(5, 7))
    expected = np.einsum("rk,rok->ro", anchors, table[options])
    assert round_correlations(anchors, table, options) == pytest.approx(expected, abs=1e-12)


def test_equal_texts_have_exactly_equal_correlations() -> None:
    """A near tie would let Ward and mean shift part what is the same."""
    random = np.random.default_rng(1)
    table = np.repeat(random.normal(size=(3, 301)), 2, axis=0)
    found = round_correlations(random.normal(size=(1, 301)), table, np.arange(6)[None])[0]
    assert np.array_equal(found[::2], found[1::2])
