"""GuessWhich in the arena: a pick in every round, then guesses until the target is hit."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.arena import Plan, play
from referee.errors import SeatError
from referee.games import Answer, Believe, GuessWhich, Transcript
from referee.games.guesswhich import Rules, score
from referee.players.seats import Look, Said, View

PLAN = Plan(Rules(rounds=3, beliefs=True))


class Curious:
    """Asks after kinds of things, one a round, and keeps what it was shown."""

    QUESTIONS = ("is there a dog", "how many people are there", "is there any food")

    def __init__(self) -> None:
        self.seen: list[View] = []

    def ask(self, views: Sequence[View]) -> list[str | None]:
        """The question of this round."""
        self.seen += views
        return [self.QUESTIONS[len(view.turns)] for view in views]


def played(pools: list[GuessWhich], guesser: str, plan: Plan = PLAN) -> list[Transcript]:
    seats = {
        "questioner": Curious(),
        "answerer": "scripted:scene-graph",
        "guesser": guesser,
    }
    return list(play(pools, seats, plan))


def test_who_knows_the_target_has_every_point(pools: list[GuessWhich]) -> None:
    for transcript in played(pools, "scripted:perfect-guesser"):
        assert score(transcript) == 200 + 10 * 4
        assert len(transcript.guesses) == 1


def test_a_pick_follows_the_caption_and_every_answer(pools: list[GuessWhich]) -> None:
    for transcript in played(pools, "scripted:listener"):
        assert len(transcript.picks) == 4
        assert sum(isinstance(event, Believe) for event in transcript.events) == 4
        assert sum(isinstance(event, Answer) for event in transcript.events) == 3
        assert transcript.status == "success"


def test_without_beliefs_the_picks_and_guesses_are_the_same(pools: list[GuessWhich]) -> None:
    told = played(pools, "scripted:listener")
    kept = played(pools, "scripted:listener", Plan(Rules(rounds=3)))
    assert [(t.picks, t.guesses) for t in told] == [(t.picks, t.guesses) for t in kept]
    assert not any(isinstance(event, Believe) for t in kept for event in t.events)


def test_guesses_follow_the_belief_and_never_repeat(pools: list[GuessWhich]) -> None:
    for transcript in played(pools, "scripted:listener"):
        assert isinstance(transcript.game, GuessWhich)
        belief = next(e for e in reversed(transcript.events) if isinstance(e, Believe)).belief
        places = [scene.id for scene in transcript.game.pool]
        chances = [belief.probabilities[places.index(guess)] for guess in transcript.guesses]
        assert chances == sorted(chances, reverse=True)
        assert len(set(transcript.guesses)) == len(transcript.guesses)


def test_the_place_in_the_pool_tells_nothing(pools: list[GuessWhich]) -> None:
    """The published pools have their target last: who believes in all alike finds it by luck only."""
    lengths = [
        len(transcript.guesses)
        for seed in range(10)
        for transcript in played(pools, "scripted:random-guesser", Plan(Rules(1), seed))
    ]
    assert abs(sum(lengths) / len(lengths) - 5.5) < 1


def test_the_questioner_sees_the_pool_and_not_the_target(pools: list[GuessWhich]) -> None:
    curious = Curious()
    seats = {
        "questioner": curious,
        "answerer": "scripted:scene-graph",
        "guesser": "scripted:random-guesser",
    }
    list(play(pools, seats, PLAN))
    assert {len(view.pool) for view in curious.seen} == {10}
    assert {(view.scene, view.target) for view in curious.seen} == {(None, None)}


def test_the_answerer_sees_the_target(pools: list[GuessWhich]) -> None:
    seen: list[Look] = []

    class Watching:
        def answer(self, looks: Sequence[Look], n: int = 1) -> list[list[Said]]:
            seen.extend(looks)
            return [[Said("yes")][:n]] * len(looks)

    seats = {
        "questioner": Curious(),
        "answerer": Watching(),
        "guesser": "scripted:random-guesser",
    }
    list(play(pools, seats, PLAN))
    assert {look.scene.id for look in seen} == {game.target for game in pools}


def test_who_stops_early_is_refused(pools: list[GuessWhich]) -> None:
    class Tired:
        def ask(self, views: Sequence[View]) -> list[None]:
            return [None] * len(views)

    seats = {
        "questioner": Tired(),
        "answerer": "scripted:scene-graph",
        "guesser": "scripted:random-guesser",
    }
    with pytest.raises(SeatError, match="wants to stop, but in GuessWhich 3 questions are asked"):
        list(play(pools, seats, PLAN))


def test_who_cannot_write_cannot_answer(pools: list[GuessWhich]) -> None:
    class Ranker:
        def score(self, looks: Sequence[Look]) -> list[list[float]]:
            return [[0.0]] * len(looks)

    seats = {
        "questioner": Curious(),
        "answerer": Ranker(),
        "guesser": "scripted:random-guesser",
    }
    with pytest.raises(SeatError, match=r"Ranker cannot be the answerer: it has no answer\(\)"):
        list(play(pools, seats, PLAN))
