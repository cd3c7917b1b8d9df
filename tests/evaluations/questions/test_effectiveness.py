"""The questions evaluation, on games of known value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import UsageError
from referee.evaluations import evaluation, questions
from referee.evaluations.measures import Intervals
from referee.games import Scene, Sitting, Transcript, VisDial

Play = Callable[..., Transcript]


def values(transcripts: list[Transcript], **options: Any) -> dict[str, float | None]:
    judged = evaluation.judge(questions.EVALUATION, transcripts, questions.Options(**options))
    return {name: value.value for name, value in judged.result.values.items()}


def test_figure_1_is_eighty_percent_effective_and_its_last_question_refers(
    play: Play, figure_1: dict[str, str], known: Any
) -> None:
    judged = evaluation.judge(
        questions.EVALUATION, [play(list(figure_1))], questions.Options(oracle=known(figure_1))
    )
    found = judged.result.values
    assert found["effectiveness"].value == pytest.approx(80.0)
    assert found["last_effective"].value == 0.0
    assert found["last_referring"].value == 100.0
    assert [row["distractors"] for row in judged.turns] == [6, 5, 3, 0, 0]
    assert judged.turns[2]["reference_set"] == ["100", "104", "105", "106"]
    assert judged.turns[4]["reference_set"] == ["100"]
    assert [row["referring"] for row in judged.turns] == [False, False, False, False, True]
    assert [row["oracle_answer"] for row in judged.turns] == ["Yes", "No", "No", "Yes", "Yes"]


def test_the_comparison_is_with_the_oracles_answer_not_the_dialogues(
    play: Play, known: Any
) -> None:
    """The dialogue says yes throughout; the oracle says no about the target, so the others stay."""
    judged = evaluation.judge(
        questions.EVALUATION, [play(["q"], 3)], questions.Options(oracle=known({"q": "nny"}))
    )
    assert judged.turns[0]["reference_set"] == ["100", "101"]
    assert judged.turns[0]["answer"] == "Yes"
    assert judged.turns[0]["oracle_answer"] == "No"


def test_effectiveness_is_the_mean_over_dialogues_not_over_questions(
    play: Play, known: Any
) -> None:
    oracle = known({"a": "yn", "b": "yy"})
    found = values([play(["a"], 2), play(["b", "b", "b"], 2, game="2")], oracle=oracle)
    assert found["effectiveness"] == pytest.approx(50.0)


def test_success_and_failure_are_told_apart_and_incomplete_is_in_neither(
    play: Play, known: Any
) -> None:
    oracle = known({"a": "yn", "b": "yy"})
    games = [
        play(["a"], 2, game="1"),
        play(["b"], 2, game="2", status="failure"),
        play(["a"], 2, game="3", status="incomplete"),
    ]
    judged = evaluation.judge(questions.EVALUATION, games, questions.Options(oracle=oracle))
    found = judged.result.values
    assert found["task_success"].value == pytest.approx(100 / 3)
    assert found["effectiveness_success"].value == 100.0
    assert found["effectiveness_failure"].value == 0.0
    assert found["effectiveness"].n == 3
    assert any("1 incomplete" in note for note in judged.result.notes)


def test_a_repeated_image_and_target_counts_once_in_task_success_unique(play: Play) -> None:
    games = [
        play(["a"], 2, game="1"),
        play(["a"], 2, game="2"),
        play(["a"], 2, game="3", target="101", status="failure"),
    ]
    found = values(games)
    assert found["task_success"] == pytest.approx(200 / 3)
    assert found["task_success_unique"] == pytest.approx(50.0)


def test_task_success_is_split_by_whether_the_last_question_refers(play: Play, known: Any) -> None:
    oracle = known({"refers": "yn", "does not": "yy"})
    games = [
        play(["refers"], 2, game="1"),
        play(["does not"], 2, game="2", status="failure"),
        play(["does not"], 2, game="3"),
    ]
    found = values(games, oracle=oracle)
    assert found["task_success_last_referring"] == 100.0
    assert found["task_success_last_not_referring"] == 50.0


def test_each_distinct_question_is_asked_once_about_each_thing(play: Play, known: Any) -> None:
    oracle = known({"a": "yn", "b": "yy"})
    values([play(["a", "b", "a"], 2, game="1"), play(["a"], 2, game="2")], oracle=oracle)
    assert sorted(oracle.asked) == [("10", "a", 0), ("10", "a", 1), ("10", "b", 0), ("10", "b", 1)]


def test_an_async_oracle_is_awaited(play: Play, figure_1: dict[str, str], async_known: Any) -> None:
    found = values([play(list(figure_1))], oracle=async_known(figure_1))
    assert found["effectiveness"] == pytest.approx(80.0)


def test_truncation_judges_the_first_turns_and_keeps_the_success(
    play: Play, figure_1: dict[str, str], known: Any
) -> None:
    games = [play(list(figure_1), status="failure")]
    judged = evaluation.judge(
        questions.EVALUATION, games, questions.Options(oracle=known(figure_1), truncate=4)
    )
    found = judged.result.values
    assert found["effectiveness"].value == 100.0
    assert found["n_questions"].value == 4.0
    assert found["task_success"].value == 0.0
    assert any("first 4 turns" in note for note in judged.result.notes)
    with pytest.raises(UsageError, match="at least 1"):
        values(games, truncate=0)


def test_without_an_oracle_only_what_needs_none_is_told(play: Play) -> None:
    judged = evaluation.judge(questions.EVALUATION, [play(["a"], 2)])
    found = judged.result.values
    assert found["task_success"].value == 100.0
    assert found["effectiveness"].value is None
    assert (found["effectiveness"].n, found["effectiveness"].n_failed) == (0, 0)
    assert any("no oracle is known" in note for note in judged.result.notes)


def test_the_oracle_that_played_is_asked_where_none_is_named(play: Play) -> None:
    class_path = f"{__file__}:Yes"
    seats = (Sitting("oracle", class_path),)
    judged = evaluation.judge(questions.EVALUATION, [play(["a"], 2, seats=seats)])
    assert judged.result.options["oracle"] == class_path
    assert judged.result.values["effectiveness"].value == 0.0


class Yes:
    """An oracle that says yes to everything, found by the path of this file."""

    def answer(self, queries: list[Any]) -> list[list[float]]:
        """Yes."""
        return [[1.0, 0.0, 0.0] for _ in queries]


def test_a_game_that_cannot_be_judged_has_failed_and_is_noted(play: Play, known: Any) -> None:
    """No question, a single known thing, or a target that is not in the scene."""
    games = [
        play(["a"], 2, game="1"),
        play([], 2, game="2"),
        play(["a"], 1, game="3"),
        play(["a"], 2, game="4", target="elsewhere"),
    ]
    judged = evaluation.judge(
        questions.EVALUATION, games, questions.Options(oracle=known({"a": "yn"}))
    )
    found = judged.result.values["effectiveness"]
    assert (found.value, found.n, found.n_failed) == (100.0, 1, 3)
    assert judged.result.values["task_success"].n == 4
    silent, unknown = judged.result.notes
    assert silent == "1 game without a question: not judged (n_failed)"
    assert unknown.startswith(
        "2 games with fewer than two known things or another target: not judged"
    )
    assert unknown.endswith("--games names one that does")


def test_a_game_of_another_kind_is_refused() -> None:
    game = VisDial("7", Scene("7"), "a cow", ())
    with pytest.raises(UsageError, match=r"GuessWhat\?!; game 7 is one of VisDial"):
        evaluation.judge(questions.EVALUATION, [Transcript(game)])


def test_the_result_depends_neither_on_order_nor_on_who_sat_there(
    play: Play, figure_1: dict[str, str], known: Any
) -> None:
    games = [
        play(list(figure_1)[:length], game=str(length), image=str(length)) for length in (1, 3, 5)
    ]
    intervals = Intervals(resamples=50)
    options = questions.Options(oracle=known(figure_1))
    first, second = (
        evaluation.judge(questions.EVALUATION, order, options, intervals).result
        for order in (games, games[::-1])
    )
    assert first.values == second.values
    seated = [play(list(figure_1)[:1], game="1", image="1", seats=(Sitting("guesser", "x"),))]
    again = evaluation.judge(questions.EVALUATION, seated, options, intervals).result
    alone = evaluation.judge(questions.EVALUATION, games[:1], options, intervals).result
    assert again.options["data"] == alone.options["data"] != first.options["data"]


def test_no_games_give_values_that_are_undefined() -> None:
    judged = evaluation.judge(questions.EVALUATION, [])
    assert {value.value for value in judged.result.values.values()} == {None}
