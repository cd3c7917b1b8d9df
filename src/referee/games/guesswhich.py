"""The rules of GuessWhich: find the picture that a caption and nine answers describe, in a pool.

    caption ─▶ (belief) ─▶ pick ─▶ question ─▶ answer ─▶ (belief) ─▶ pick … ─▶ guess ─▶ guess … ─▶ over

A pick is made after the caption and after each of `rounds` answers, and nothing is told about it.
Then different pictures are guessed until the target is hit:

    score = 200 - 10 · wrong guesses + 10 · correct picks
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from referee.errors import DataError
from referee.games.model import (
    Answer,
    Ask,
    Believe,
    Event,
    Guess,
    GuessWhich,
    Pick,
    Status,
    Transcript,
)
from referee.games.refusal import Refusal, out_of_turn, wrong_belief, wrong_text

START_SCORE = 200
WRONG_GUESS = -10
CORRECT_PICK = 10


class Rules(Struct, frozen=True):
    """How many questions are asked, and whether a belief over the pool is told before each pick."""

    rounds: int = 9
    beliefs: bool = False


class State(Struct, frozen=True):
    """A game on its way: what happened, and what is due now ("belief", "pick", "question" …)."""

    game: GuessWhich
    rules: Rules
    pool: frozenset[str]
    events: tuple[Event, ...]
    due: str
    asked: int = 0
    guessed: tuple[str, ...] = ()
    status: Status = "incomplete"


_DEFAULT = Rules()
_SEATS = {
    "question": "questioner",
    "answer": "answerer",
    "belief": "guesser",
    "pick": "guesser",
    "guess": "guesser",
}


def start(game: GuessWhich, rules: Rules = _DEFAULT) -> State:
    """The game after its caption; a pool with a picture twice or without the target is refused."""
    pool = frozenset(scene.id for scene in game.pool)
    if len(pool) != len(game.pool):
        raise DataError(
            "a picture is in the pool twice",
            record=game.id,
            field="pool",
            expected="different pictures",
        )
    if game.target not in pool:
        raise DataError(
            "the target is not among the candidates",
            record=game.id,
            field="target",
            expected="the id of one of the pool's pictures",
        )
    return State(game, rules, pool, (), "belief" if rules.beliefs else "pick")


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


def score(transcript: Transcript) -> int:
    """The points: 200 - 10 per wrong guess + 10 per correct pick (of an unfinished game: so far)."""
    target = transcript.game.target if isinstance(transcript.game, GuessWhich) else None
    wrong = sum(guess != target for guess in transcript.guesses)
    correct = sum(pick == target for pick in transcript.picks)
    return START_SCORE + WRONG_GUESS * wrong + CORRECT_PICK * correct


def _next(state: State, event: Event, due: str, asked: int = 0) -> State:
    events = (*state.events, event)
    return State(state.game, state.rules, state.pool, events, due, state.asked + asked)


def _unknown(state: State, candidate: object) -> str | None:
    if isinstance(candidate, str) and candidate in state.pool:
        return None
    return f"the picture {candidate!r} is not in the pool"


def _ask(state: State, event: Ask) -> State | Refusal:
    wrong = wrong_text(event.text)
    return Refusal(wrong) if wrong is not None else _next(state, event, "answer", 1)


def _answer(state: State, event: Answer) -> State | Refusal:
    if not isinstance(event.text, str):
        return Refusal(f"an answer is a text, not {type(event.text).__name__}")
    if event.probabilities is not None:
        return Refusal("an answer in GuessWhich is free text and has no probabilities")
    return _next(state, event, "belief" if state.rules.beliefs else "pick")


def _believe(state: State, event: Believe) -> State | Refusal:
    wrong = wrong_belief(event.belief, len(state.pool))
    return Refusal(wrong) if wrong is not None else _next(state, event, "pick")


def _pick(state: State, event: Pick) -> State | Refusal:
    wrong = _unknown(state, event.candidate)
    if wrong is not None:
        return Refusal(wrong)
    return _next(state, event, "question" if state.asked < state.rules.rounds else "guess")


def _guess(state: State, event: Guess) -> State | Refusal:
    candidate = event.candidate
    wrong = _unknown(state, candidate)
    if wrong is not None:
        return Refusal(wrong)
    if candidate in state.guessed:
        return Refusal(f"the picture {candidate!r} was guessed before")
    hit = candidate == state.game.target
    return State(
        state.game,
        state.rules,
        state.pool,
        (*state.events, event),
        "" if hit else "guess",
        state.asked,
        (*state.guessed, candidate),
        "success" if hit else "incomplete",
    )


_STEPS: dict[tuple[str, type], Callable[[State, Any], State | Refusal]] = {
    ("question", Ask): _ask,
    ("answer", Answer): _answer,
    ("belief", Believe): _believe,
    ("pick", Pick): _pick,
    ("guess", Guess): _guess,
}
