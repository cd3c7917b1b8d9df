"""Players without a model: they know the scene's truth, or draw lots."""

from __future__ import annotations

import importlib

from referee.errors import MissingPlayer
from referee.players.naming import configured

PLAYERS = {
    "perfect-oracle": "oracles:PerfectOracle",
    "noisy-oracle": "oracles:NoisyOracle",
    "people": "people:People",
    "human-questions": "people:HumanQuestions",
    "random-guesser": "guessers:RandomGuesser",
    "bayes-guesser": "guessers:BayesGuesser",
    "flawed-guesser": "flawed:FlawedGuesser",
    "selective-guesser": "selective:SelectiveGuesser",
    "perfect-guesser": "guessers:PerfectGuesser",
    "listener": "listener:Listener",
    "scene-graph": "answerers:SceneGraph",
}
"""What can stand after `scripted:`, and where it is."""


def build(text: str, name: str, written: dict[str, str]) -> object:
    """The scripted player of a name with its settings, each checked against its type and bounds."""
    if name not in PLAYERS:
        raise MissingPlayer(f"{text}: no scripted player '{name}' (there are {', '.join(PLAYERS)})")
    module, _, attribute = PLAYERS[name].partition(":")
    factory = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
    return configured(text, factory, written)
