"""What holds in every game, whatever is tried."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games import (
    ANSWERS,
    Answer,
    Ask,
    Belief,
    Believe,
    Event,
    Guess,
    GuessWhat,
    GuessWhich,
    Pick,
    Refusal,
    Reply,
    Stop,
    guesswhat,
    guesswhich,
    visdial,
)
from referee.games.seeded import guesswhat_game, guesswhich_game, visdial_game

GAMES = [
    (guesswhat, guesswhat_game(7), guesswhat.Rules(3)),
    (guesswhat, guesswhat_game(8), guesswhat.Rules(None, beliefs=True)),
    (guesswhat, guesswhat_game(9), guesswhat.Rules(0)),
    (guesswhich, guesswhich_game(7), guesswhich.Rules(2)),
    (guesswhich, guesswhich_game(8), guesswhich.Rules(1, beliefs=True)),
    (guesswhich, guesswhich_game(9), guesswhich.Rules(0)),
    (visdial, visdial_game(7), visdial.Rules()),
    (visdial, visdial_game(8), visdial.Rules("own")),
    (visdial, visdial_game(9, rounds=0), visdial.Rules()),
]
each_game = pytest.mark.parametrize(("reducer", "game", "rules"), GAMES)

junk: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.integers(), st.floats(), st.text(max_size=3), st.lists(st.integers(), max_size=2)
)
numbers: st.SearchStrategy[Any] = st.one_of(
    junk, st.lists(st.one_of(st.floats(), junk), max_size=7).map(tuple)
)
anything: st.SearchStrategy[Any] = st.one_of(
    junk,
    st.builds(Ask, junk),
    st.builds(Stop),
    st.builds(Answer, st.one_of(junk, st.sampled_from(ANSWERS)), numbers),
    st.builds(Reply, st.one_of(junk, st.lists(junk, max_size=2).map(tuple)), numbers, numbers),
    st.builds(Believe, st.one_of(junk, st.builds(Belief, numbers))),
    st.builds(Pick, junk),
    st.builds(Guess, junk),
)


def legal(state: Any) -> st.SearchStrategy[Event]:
    """An event that is due, and well formed."""
    game = state.game
    if state.due == "question":
        if isinstance(game, GuessWhat):
            return st.sampled_from([Ask("is it red ?"), Stop()])
        return st.just(
            Ask(
                "where ?"
                if isinstance(game, GuessWhich)
                else game.rounds[len(state.turns)].question
            )
        )
    if state.due == "reply":
        scores = st.tuples(*[st.floats(-9, 9)] * len(game.rounds[len(state.turns)].options))
        return st.builds(Reply, st.just(("yes",)), st.just((-1.0,)), scores)
    names = [candidate.id for candidate in game.candidates]
    uniform = Believe(Belief((1 / len(names),) * len(names)))
    fresh = [name for name in names if name not in getattr(state, "guessed", ())]
    due: dict[str, st.SearchStrategy[Event]] = {
        "answer": st.sampled_from(ANSWERS).map(Answer),
        "belief": st.just(uniform),
        "pick": st.sampled_from(names).map(Pick),
        "guess": st.sampled_from(fresh).map(Guess),
    }
    return due[state.due]


@each_game
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_sequence(reducer: Any, game: Any, rules: Any, data: st.DataObject) -> None:
    """Whatever is tried, nothing is raised, a refusal changes nothing, and the events replay."""
    state = reducer.start(game, rules)
    for slip in data.draw(st.lists(st.booleans(), max_size=30)):
        over = reducer.whose_turn(state) is None
        event = data.draw(anything if slip or over else legal(state))
        before = deepcopy(state)
        after = reducer.apply(state, event)
        assert state == before
        if isinstance(after, Refusal):
            assert slip or over
            assert after.reason
        else:
            assert not over
            assert after.events == (*state.events, event)
            state = after
    again = reducer.start(game, rules)
    for event in reducer.transcript(state).events:
        again = reducer.apply(again, event)
    assert again == state


@each_game
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_whole_games(reducer: Any, game: Any, rules: Any, data: st.DataObject) -> None:
    """A game ends, its status says how, and then it accepts nothing more."""
    state = reducer.start(game, rules)
    while reducer.whose_turn(state) is not None:
        assert reducer.transcript(state).status == "incomplete"
        event = data.draw(legal(state))
        if (
            rules == guesswhat.Rules(None, beliefs=True)
            and state.asked > 5
            and state.due == "question"
        ):
            event = Stop()
        state = reducer.apply(state, event)
    transcript = reducer.transcript(state)
    won = reducer is visdial or transcript.guess == game.target
    assert transcript.status == ("success" if won else "failure")
    assert isinstance(reducer.apply(state, data.draw(anything)), Refusal)


@each_game
def test_every_seat_is_named(reducer: Any, game: Any, rules: Any) -> None:
    """The seat whose turn it is can be read from any state."""
    seat = reducer.whose_turn(reducer.start(game, rules))
    assert seat in {"questioner", "guesser", None}
