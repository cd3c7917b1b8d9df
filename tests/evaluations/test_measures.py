"""Values from rows."""

from __future__ import annotations

import statistics

import pytest

from referee.errors import UsageError
from referee.evaluations.measures import Intervals, Measure, intervals, summarise
from referee.evaluations.result import Row

ROWS: list[Row] = [
    {"image": "a", "share": 1.0, "right": True, "kind": "x"},
    {"image": "a", "share": 0.5, "right": False, "kind": "x"},
    {"image": "b", "share": None, "right": True, "kind": "x"},
    {"image": "c", "share": 0.0, "right": True, "kind": "y"},
    {"image": "c"},
]
INTERVALS = Intervals(resamples=200)


def test_a_percentage_is_a_hundred_times_the_mean_of_the_rows_that_have_it() -> None:
    found = summarise(Measure("m", "share", unit="%"), ROWS, INTERVALS, 0)
    assert found.value == pytest.approx(50.0)
    assert found.std == pytest.approx(100 * statistics.stdev([1.0, 0.5, 0.0]))
    assert (found.n, found.n_clusters) == (3, 2)


def test_none_has_failed_and_an_absent_column_does_not_count() -> None:
    found = summarise(Measure("m", "share"), ROWS, INTERVALS, 0)
    assert (found.n, found.n_failed) == (3, 1)


def test_skipped_games_have_failed_but_only_for_values_over_games() -> None:
    assert summarise(Measure("m", "share"), ROWS, INTERVALS, 2).n_failed == 3
    assert summarise(Measure("m", "share", table="turns"), ROWS, INTERVALS, 2).n_failed == 1


def test_only_the_rows_that_hold_the_condition_count() -> None:
    found = summarise(Measure("m", "right", where=("kind", "x")), ROWS, INTERVALS, 0)
    assert found.value == pytest.approx(2 / 3)
    assert found.n == 3


def test_the_interval_draws_whole_pictures() -> None:
    """Many rows of one picture tell no more than one: with two pictures each draw is a mix of both."""
    rows: list[Row] = [{"image": str(i % 2), "right": i % 2} for i in range(1000)]
    found = summarise(Measure("m", "right"), rows, INTERVALS, 0)
    assert (found.ci_low, found.ci_high) == (0.0, 1.0)


def test_by_game_each_game_tells_as_much_as_another() -> None:
    """A thousand games by game are sure to a few points, though they are about two pictures."""
    rows: list[Row] = [{"game": str(i), "image": str(i % 2), "right": i % 2} for i in range(1000)]
    found = summarise(Measure("m", "right"), rows, Intervals(resamples=200, by="game"), 0)
    assert found.ci_low == pytest.approx(0.47, abs=0.015)
    assert found.n_clusters == 1000


def test_intervals_are_set_by_a_text_that_names_what_it_sets() -> None:
    assert intervals("") == Intervals()
    assert intervals("level=0.9, resamples=50, method=bca, by=game, seed=3") == Intervals(
        0.9, 50, "bca", "game", 3
    )


@pytest.mark.parametrize("text", ["level=2", "method=best", "by=turn", "bca", "seed=-1", "of=3"])
def test_intervals_that_make_no_sense_are_refused_with_what_there_is(text: str) -> None:
    with pytest.raises(UsageError, match="level, resamples, method, by, seed"):
        intervals(text)


def test_one_picture_has_no_interval() -> None:
    found = summarise(Measure("m", "right"), ROWS[:2], INTERVALS, 0)
    assert (found.value, found.ci_low, found.ci_high) == (0.5, None, None)


def test_the_median_has_an_interval_that_holds_it() -> None:
    rows: list[Row] = [{"image": str(i), "rank": i} for i in range(1, 100)]
    found = summarise(Measure("m", "rank", statistic="median"), rows, INTERVALS, 0)
    assert found.value == 50.0
    assert found.ci_low is not None
    assert found.ci_high is not None
    assert found.ci_low < 50.0 < found.ci_high


def test_no_rows_give_an_undefined_value_with_its_unit() -> None:
    found = summarise(Measure("m", "share", unit="%", higher_is_better=True), [], INTERVALS, 0)
    assert (found.value, found.n, found.n_clusters) == (None, 0, 0)
    assert (found.unit, found.higher_is_better) == ("%", True)
