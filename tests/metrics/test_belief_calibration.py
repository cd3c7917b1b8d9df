"""Proper scores, confidence and the calibration error."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from referee.metrics.belief import calibration

WIDTHS = np.full(200, 5)


def beliefs(seed: int, games: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Beliefs that are right: the target is drawn from each."""
    generator = np.random.default_rng(seed)
    rows = generator.dirichlet(np.ones(5), games)
    drawn = (rows.cumsum(axis=1) < generator.random((games, 1))).sum(axis=1)
    return rows, np.minimum(drawn, 4)


def ece(rows: np.ndarray, targets: np.ndarray) -> float:
    widths = np.full(len(rows), 5)
    confident, correct = calibration.confidence(rows.ravel(), widths, targets)
    table = calibration.binned(confident, correct, calibration.equal_bins(confident))
    return float(calibration.debiased_ece(table.sum(axis=0)))


def test_scores_are_those_of_plain_rows() -> None:
    rows, targets = beliefs(0)
    hot = np.eye(5)[targets]
    flat = rows.ravel()
    places = np.arange(200)
    assert calibration.nll(flat, WIDTHS, targets) == pytest.approx(-np.log(rows[places, targets]))
    assert calibration.brier(flat, WIDTHS, targets) == pytest.approx(
        ((rows - hot) ** 2).sum(axis=1)
    )
    assert calibration.entropy(flat, WIDTHS) == pytest.approx(stats.entropy(rows, base=2, axis=1))
    confident, correct = calibration.confidence(flat, WIDTHS, targets)
    assert confident == pytest.approx(rows.max(axis=1))
    assert correct.tolist() == (rows.argmax(axis=1) == targets).astype(float).tolist()


def test_a_target_held_impossible_costs_a_finite_surprise() -> None:
    found = calibration.nll(np.array([0.0, 1.0]), np.array([2]), np.array([0]))
    assert found[0] == pytest.approx(-np.log(calibration.FLOOR))


def test_bins_hold_about_equally_many_and_keep_equal_confidences_together() -> None:
    confident = np.random.default_rng(0).random(150)
    assert set(np.bincount(calibration.equal_bins(confident)).tolist()) == {10}
    ties = np.repeat([0.5, 1.0], [3, 97])
    assert len(set(calibration.equal_bins(ties)[3:].tolist())) == 1


def test_the_square_of_the_calibration_error_has_no_bias() -> None:
    """Of right beliefs the plain squared gap is well above zero on average; without chance it is not."""
    found, plain = [], []
    for seed in range(300):
        rows, targets = beliefs(seed)
        confident, correct = calibration.confidence(rows.ravel(), WIDTHS, targets)
        places = calibration.equal_bins(confident)
        table = calibration.binned(confident, correct, places).sum(axis=0).reshape(-1, 3)
        many, off, squares = table.T
        gap = off / many
        chance = (squares / many - gap**2) / (many - 1)
        found.append((many * (gap**2 - chance)).sum() / many.sum())
        plain.append((many * gap**2).sum() / many.sum())
    error = np.std(found) / np.sqrt(len(found))
    assert abs(np.mean(found)) < 3 * error
    assert np.mean(plain) > 20 * error


def test_a_shifted_confidence_is_found_to_its_size() -> None:
    """Who is right in every second game and claims nine of ten is off by 0.4."""
    generator = np.random.default_rng(0)
    confident = np.full(4000, 0.9)
    correct = (generator.random(4000) < 0.5).astype(float)
    table = calibration.binned(confident, correct, calibration.equal_bins(confident))
    assert float(calibration.debiased_ece(table.sum(axis=0))) == pytest.approx(0.4, abs=0.03)


def test_right_beliefs_are_less_off_than_sharpened_ones() -> None:
    rows, targets = beliefs(1, 3000)
    sharp = rows**3 / (rows**3).sum(axis=1, keepdims=True)
    assert ece(rows, targets) < 0.03
    assert ece(sharp, targets) > 0.1
