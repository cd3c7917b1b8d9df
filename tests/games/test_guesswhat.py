"""GuessWhat?!: who may say what, and when a game is won."""

from __future__ import annotations

import pytest
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
    Scene,
    Stop,
    Turn,
)
from referee.games.guesswhat import Rules, State, apply, start, transcript, whose_turn
from referee.games.seeded import guesswhat_game

GAME = guesswhat_game(1, things=4)
OTHER = next(thing.id for thing in GAME.scene.things if thing.id != GAME.target)
BELIEF = Belief((0.25, 0.25, 0.25, 0.25))
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


def test_seats_take_turns() -> None:
    """Question, answer, question; after a stop the guesser guesses and the game is over."""
    assert whose_turn(play()) == "questioner"
    assert whose_turn(play(Ask("is it red ?"))) == "oracle"
    assert whose_turn(play(Ask("is it red ?"), Answer("No"))) == "questioner"
    assert whose_turn(play(Stop())) == "guesser"
    assert whose_turn(play(Stop(), Guess(OTHER))) is None


def test_beliefs_are_due_after_answers() -> None:
    """With beliefs the guesser speaks after every answer, and the turn holds what it said."""
    rules = Rules(1, beliefs=True)
    answered = play(Ask("is it red ?"), Answer("N/A"), rules=rules)
    assert whose_turn(answered) == "guesser"
    assert "a guess came" in reason(answered, Guess(OTHER))
    state = play(Ask("is it red ?"), Answer("N/A"), Believe(BELIEF), rules=rules)
    assert transcript(state).turns == (Turn("is it red ?", "N/A", BELIEF),)


def test_the_last_question() -> None:
    """After the last question the guess is due without a stop."""
    state = play(Ask("is it red ?"), Answer("Yes"), rules=Rules(1))
    assert state.due == "guess"
    assert "it is the guesser's turn to give a guess" in reason(state, Ask("and green ?"))


def test_questions_without_end() -> None:
    """Without a limit any number of questions may be asked."""
    asked = (Ask("is it red ?"), Answer("No")) * 40
    assert whose_turn(play(*asked, rules=Rules(None))) == "questioner"


@pytest.mark.parametrize("guess", [GAME.target, OTHER])
def test_won_by_the_target_only(guess: str) -> None:
    """A game is won if and only if the guess is the target."""
    done = transcript(play(Stop(), Guess(guess)))
    assert done.status == ("success" if guess == GAME.target else "failure")
    assert done.guess == guess


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Ask(" \t"), "empty"),
        (Answer("Yes"), "it is the questioner's turn to give a question"),
        (Pick(OTHER), "a pick came"),
        (Guess(GAME.target), "a guess came"),
    ],
)
def test_no_question(event: Event, words: str) -> None:
    """Where a question is due, nothing else is accepted."""
    assert words in reason(play(), event)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Answer("yes"), "Yes, No, N/A, not 'yes'"),
        (Answer("Yes", (0.5, 0.2, 0.2)), "sum to 0.9"),
        (Answer("Yes", (float("nan"), 0.5, 0.5)), "sum to nan"),
        (Answer("Yes", (1.5, -0.5, 0.0)), "negative (-0.5)"),
        (Ask("is it red ?"), "it is the oracle's turn to give an answer"),
    ],
)
def test_no_answer(event: Event, words: str) -> None:
    """An answer is one of three words, and its probabilities are a distribution."""
    assert words in reason(play(Ask("is it red ?")), event)


@pytest.mark.parametrize(
    ("probabilities", "words"),
    [
        ((0.5, 0.5), "2 probabilities came where 4 were due"),
        ((0.5, 0.5, 0.5, 0.5), "sum to 2"),
        ((0.25, 0.25, 0.25, 0.248), "sum to 0.998"),
        ((float("nan"), 0.5, 0.25, 0.25), "sum to nan"),
        ((float("inf"), float("-inf"), 0.5, 0.5), "sum to nan"),
        ((2.0, -1.0, 0.0, 0.0), "negative (-1.0)"),
        (("1", 0.0, 0.0, 0.0), "not a number"),
    ],
)
def test_no_belief(probabilities: tuple[float, ...], words: str) -> None:
    """A belief is a distribution over exactly the candidates."""
    state = play(Ask("is it red ?"), Answer("No"), rules=Rules(beliefs=True))
    assert words in reason(state, Believe(Belief(probabilities)))


def test_a_belief_may_be_rounded() -> None:
    """A sum within a thousandth of one is a distribution."""
    state = play(Ask("is it red ?"), Answer("No"), rules=Rules(beliefs=True))
    assert isinstance(apply(state, Believe(Belief((0.2505, 0.25, 0.25, 0.25)))), State)


def test_unknown_candidate() -> None:
    """Only a thing of the scene can be guessed."""
    assert reason(play(Stop()), Guess("nowhere")) == "the candidate 'nowhere' is not in the scene"


@pytest.mark.parametrize(
    "scene", [Scene("empty"), replace(GAME.scene, things=GAME.scene.things[:1])]
)
def test_no_target(scene: Scene) -> None:
    """A game whose target is not among its candidates cannot be started."""
    game = replace(GAME, scene=scene, target="elsewhere")
    with pytest.raises(DataError, match="not among the candidates"):
        start(game)
