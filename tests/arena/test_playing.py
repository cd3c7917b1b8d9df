"""Playing: what is said depends on the games, the players and the plan, and on nothing else."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from referee.arena import Plan, play
from referee.arena.playing import seated, sweeps
from referee.errors import DataError, SeatError, UsageError
from referee.games import Ask, Belief, Believe, GuessWhat, Stop, Transcript, guesswhat
from referee.players.resolve import resolve
from referee.players.seats import Query, View

PLAN = Plan(guesswhat.Rules(max_turns=6, beliefs=True))

Seats = dict[str, str | object]


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_the_batch_makes_no_difference(games: list[GuessWhat], seats: Seats, batch: int) -> None:
    assert list(play(games, seats, PLAN, batch=batch)) == list(play(games, seats, PLAN, batch=16))


def test_the_order_of_the_games_makes_no_difference(games: list[GuessWhat], seats: Seats) -> None:
    """The same game has the same transcript wherever it stands; transcripts keep the games' order."""
    there = list(play(games, seats, PLAN, batch=9))
    back = list(play(games[::-1], seats, PLAN, batch=9))
    assert [transcript.game for transcript in there] == games
    assert there == back[::-1]


def test_another_seed_gives_other_games(games: list[GuessWhat], seats: Seats) -> None:
    one, other = (list(play(games, seats, Plan(PLAN.rules, seed))) for seed in (0, 1))
    assert sum(a.events != b.events for a, b in zip(one, other, strict=True)) > len(games) / 2


def test_what_was_played_is_what_the_rules_make_of_the_events(
    games: list[GuessWhat], seats: Seats
) -> None:
    """There is no second copy of a rule: the events, applied again, lead to the same end."""
    assert isinstance(PLAN.rules, guesswhat.Rules)
    for transcript in play(games, seats, PLAN):
        assert isinstance(transcript.game, GuessWhat)
        state = guesswhat.start(transcript.game, PLAN.rules)
        for event in transcript.events:
            following = guesswhat.apply(state, event)
            assert isinstance(following, guesswhat.State)
            state = following
        assert guesswhat.whose_turn(state) is None
        assert state.status == transcript.status


def test_beliefs_stand_after_every_answer_and_change_no_guess(
    games: list[GuessWhat], seats: Seats
) -> None:
    told = list(play(games, seats, PLAN))
    kept = list(play(games, seats, Plan(guesswhat.Rules(max_turns=6))))
    assert all(turn.belief is not None for transcript in told for turn in transcript.turns)
    assert not any(isinstance(event, Believe) for t in kept for event in t.events)
    assert [t.guess for t in told] == [t.guess for t in kept]


def test_the_transcripts_say_who_sat_where(games: list[GuessWhat], seats: Seats) -> None:
    transcript = next(play(games, seats, PLAN))
    oracle = next(sitting for sitting in transcript.seats if sitting.seat == "oracle")
    assert (oracle.player, oracle.settings) == ("scripted:noisy-oracle", {"accuracy": 0.9})
    assert {sitting.seed for sitting in transcript.seats} == {0}


class Watching:
    """Asks twice and believes in all alike, and keeps what it was shown."""

    def __init__(self, *, privileged: bool = False) -> None:
        self.privileged = privileged
        self.seen: list[View] = []

    def ask(self, views: Sequence[View]) -> list[str | None]:
        """Twice the same, then nothing."""
        self.seen += views
        return ["is it red?" if len(view.turns) < 2 else None for view in views]

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """The same for every candidate."""
        self.seen += views
        counts = [len(view.candidates) for view in views]
        return [Belief((1 / count,) * count) for count in counts]


@pytest.mark.parametrize("privileged", [False, True])
def test_only_the_privileged_see_the_target(games: list[GuessWhat], privileged: bool) -> None:
    player = Watching(privileged=privileged)
    list(
        play(games, {"questioner": player, "oracle": "scripted:perfect-oracle", "guesser": player})
    )
    targets = {game.id: game.target for game in games}
    assert {view.target for view in player.seen} == (
        set(targets.values()) if privileged else {None}
    )


def test_nobody_is_shown_the_guessers_belief(games: list[GuessWhat]) -> None:
    player = Watching()
    list(
        play(games, {"questioner": player, "oracle": "scripted:perfect-oracle", "guesser": player})
    )
    assert any(view.turns for view in player.seen)
    assert not any(turn.belief for view in player.seen for turn in view.turns)


def test_one_object_may_fill_several_seats_and_each_seat_has_its_own_luck(
    games: list[GuessWhat],
) -> None:
    player = Watching()
    list(
        play(games, {"questioner": player, "oracle": "scripted:perfect-oracle", "guesser": player})
    )
    keys = [(view.game, len(view.turns), view.key) for view in player.seen]
    # A turn's questioner and guesser differ, and no key comes twice but for them.
    assert len(set(keys)) == len(keys)


def test_a_stop_leads_to_the_guess_and_asks_the_guesser_once(games: list[GuessWhat]) -> None:
    """The guess right after a belief is made from that belief."""
    player = Watching()
    seats: Seats = {
        "questioner": player,
        "oracle": "scripted:perfect-oracle",
        "guesser": player,
    }
    transcript = next(play(games[:1], seats, PLAN))
    assert isinstance(transcript.events[-2], Stop)
    # Three looks to ask (the last of them stops), two to believe, none more to guess.
    assert len(player.seen) == 5


class Pointing(Watching):
    """Points at the first candidate in every other game."""

    def guess(self, views: Sequence[View]) -> list[str | None]:
        """The first candidate, or nothing."""
        return [view.candidates[0].id if int(view.game) % 2 else None for view in views]


def test_a_guesser_may_point_at_a_candidate_itself(games: list[GuessWhat], seats: Seats) -> None:
    """Where it does not, the likeliest of what it believes is taken."""
    transcripts = list(play(games, {**seats, "guesser": Pointing()}, PLAN))
    first = [t.guess == games[i].scene.things[0].id for i, t in enumerate(transcripts)]
    assert all(first[1::2])
    assert sum(first[::2]) < len(first[::2]) / 2


def test_pointing_at_nothing_is_refused(games: list[GuessWhat], seats: Seats) -> None:
    class Lost(Watching):
        def guess(self, views: Sequence[View]) -> list[str]:
            return ["nowhere"] * len(views)

    with pytest.raises(SeatError, match=r"Lost .guesser., game .*'nowhere' is not in the scene"):
        list(play(games, {**seats, "guesser": Lost()}, PLAN))


class Later:
    """An async oracle and questioner; both seats live on one event loop."""

    def __init__(self) -> None:
        self.loops: set[object] = set()

    async def ask(self, views: Sequence[View]) -> Any:
        """What people ask, later."""
        await asyncio.sleep(0)
        self.loops.add(asyncio.get_running_loop())
        return resolve("scripted:people").who.ask(views)

    async def answer(self, queries: Sequence[Query]) -> Any:
        """What the noisy oracle says, at once."""
        self.loops.add(asyncio.get_running_loop())
        return resolve("scripted:noisy-oracle").who.answer(queries)


def test_an_async_player_plays_like_the_other(games: list[GuessWhat], seats: Seats) -> None:
    later = Later()
    waited = list(play(games, {**seats, "questioner": later, "oracle": later}, PLAN))
    assert [t.events for t in waited] == [t.events for t in play(games, seats, PLAN)]
    assert len(later.loops) == 1
    assert not any(thread.name == "referee-arena" for thread in threading.enumerate())


def test_an_async_player_plays_where_a_loop_runs_already(
    games: list[GuessWhat], seats: Seats
) -> None:
    async def in_a_notebook() -> list[Transcript]:
        return list(play(games[:3], {**seats, "questioner": Later()}, PLAN))

    assert len(asyncio.run(in_a_notebook())) == 3


def test_games_are_read_when_there_is_room_for_them(games: list[GuessWhat], seats: Seats) -> None:
    """Memory does not grow with the number of games: at most a batch is under way."""
    read = []

    def source() -> Iterator[GuessWhat]:
        for game in games:
            read.append(game.id)
            yield game

    under_way = 0
    over = 0
    for finished in sweeps(source(), seated(seats, PLAN), PLAN, batch=8):
        over += len(finished)
        under_way = max(under_way, len(read) - over)
    assert over == len(games)
    # Those that are over wait for an earlier one: each lasts at most seven sweeps.
    assert under_way <= 8 * 7


def test_two_games_of_one_id_are_refused(games: list[GuessWhat], seats: Seats) -> None:
    with pytest.raises(DataError, match=f"a game {games[0].id} before"):
        list(play([*games[:3], games[0]], seats, PLAN))


def test_a_long_question_is_cut(games: list[GuessWhat], seats: Seats) -> None:
    plan = Plan(guesswhat.Rules(max_turns=3), longest_question=2)
    asked = [e for t in play(games, seats, plan) for e in t.events if isinstance(e, Ask)]
    assert {len(event.text.split()) for event in asked} == {2}


def test_equal_candidates_are_chosen_by_lot(games: list[GuessWhat], seats: Seats) -> None:
    """Who believes in all alike guesses any place alike, not the first."""
    places = [
        [thing.id for thing in transcript.game.scene.things].index(str(transcript.guess))
        for transcript in play(games, {**seats, "guesser": "scripted:random-guesser"}, PLAN)
        if isinstance(transcript.game, GuessWhat)
    ]
    middle = [(len(game.scene.things) - 1) / 2 for game in games]
    assert abs(np.mean(places) - np.mean(middle)) < 0.7
    assert len(set(places)) > 6


def test_the_seats_of_the_game_must_be_filled_and_no_others(seats: Seats) -> None:
    with pytest.raises(UsageError, match="no oracle and no guesser"):
        seated({"questioner": "scripted:people"}, PLAN)
    with pytest.raises(UsageError, match="no seat 'answerer'"):
        seated({**seats, "answerer": "scripted:scene-graph"}, PLAN)


def test_a_batch_holds_a_game(games: list[GuessWhat], seats: Seats) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        list(play(games, seats, PLAN, batch=0))
