"""VisDial: the data set's questions, the replies, and whose answers make the history."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.games import Ask, Event, Refusal, Reply, Round, Turn, VisDial
from referee.games.seeded import visdial_game
from referee.games.visdial import Rules, State, apply, current_round, start, transcript, whose_turn

GAME = visdial_game(1, rounds=2)
FIRST, SECOND = GAME.rounds
DEFAULT = Rules()


def play(*events: Event, game: VisDial = GAME, rules: Rules = DEFAULT) -> State:
    """The state after events that are all accepted."""
    state = start(game, rules)
    for event in events:
        after = apply(state, event)
        assert isinstance(after, State), after
        state = after
    return state


def test_rounds() -> None:
    """Each round is a question of the data set and a reply; the last reply ends the dialogue."""
    assert (whose_turn(play()), current_round(play())) == ("questioner", FIRST)
    asked = play(Ask(FIRST.question))
    assert (whose_turn(asked), current_round(asked)) == ("answerer", FIRST)
    state = play(Ask(FIRST.question), Reply(("a",)), Ask(SECOND.question), Reply(("b",)))
    assert (whose_turn(state), current_round(state)) == (None, None)
    assert transcript(state).status == "success"
    assert [turn.answer for turn in transcript(state).turns] == ["a", "b"]


@pytest.mark.parametrize(("history", "answer"), [("human", FIRST.answer), ("own", "purple")])
def test_history(history: str, answer: str) -> None:
    """The next round sees the human answer, or with history="own" what the answerer said."""
    rules = Rules("own") if history == "own" else Rules()
    state = play(Ask(FIRST.question), Reply(("purple",)), rules=rules)
    assert state.turns == (Turn(FIRST.question, answer),)


def test_own_history_of_scores() -> None:
    """Where only scores were given, the answerer's own answer is the option with the highest."""
    reply = Reply(scores=(0.1, 0.7, 0.2))
    state = play(Ask(FIRST.question), reply, rules=Rules("own"))
    assert state.turns[0].answer == FIRST.options[1]


def test_history_without_a_human_answer() -> None:
    """A test round without an answer takes the answerer's own into the history."""
    game = replace(GAME, rounds=(Round("what is it ?"), SECOND))
    state = play(Ask("what is it ?"), Reply(("a kite",)), game=game)
    assert state.turns == (Turn("what is it ?", "a kite"),)


def test_a_dialogue_without_rounds() -> None:
    """A dialogue without rounds is over before it begins."""
    assert whose_turn(play(game=replace(GAME, rounds=()))) is None


@pytest.mark.parametrize(
    ("events", "event", "words"),
    [
        ((), Ask("what else ?"), "this round's question is"),
        ((), Reply(("yes",)), "turn to give a question"),
        ((Ask(FIRST.question),), Reply(), "neither texts nor scores"),
        ((Ask(FIRST.question),), Reply(scores=(0.5,)), "1 scores came for 3 answer options"),
        ((Ask(FIRST.question),), Reply(scores=(0.5, float("nan"), 0.1)), "scores is not finite"),
        ((Ask(FIRST.question),), Reply(("a",), (-1.0, -2.0)), "2 log-likelihoods came for 1 texts"),
        ((Ask(FIRST.question),), Reply(("a",), (float("-inf"),)), "not finite"),
    ],
)
def test_refused(events: tuple[Event, ...], event: Event, words: str) -> None:
    """What does not fit the moment is refused in words that say why."""
    refusal = apply(play(*events), event)
    assert isinstance(refusal, Refusal)
    assert words in refusal.reason
