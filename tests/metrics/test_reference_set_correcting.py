"""Noise-corrected estimates: without bias at planted error rates, and exact where there are none."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.metrics.reference_set import (
    confusion,
    corrected,
    extrapolated,
    means_by_game,
    reference_sets,
)

Answers = NDArray[np.int8]
GAMES = 20_000


def world() -> tuple[Answers, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Games of three to six things and up to four questions, some of which rule out nothing."""
    random = np.random.default_rng(0)
    things, turns = random.integers(3, 7, GAMES), random.integers(1, 5, GAMES)
    share = np.repeat(
        random.choice([0.0, 0.2, 0.5, 1.0], int(turns.sum())), np.repeat(things, turns)
    )
    answers = (random.random(len(share)) < share).astype(np.int8)
    answers[random.random(len(answers)) < 0.01] = 2
    return answers, things, turns, random.integers(0, things)


def erring(answers: Answers, errors: NDArray[np.float64], seed: int) -> Answers:
    luck = np.random.default_rng(seed).random(len(answers))
    said: Answers = (
        (luck[:, None] >= np.cumsum(errors, axis=1)[answers, :2]).sum(axis=1).astype(np.int8)
    )
    return said


def test_a_perfect_oracle_needs_no_correction() -> None:
    answers, things, turns, targets = world()
    games = things, turns, targets
    sets = reference_sets(answers, *games)
    found = corrected(answers, *games, confusion(1.0))
    assert np.array_equal(found.effective, sets.effective)
    assert np.array_equal(found.referring, sets.referring)
    assert np.array_equal(found.in_context, sets.in_context)


@pytest.mark.parametrize("accuracy", [0.98, 0.95, 0.9])
@pytest.mark.parametrize("known", [False, True])
def test_planted_errors_are_corrected_within_three_standard_errors(
    accuracy: float, known: bool
) -> None:
    answers, things, turns, targets = world()
    games = things, turns, targets
    truth = reference_sets(answers, *games)
    starts = np.cumsum(np.repeat(things, turns)) - np.repeat(things, turns)
    own = starts + np.repeat(targets, turns)
    errors = confusion(accuracy)
    heard = erring(answers, errors, 1)
    right = answers[own] if known else None
    if known:
        heard[own] = answers[own]
    naive = reference_sets(heard, *games, right)
    found = corrected(heard, *games, errors, right)
    for name in ("effective", "referring", "in_context"):
        per_game = means_by_game(getattr(found, name), turns)
        expected = means_by_game(getattr(truth, name), turns)
        spread = (per_game - expected).std() / np.sqrt(GAMES)
        assert abs((per_game - expected).mean()) < 3 * spread + 1e-12, name
    # What it corrects is far more than the doubt that is left.
    raw = naive.effective.mean() - truth.effective.mean()
    assert abs(raw) > 5 * abs(found.effective.mean() - truth.effective.mean())


def test_extrapolation_takes_most_of_the_bias_of_any_measure() -> None:
    answers, things, turns, targets = world()
    games = things, turns, targets
    errors = confusion(0.95)

    def sizes(said: Answers) -> NDArray[np.float64]:
        return np.log2(np.maximum(reference_sets(said, *games).sizes, 1))

    truth = sizes(answers).mean()
    heard = erring(answers, errors, 2)
    naive = sizes(heard).mean()
    found = extrapolated(sizes, heard, errors, seed=3)
    assert abs(found.mean() - truth) < 0.1 * abs(naive - truth)
    assert np.array_equal(found, extrapolated(sizes, heard, errors, seed=3))


def test_turns_beyond_the_twelfth_are_left_out() -> None:
    answers = np.ones(15 * 3, np.int8)
    found = corrected(answers, np.array([3]), np.array([15]), np.array([0]), confusion(0.99))
    assert np.isnan(found.effective).tolist() == [False] * 12 + [True] * 3
    assert np.isfinite(found.referring).all()


@pytest.mark.parametrize(
    "errors",
    [
        np.full((3, 3), 1 / 3),
        np.eye(2),
        np.eye(3) * 2,
        np.array([[2, -1, 0], [0, 1, 0], [0, 0, 1]]),
    ],
)
def test_errors_that_tell_nothing_apart_are_refused(errors: NDArray[np.float64]) -> None:
    one = np.array([1])
    with pytest.raises(UsageError, match="3 x 3 shares"):
        corrected(np.zeros(1, np.int8), one, one, one * 0, errors)
