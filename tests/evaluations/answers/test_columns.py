"""From the scores of single answers to mu, sigma, gamma and the bounds of a round."""

from __future__ import annotations

import numpy as np
import pytest

from referee.datasets.densevisdial import ReferenceSet
from referee.evaluations.answers.columns import Layout, of_generations, of_members
from referee.evaluations.answers.rounds import Answered

TWO = ReferenceSet("1", 0, (1, 1), ("yes", "yes it is"), "q", "yes")
ONE = ReferenceSet("2", 0, (1,), ("no",), "q", "no")


@pytest.fixture
def layout() -> Layout:
    """Round 1 has three generations, one of them empty; round 2 has none; round 3 has one."""
    return Layout(
        [Answered("1", TWO, ("a", " ", "b")), Answered("2", ONE), Answered("3", ONE, ("c",))], 3
    )


FLAT = np.array([0.2, 0.9, 0.6, 1.0, 0.8, 0.1, 0.4])
"""Three generations and A_gt 1.0; A_gt .8; one generation and A_gt .4."""


def test_the_hypotheses_are_the_generations_and_the_human_answer(layout: Layout) -> None:
    assert layout.hypotheses == [["a", " ", "b", "yes"], ["no"], ["c", "no"]]
    assert layout.human(FLAT).tolist() == [1.0, 0.8, 0.4]


def test_an_empty_generation_is_left_out_of_everything(layout: Layout) -> None:
    scores = layout.generations(FLAT)
    found = dict(of_generations("m", scores, layout.given, (1, 3), higher=True))
    assert found["m"][0] == pytest.approx(0.2)
    assert found["m_k3"][0] == pytest.approx(0.4)
    assert found["m_k3_sigma_within"][0] == pytest.approx(0.2)
    assert found["m_k3_gamma"][0] == pytest.approx(0.6)


def test_the_best_distance_is_the_least(layout: Layout) -> None:
    scores = layout.generations(FLAT)
    found = dict(of_generations("m", scores, layout.given, (3,), higher=False))
    assert found["m_k3_gamma"][0] == pytest.approx(0.2)


def test_fewer_than_k_generations_give_no_value(layout: Layout) -> None:
    found = dict(of_generations("m", layout.generations(FLAT), layout.given, (1, 3), higher=True))
    assert np.isnan(found["m"]).tolist() == [False, True, False]
    assert np.isnan(found["m_k3"]).tolist() == [False, True, True]


@pytest.mark.parametrize(("higher", "best"), [(True, [0.7, 0.3, 0.25]), (False, [0.5, 0.3, 0.25])])
def test_the_bounds_are_over_the_members(layout: Layout, higher: bool, best: list[float]) -> None:
    flat = np.array([0.5, 0.7, 0.3, 0.25])
    found = dict(of_members("m", flat, layout.references, higher=higher))
    assert found["m_bound_mu"].tolist() == pytest.approx([0.6, 0.3, 0.25])
    assert found["m_bound_gamma"].tolist() == best
