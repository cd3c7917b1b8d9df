"""Players without a model: they know the scene's truth, or draw lots."""

from __future__ import annotations

import importlib

import msgspec

from referee.errors import MissingPlayer, UsageError

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


def configured(text: str, factory: type, written: dict[str, str]) -> object:
    """A player from settings as they were written."""
    known = [field.name for field in msgspec.structs.fields(factory)]
    unknown = [setting for setting in written if setting not in known]
    if unknown:
        offers = f"its settings are {', '.join(known)}" if known else "it has no settings"
        raise UsageError(f"{text}: there is no setting '{unknown[0]}' ({offers})")
    try:
        built: object = msgspec.convert(written, factory, strict=False)
    except msgspec.ValidationError as error:
        message, _, place = (
            str(error).replace("Object missing required field", "it needs").partition(" - at ")
        )
        where = place.strip("`").removeprefix("$.")
        raise UsageError(f"{text}: {where + ': ' if where else ''}{message}") from None
    return built
