"""With `truncate` and `reguess` a guesser guesses again after the turns that are judged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.arena import Plan, play
from referee.datasets import guesswhat
from referee.errors import UsageError
from referee.evaluations import evaluation, questions
from referee.evaluations.result import Judged
from referee.games import Belief, GuessWhat, Sitting, Transcript
from referee.games.guesswhat import Rules
from referee.players import resolve
from referee.players.seats import View

Play = Callable[..., Transcript]
BAYES = "scripted:bayes-guesser"


class Counting:
    """A guesser that is sure of the thing whose place is the number of turns."""

    def believe(self, views: list[View]) -> list[Belief]:
        """All on that thing."""
        found = []
        for view in views:
            things = len(view.candidates)
            found.append(Belief(tuple(np.eye(things)[len(view.turns)].tolist())))
        return found


def judged(transcripts: list[Transcript], **options: Any) -> Judged:
    return evaluation.judge(questions.EVALUATION, transcripts, questions.Options(**options))


def test_the_guess_is_that_after_the_judged_turns(play: Play, known: Any) -> None:
    """After two turns it points at the third thing, which is the target of the second game only."""
    games = [play(["q"] * 4, 5), play(["q"] * 4, 5, game="2", image="20", target="202")]
    oracle = known({"q": "ynnnn"})
    whole = judged(games, oracle=oracle, truncate=2)
    again = judged(games, oracle=oracle, truncate=2, reguess=True, guesser=Counting())
    assert [row["guess"] for row in again.games] == ["102", "202"]
    assert [row["status"] for row in again.games] == ["failure", "success"]
    assert whole.result.values["task_success"].value == 100
    assert again.result.values["task_success"].value == 50
    for name in ("effectiveness", "last_effective", "n_questions"):
        assert whole.result.values[name].value == again.result.values[name].value
    for status, row in (("success", 1), ("failure", 0)):
        of_status = again.result.values[f"effectiveness_{status}"].value
        assert of_status == pytest.approx(100 * float(str(again.games[row]["effectiveness"])))
    assert again.result.notes == (
        "Counting guesses after 2 turns; task success is that of these guesses",
    )
    assert again.result.options["guesser"] == "Counting"


def test_the_oracle_is_still_compared_with_those_who_won_the_whole_game(
    play: Play, known: Any
) -> None:
    games = [play(["q"] * 4, 5)]
    found = judged(
        games, oracle=known({"q": "ynnnn"}), truncate=2, reguess=True, guesser=Counting()
    )
    assert found.result.values["task_success"].value == 0
    assert found.result.values["oracle_accuracy"].value == 100


def test_after_as_many_turns_as_were_played_the_guess_is_what_it_was(world: Path) -> None:
    """By the same player and the same luck; after fewer turns it is right less often."""
    games = list(guesswhat.games(world / "guesswhat.valid.jsonl.gz"))[:150]
    seats = {
        "questioner": resolve.resolve("scripted:people"),
        "oracle": resolve.resolve("scripted:perfect-oracle"),
        "guesser": resolve.resolve(BAYES),
    }
    run = list(play(games, seats, Plan(Rules(max_turns=5), seed=0)))
    whole, early = (judged(run, truncate=n, reguess=True) for n in (5, 1))
    assert [row["guess"] for row in whole.games] == [transcript.guess for transcript in run]
    assert whole.result.options["guesser"] == BAYES
    first, last = (each.result.values["task_success"].value for each in (early, whole))
    assert first is not None
    assert last is not None
    assert first < last - 20


def test_a_game_of_unknown_things_keeps_its_guess(play: Play) -> None:
    lost = play(["q"], 1, status="failure")
    found = judged([lost, play(["q"], 2, game="2")], truncate=1, reguess=True, guesser=Counting())
    assert [row["status"] for row in found.games] == ["failure", "failure"]
    assert "1 game of unknown things keeps the guess of the whole game" in found.result.notes


def test_without_a_guesser_nobody_can_guess_again(play: Play) -> None:
    """Else the success of whole games would pass for that of a few turns."""
    with pytest.raises(UsageError, match=r"no guesser is known.*--guesser"):
        judged([play(["q"], 2)], truncate=1, reguess=True)
    gone = [play(["q"], 2, seats=(Sitting("guesser", "scripted:gone"),))]
    with pytest.raises(UsageError, match=r"the guesser that played cannot be asked again"):
        judged(gone, truncate=1, reguess=True)
    two = [
        play(["q"], 2, game=str(n), seats=(Sitting("guesser", f"scripted:{n}"),)) for n in (1, 2)
    ]
    with pytest.raises(UsageError, match="the games had 2 guessers"):
        judged(two, truncate=1, reguess=True)
    assert isinstance(two[0].game, GuessWhat)
