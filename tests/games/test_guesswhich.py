"""GuessWhich: picks, guesses until the target is hit, and the score."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.errors import DataError
from referee.games import (
    Answer,
    Ask,
    Belief,
    Believe,
    Event,
    Guess,
    Pick,
    Refusal,
    Stop,
)
from referee.games.guesswhich import Rules, State, apply, score, start, transcript, whose_turn
from referee.games.seeded import guesswhich_game

GAME = guesswhich_game(1, pictures=5)
OTHERS = [scene.id for scene in GAME.pool if scene.id != GAME.target]
ROUND = (Ask("do you see a dog ?"), Answer("no"))
DEFAULT = Rules()


def play(*events: Event, rules: Rules = DEFAULT) -> State:
    """The state after events that are all accepted."""
    state = start(GAME, rules)
    for event in events:
        after = apply(state, event)
        assert isinstance(after, State), after
        state = after
    return state


def reason(state: State, event: Event) -> str:
    """Why the event is refused."""
    refusal = apply(state, event)
    assert isinstance(refusal, Refusal)
    return refusal.reason


def test_ten_picks_and_nine_questions() -> None:
    """A pick follows the caption and each of nine answers; then the guesses begin."""
    state = play(Pick(OTHERS[0]), *(*ROUND, Pick(OTHERS[0])) * 9)
    done = transcript(state)
    assert (len(done.picks), len(done.turns)) == (10, 9)
    assert (state.due, whose_turn(state), done.status) == ("guess", "guesser", "incomplete")


def test_seats_take_turns() -> None:
    """The guesser picks, the questioner asks, the answerer answers."""
    assert whose_turn(play()) == "guesser"
    assert whose_turn(play(Pick(OTHERS[0]))) == "questioner"
    assert whose_turn(play(Pick(OTHERS[0]), ROUND[0])) == "answerer"
    assert whose_turn(play(Pick(OTHERS[0]), *ROUND)) == "guesser"


def test_beliefs_come_before_picks() -> None:
    """With beliefs the guesser speaks before each of its picks."""
    rules = Rules(1, beliefs=True)
    belief = Believe(Belief((0.2,) * 5))
    assert "turn to give a belief" in reason(play(rules=rules), Pick(OTHERS[0]))
    assert "2 probabilities" in reason(play(rules=rules), Believe(Belief((0.5, 0.5))))
    state = play(belief, Pick(OTHERS[0]), *ROUND, belief, Pick(OTHERS[0]), rules=rules)
    assert state.due == "guess"
    assert transcript(state).turns[0].belief == belief.belief


def test_guesses_go_on_until_the_target() -> None:
    """Wrong guesses leave the game open; the target ends it."""
    state = play(Pick(OTHERS[0]), *map(Guess, OTHERS), rules=Rules(0))
    assert transcript(state).status == "incomplete"
    state = play(Pick(OTHERS[0]), *map(Guess, OTHERS), Guess(GAME.target), rules=Rules(0))
    assert transcript(state).status == "success"
    assert "the game is over" in reason(state, Guess(OTHERS[0]))


def test_a_guess_cannot_be_repeated() -> None:
    """A picture is guessed once."""
    state = play(Pick(OTHERS[0]), Guess(OTHERS[0]), rules=Rules(0))
    assert reason(state, Guess(OTHERS[0])) == f"the picture {OTHERS[0]!r} was guessed before"


@pytest.mark.parametrize(
    ("events", "event", "words"),
    [
        ((), Pick("nowhere"), "not in the pool"),
        ((), Guess(GAME.target), "turn to give a pick"),
        ((Pick(OTHERS[0]),), Ask(""), "the question is empty"),
        ((Pick(OTHERS[0]),), Stop(), "turn to give a question"),
        ((Pick(OTHERS[0]), ROUND[0]), Answer("no", (1.0, 0.0, 0.0)), "has no probabilities"),
    ],
)
def test_refused(events: tuple[Event, ...], event: Event, words: str) -> None:
    """What does not fit the moment is refused in words that say why."""
    assert words in reason(play(*events), event)


@given(
    picks=st.lists(st.sampled_from([GAME.target, *OTHERS]), min_size=4, max_size=4),
    guesses=st.permutations([GAME.target, *OTHERS]),
)
def test_score(picks: list[str], guesses: list[str]) -> None:
    """200 points, less 10 for each wrong guess, and 10 more for each correct pick."""
    tried = guesses[: guesses.index(GAME.target) + 1]
    first, *later = map(Pick, picks)
    rounds = [event for pick in later for event in (*ROUND, pick)]
    done = transcript(play(first, *rounds, *map(Guess, tried), rules=Rules(3)))
    assert score(done) == 200 - 10 * (len(tried) - 1) + 10 * picks.count(GAME.target)


def test_the_best_score_is_300() -> None:
    """All ten picks and the first guess right give 300 points."""
    right = Pick(GAME.target)
    done = transcript(play(right, *(*ROUND, right) * 9, Guess(GAME.target)))
    assert score(done) == 300


def test_pools_that_cannot_be_played() -> None:
    """A pool without the target, or with a picture twice, is refused at the start."""
    with pytest.raises(DataError, match="not among the candidates"):
        start(replace(GAME, target="elsewhere"))
    with pytest.raises(DataError, match="in the pool twice"):
        start(replace(GAME, pool=(*GAME.pool, GAME.pool[0])))
