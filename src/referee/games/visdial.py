"""The rules of VisDial: the data set asks its questions one by one, and an answerer replies.

    question ─▶ reply ─▶ question ─▶ reply … ─▶ over

A reply holds generated texts, a score for each answer option, or both. Nobody wins: a dialogue that
came to its end has the status "success". The history that the answerer sees in the next round is the
human answer to each earlier question, or with `history="own"` what it said itself.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from referee.games.model import Ask, Event, Reply, Round, Status, Transcript, Turn, VisDial
from referee.games.refusal import Refusal, out_of_turn, wrong_numbers


class Rules(Struct, frozen=True):
    """Whose answers the history holds."""

    history: Literal["human", "own"] = "human"


class State(Struct, frozen=True):
    """A dialogue on its way: what happened, the answered turns, and what is due now."""

    game: VisDial
    rules: Rules
    events: tuple[Event, ...]
    due: str
    turns: tuple[Turn, ...] = ()
    """The history: the earlier questions with the human answers or the answerer's own."""
    status: Status = "incomplete"


_DEFAULT = Rules()
_SEATS = {"question": "questioner", "reply": "answerer"}


def start(game: VisDial, rules: Rules = _DEFAULT) -> State:
    """The dialogue before its first question."""
    if game.rounds:
        return State(game, rules, (), "question")
    return State(game, rules, (), "", (), "success")


def whose_turn(state: State) -> str | None:
    """The seat that must act, or None when the dialogue is over."""
    return _SEATS.get(state.due)


def current_round(state: State) -> Round | None:
    """The round whose question or reply is due, or None when the dialogue is over."""
    return state.game.rounds[len(state.turns)] if state.due else None


def apply(state: State, event: Event) -> State | Refusal:
    """The dialogue after an event, or why the event is not accepted."""
    due = state.due
    if due == "question" and isinstance(event, Ask):
        asked = state.game.rounds[len(state.turns)].question
        if event.text != asked:
            return Refusal(f"this round's question is {asked!r}, not {event.text!r}")
        return State(state.game, state.rules, (*state.events, event), "reply", state.turns)
    if due == "reply" and isinstance(event, Reply):
        return _reply(state, event)
    return out_of_turn(due, _SEATS.get(due), event)


def transcript(state: State) -> Transcript:
    """The dialogue as it went so far."""
    return Transcript(state.game, state.events, state.status)


def _reply(state: State, event: Reply) -> State | Refusal:
    game, rules = state.game, state.rules
    asked = game.rounds[len(state.turns)]
    wrong = _wrong_reply(event, len(asked.options))
    if wrong is not None:
        return Refusal(wrong)
    own = rules.history == "own" or asked.answer is None
    turns = (*state.turns, Turn(asked.question, _own(asked, event) if own else asked.answer or ""))
    events = (*state.events, event)
    if len(turns) < len(game.rounds):
        return State(game, rules, events, "question", turns)
    return State(game, rules, events, "", turns, "success")


def _wrong_reply(event: Reply, options: int) -> str | None:
    texts, scores = event.texts, event.scores
    if not isinstance(texts, tuple) or not all(isinstance(text, str) for text in texts):
        return "the generated answers are a tuple of texts"
    wrong = wrong_numbers(scores, "scores") or wrong_numbers(
        event.log_likelihoods, "log-likelihoods"
    )
    if wrong is not None:
        return wrong
    if not texts and not scores:
        return "the reply holds neither texts nor scores"
    if scores and len(scores) != options:
        return f"{len(scores)} scores came for {options} answer options"
    if event.log_likelihoods and len(event.log_likelihoods) != len(texts):
        return f"{len(event.log_likelihoods)} log-likelihoods came for {len(texts)} texts"
    return None


def _own(asked: Round, event: Reply) -> str:
    if event.texts:
        return event.texts[0]
    return asked.options[event.scores.index(max(event.scores))]
