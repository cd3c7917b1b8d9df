"""The data model, the rules of each game as pure reducers, and the one renderer of candidates."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from referee.games.model import (
    ANSWERS,
    Answer,
    Ask,
    Belief,
    Believe,
    Box,
    Candidate,
    Cost,
    Event,
    Forms,
    Game,
    Guess,
    GuessWhat,
    GuessWhich,
    Pick,
    Reply,
    Round,
    Scene,
    Sitting,
    Status,
    Stop,
    Thing,
    Transcript,
    Turn,
    VisDial,
)
from referee.games.refusal import Refusal

if TYPE_CHECKING:
    from referee.games.rendering import render, render_pool

__all__ = [
    "ANSWERS",
    "Answer",
    "Ask",
    "Belief",
    "Believe",
    "Box",
    "Candidate",
    "Cost",
    "Event",
    "Forms",
    "Game",
    "Guess",
    "GuessWhat",
    "GuessWhich",
    "Pick",
    "Refusal",
    "Reply",
    "Round",
    "Scene",
    "Sitting",
    "Status",
    "Stop",
    "Thing",
    "Transcript",
    "Turn",
    "VisDial",
    "render",
    "render_pool",
]


def __getattr__(name: str) -> Any:
    """The renderer, loaded when it is first asked for: it brings Pillow with it."""
    if name in {"render", "render_pool"}:
        return getattr(import_module("referee.games.rendering"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
