"""Bits gained by questions, on games of known value and against brute force."""

from __future__ import annotations

from itertools import combinations
from math import log2

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.metrics.reference_set import information, reference_sets

Rows = NDArray[np.float64]


def entropy(shares: NDArray[np.float64]) -> float:
    return float(-sum(share * log2(share) for share in shares if share > 0))


def one_game(table: Rows, target: int = 0, said: NDArray[np.int8] | None = None):  # type: ignore[no-untyped-def]
    """The information of one game with [questions, things, 3]."""
    turns, things, _ = table.shape
    counts = np.array([things]), np.array([turns]), np.array([target])
    return information(table.reshape(-1, 3), *counts, said)


def test_halving_gains_a_bit_and_asking_again_none() -> None:
    found = one_game(np.eye(3)[np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]])])
    assert found.gain.tolist() == [1, 0, 1]
    assert found.told.tolist() == [1, 0, 1]
    assert found.best.tolist() == [1, 1, 1]
    assert (found.needed[0], found.left[0]) == (2, 0)


def test_three_answers_can_gain_more_than_the_best_split() -> None:
    found = one_game(np.eye(3)[np.array([[0, 1, 2]])])
    assert found.gain[0] == pytest.approx(log2(3))
    assert found.best[0] == pytest.approx(entropy(np.array([1 / 3, 2 / 3])))


def test_an_oracle_that_guesses_tells_nothing() -> None:
    found = one_game(np.full((2, 5, 3), 1 / 3))
    assert found.gain.tolist() == pytest.approx([0, 0])
    assert found.left[0] == pytest.approx(log2(5))


def test_a_noisy_halving_gains_one_bit_less_the_noise() -> None:
    found = one_game(np.array([[[0.9, 0.1, 0], [0.9, 0.1, 0], [0.1, 0.9, 0], [0.1, 0.9, 0]]]))
    assert found.gain[0] == pytest.approx(1 - entropy(np.array([0.9, 0.1])))


def test_an_answer_that_no_thing_gives_leaves_the_belief_as_it_was() -> None:
    sure = np.eye(3)[np.array([[1, 1], [0, 1]])]
    found = one_game(sure, said=np.array([0, 0], np.int8))
    assert found.told.tolist() == [0, 1]


@pytest.mark.parametrize("things", [2, 3, 7, 12])
def test_against_brute_force(things: int) -> None:
    random = np.random.default_rng(things)
    table = random.dirichlet([1, 1, 0.2], (4, things))
    target = int(random.integers(things))
    found = one_game(table, target)
    belief = np.full(things, 1 / things)
    for turn, rows in enumerate(table):
        mixed = entropy(belief @ rows)
        within = sum(share * entropy(row) for share, row in zip(belief, rows, strict=True))
        assert found.gain[turn] == pytest.approx(mixed - within)
        splits = (
            sum(belief[list(part)])
            for size in range(things + 1)
            for part in combinations(range(things), size)
        )
        best = max(entropy(np.array([share, 1 - share])) for share in splits)
        assert found.best[turn] == pytest.approx(best)
        after = belief * rows[:, rows[target].argmax()]
        after /= after.sum()
        assert found.told[turn] == pytest.approx(entropy(belief) - entropy(after))
        belief = after
    assert found.left[0] == pytest.approx(entropy(belief))


def test_with_a_sure_oracle_what_is_left_is_the_size_of_the_reference_set() -> None:
    random = np.random.default_rng(3)
    things, turns = random.integers(2, 60, 50), random.integers(1, 6, 50)
    targets = random.integers(0, things)
    answers = random.integers(0, 2, int(things @ turns)).astype(np.int8)
    sets = reference_sets(answers, things, turns, targets)
    found = information(np.eye(3)[answers], things, turns, targets)
    last = np.cumsum(turns) - 1
    assert found.left == pytest.approx(np.log2(sets.sizes[last]))
    assert np.array_equal(found.told > 1e-9, sets.effective)
    # Beyond thirty candidates the split is found by another way, which for equal ones is exact too.
    first = last - turns + 1
    half = things // 2 / things
    assert found.best[first] == pytest.approx([entropy(np.array([x, 1 - x])) for x in half])
    assert (found.gain <= found.best + 1e-9).all()
