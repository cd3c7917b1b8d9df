"""One game on its way, as the arena holds it."""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct

from referee.arena.seated import Spent
from referee.games import Belief, Event, Transcript, Turn


class State(Protocol):
    """What the arena reads of the state that the rules of any game keep."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened so far."""

    @property
    def due(self) -> str:
        """What must happen now; empty when the game is over."""


class Table:
    """A game's state, its key, and what the players have said that the rules need not remember."""

    __slots__ = ("belief", "game", "key", "question", "spent", "state", "target", "turns")

    def __init__(self, game: Any, key: int, state: State) -> None:
        self.game = game
        self.key = key
        self.state = state
        self.turns: tuple[Turn, ...] = ()
        """The answered questions, without beliefs: those are the guesser's own business."""
        self.question = ""
        self.belief: Belief | None = None
        """What the guesser believes after the last answer, once it was asked."""
        self.target = 0
        self.spent: list[Spent | None] = []


class Played(Struct, frozen=True):
    """A transcript, and what each of its events took (None where no player was called)."""

    transcript: Transcript
    spent: tuple[Spent | None, ...]
