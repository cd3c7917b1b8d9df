"""Two runs on the same games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from referee.errors import UsageError
from referee.evaluations import evaluation, questions
from referee.evaluations.comparison import Comparison, compare
from referee.evaluations.measures import Intervals
from referee.evaluations.result import Judged
from referee.games import Transcript
from referee.metrics.statistics import holm

Play = Callable[..., Transcript]
Judge = Callable[[list[Transcript]], Judged]

ANSWERS = {"divides": "yn", "does not": "yy"}


@pytest.fixture
def judge(known: Any) -> Judge:
    def judge(transcripts: list[Transcript]) -> Judged:
        options = questions.Options(oracle=known(ANSWERS))
        return evaluation.judge(questions.EVALUATION, transcripts, options)

    return judge


def compared(first: Judged, second: Judged) -> Comparison:
    return compare(questions.EVALUATION, first, second)


@pytest.fixture
def runs(play: Play, judge: Judge) -> tuple[Judged, Judged]:
    """A wins games 0 to 14 of 20, B 0 to 9; A divides in games 0 to 11, B never; a game a picture."""

    def run(won: int, divides: int) -> Judged:
        return judge(
            [
                play(
                    ["divides" if number < divides else "does not", "does not"],
                    2,
                    game=str(number),
                    image=str(number),
                    status="success" if number < won else "failure",
                )
                for number in range(20)
            ]
        )

    return run(15, 12), run(10, 0)


def test_values_differences_and_tests_of_two_known_runs(runs: tuple[Judged, Judged]) -> None:
    found = compared(*runs).differences
    success, effective = found["task_success"], found["effectiveness"]
    assert (success.value_a, success.value_b, success.difference) == (75.0, 50.0, 25.0)
    assert success.test == "McNemar"
    assert success.p_test == pytest.approx(stats.binomtest(0, 5).pvalue)
    assert success.p_permutation == pytest.approx(2 / 2**5)
    assert effective.difference == pytest.approx(30.0)
    assert (effective.n, effective.n_clusters) == (20, 20)
    assert effective.test == "Wilcoxon signed-rank"
    assert effective.effect == 1.0
    for one in (success, effective):
        assert one.ci_low is not None
        assert one.ci_high is not None
        assert one.ci_low < one.difference < one.ci_high


def test_the_holm_adjustment_is_over_all_values_compared(runs: tuple[Judged, Judged]) -> None:
    found = compared(*runs).differences
    adjusted = holm([one.p_permutation for one in found.values()])
    assert [one.p_holm for one in found.values()] == adjusted


def test_the_order_of_the_games_does_not_matter(runs: tuple[Judged, Judged]) -> None:
    first, second = runs
    turned = Judged(second.result, second.games[::-1], second.turns[::-1])
    assert compared(first, turned).differences == compared(first, second).differences


def test_exchanging_the_runs_turns_the_difference_round(runs: tuple[Judged, Judged]) -> None:
    forth, back = compared(*runs).differences, compared(*runs[::-1]).differences
    for name, one in forth.items():
        assert back[name].difference == pytest.approx(-one.difference)
        assert back[name].p_test == pytest.approx(one.p_test)


def test_values_over_successful_games_are_paired_where_both_succeeded(
    runs: tuple[Judged, Judged],
) -> None:
    found = compared(*runs).differences["effectiveness_success"]
    assert found.n == 10
    assert found.value_a == pytest.approx(50.0)


def test_a_run_and_itself_do_not_differ(runs: tuple[Judged, Judged]) -> None:
    for one in compared(runs[0], runs[0]).differences.values():
        assert (one.difference, one.p_permutation, one.p_holm, one.p_test) == (0.0, 1.0, 1.0, 1.0)


def test_other_games_are_refused(play: Play, judge: Judge) -> None:
    first, second = (judge([play(["divides"], 2, game=game)]) for game in "12")
    with pytest.raises(UsageError, match="cannot be paired: 1 only in A"):
        compared(first, second)


def test_the_same_game_with_another_target_is_refused(play: Play, judge: Judge) -> None:
    first, second = (judge([play(["divides"], 2, target=target)]) for target in ("100", "101"))
    with pytest.raises(UsageError, match="cannot be paired"):
        compared(first, second)


def test_runs_judged_in_different_ways_are_refused(play: Play, known: Any) -> None:
    game = [play(["divides"], 2)]
    first, second = (
        evaluation.judge(
            questions.EVALUATION, game, questions.Options(oracle=known(ANSWERS), truncate=truncate)
        )
        for truncate in (None, 1)
    )
    with pytest.raises(UsageError, match=r"different ways: truncate \(None and 1\)"):
        compared(first, second)


def test_the_permutation_flips_whole_pictures(play: Play, judge: Judge) -> None:
    """Twenty games of two pictures are two things that can flip: p cannot fall below one half.

    By game they are twenty.
    """

    def run(status: str) -> Judged:
        games = [
            play(["does not"], 2, game=str(number), image=str(number % 2), status=status)
            for number in range(20)
        ]
        return judge(games)

    found = compared(run("success"), run("failure")).differences["task_success"]
    assert found.p_permutation == pytest.approx(0.5)
    assert found.p_test < 0.001
    assert np.isclose(found.difference, 100.0)
    by_game = compare(
        questions.EVALUATION, run("success"), run("failure"), Intervals(resamples=100, by="game")
    )
    assert by_game.differences["task_success"].p_permutation < 0.001
    assert by_game.options["by"] == "game"
    assert "whole games" in by_game.notes[1]
