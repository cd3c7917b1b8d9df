"""The teamwork evaluation, on games of known value."""

from __future__ import annotations

import pytest

from referee.evaluations import evaluation, teamwork
from referee.games import Answer, Ask, Event, Guess, GuessWhich, Pick, Scene, Status, Transcript


def game(
    guesses: str, picks: str = "", *, name: str = "g", target: str = "a", status: Status = "success"
) -> Transcript:
    """A game over a pool of twenty pictures, a to t."""
    pool = tuple(Scene(letter) for letter in "abcdefghijklmnopqrst")
    events: list[Event] = []
    for number, pick in enumerate(picks):
        events += [Ask("q"), Answer("a")] if number else []
        events.append(Pick(pick))
    events += [Guess(guess) for guess in guesses]
    return Transcript(GuessWhich(name, pool, target), tuple(events), status)


def test_ranks_scores_and_picks_of_two_games() -> None:
    games = [game("a", "ba", name="1"), game("dcbe", "ee", name="2", target="e")]
    found = evaluation.judge(teamwork.EVALUATION, games).result.values
    assert found["mean_rank"].value == pytest.approx((1 + 4) / 2)
    assert found["mrr"].value == pytest.approx((1 + 1 / 4) / 2)
    assert found["score"].value == pytest.approx(((200 + 10) + (200 - 30 + 20)) / 2)
    assert found["pick_round_0"].value == 50.0
    assert found["pick_round_1"].value == 100.0
    assert "pick_round_2" not in found
    assert found["mean_rank"].higher_is_better is False


def test_a_game_that_ended_before_the_target_was_guessed_has_failed() -> None:
    games = [game("a"), game("cd", name="2", status="incomplete")]
    judged = evaluation.judge(teamwork.EVALUATION, games)
    found = judged.result.values["mean_rank"]
    assert (found.value, found.n, found.n_failed) == (1.0, 1, 1)
    assert any("1 games ended" in note for note in judged.result.notes)


def test_the_random_baselines_of_twenty_pictures_are_noted() -> None:
    notes = evaluation.judge(teamwork.EVALUATION, [game("a")]).result.notes
    assert any("mean_rank 10.5, mrr 0.180" in note for note in notes)
