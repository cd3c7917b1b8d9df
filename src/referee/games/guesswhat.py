"""The rules of GuessWhat?!: questions with three answers about one scene, then one guess at a thing.

    question ─▶ answer ─▶ (belief) ─▶ question … ─▶ guess ─▶ over
    (ask)       (oracle)   (guesser)                (guesser)

The questioner asks until it stops or has asked `max_turns` questions. With `beliefs` the guesser
says after every answer what it thinks of each candidate. The game is won if the guess is the target.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from referee.errors import DataError
from referee.games.model import (
    ANSWERS,
    Answer,
    Ask,
    Believe,
    Event,
    Guess,
    GuessWhat,
    Status,
    Stop,
    Transcript,
)
from referee.games.refusal import (
    Refusal,
    out_of_turn,
    wrong_belief,
    wrong_distribution,
    wrong_text,
)


class Rules(Struct, frozen=True):
    """How many questions may be asked (None: as many as wanted), and whether beliefs are told."""

    max_turns: int | None = 8
    beliefs: bool = False


class State(Struct, frozen=True):
    """A game on its way: what happened, and what is due now ("question", "answer", "belief", "guess")."""

    game: GuessWhat
    rules: Rules
    events: tuple[Event, ...]
    due: str
    asked: int = 0
    status: Status = "incomplete"


_DEFAULT = Rules()
_SEATS = {"question": "questioner", "answer": "oracle", "belief": "guesser", "guess": "guesser"}


def start(game: GuessWhat, rules: Rules = _DEFAULT) -> State:
    """The game before its first event; a game without its target among the candidates is refused."""
    if not any(thing.id == game.target for thing in game.scene.things):
        raise DataError(
            "the target is not among the candidates",
            record=game.id,
            field="target",
            expected="the id of one of the scene's things",
        )
    return State(game, rules, (), _after_answer(0, rules))


def whose_turn(state: State) -> str | None:
    """The seat that must act, or None when the game is over."""
    return _SEATS.get(state.due)


def apply(state: State, event: Event) -> State | Refusal:
    """The game after an event, or why the event is not accepted."""
    step = _STEPS.get((state.due, type(event)))
    if step is None:
        return out_of_turn(state.due, whose_turn(state), event)
    return step(state, event)


def transcript(state: State) -> Transcript:
    """The game as it was played so far."""
    return Transcript(state.game, state.events, state.status)


def _after_answer(asked: int, rules: Rules) -> str:
    return "guess" if rules.max_turns is not None and asked >= rules.max_turns else "question"


def _next(state: State, event: Event, due: str) -> State:
    return State(state.game, state.rules, (*state.events, event), due, state.asked)


def _ask(state: State, event: Ask) -> State | Refusal:
    wrong = wrong_text(event.text)
    if wrong is not None:
        return Refusal(wrong)
    return State(state.game, state.rules, (*state.events, event), "answer", state.asked + 1)


def _stop(state: State, event: Stop) -> State:
    return _next(state, event, "guess")


def _answer(state: State, event: Answer) -> State | Refusal:
    if event.text not in ANSWERS:
        return Refusal(f"the oracle answers {', '.join(ANSWERS)}, not {event.text!r}")
    if event.probabilities is not None:
        wrong = wrong_distribution(event.probabilities, len(ANSWERS))
        if wrong is not None:
            return Refusal(wrong)
    rules = state.rules
    return _next(state, event, "belief" if rules.beliefs else _after_answer(state.asked, rules))


def _believe(state: State, event: Believe) -> State | Refusal:
    wrong = wrong_belief(event.belief, len(state.game.scene.things))
    if wrong is not None:
        return Refusal(wrong)
    return _next(state, event, _after_answer(state.asked, state.rules))


def _guess(state: State, event: Guess) -> State | Refusal:
    game = state.game
    if not any(thing.id == event.candidate for thing in game.scene.things):
        return Refusal(f"the candidate {event.candidate!r} is not in the scene")
    status: Status = "success" if event.candidate == game.target else "failure"
    return State(game, state.rules, (*state.events, event), "", state.asked, status)


_STEPS: dict[tuple[str, type], Callable[[State, Any], State | Refusal]] = {
    ("question", Ask): _ask,
    ("question", Stop): _stop,
    ("answer", Answer): _answer,
    ("belief", Believe): _believe,
    ("guess", Guess): _guess,
}
