"""The LXMERT guesser in its seat; `state()` is the vector of dialogue and regions that weighs the candidates.

Its settings are those of the other guessers; `features` names the regions (`lxmert_regions`).
"""

from __future__ import annotations

from referee.players.naming import Settings
from referee.players.neural.checkpoint import Checkpoint
from referee.players.neural.guesser_player import Given, NeuralGuesser
from referee.players.neural.lxmert import LxmertConfig, LxmertGuesser
from referee.players.neural.lxmert_regions import corner_regions
from referee.players.neural.pieces import WordPieces
from referee.players.neural.settings import convert

KIND = "lxmert"


def build(name: str, found: Checkpoint, settings: Settings) -> NeuralGuesser:
    """The player of a checkpoint of kind "lxmert"."""
    given = convert(name, settings, Given)
    model = load(found)
    images = corner_regions(given.features, model.config.region, name)
    words = WordPieces(found.description.words)
    return NeuralGuesser(model, words, given, images, found.version)


def load(found: Checkpoint) -> LxmertGuesser:
    """The guesser of a checkpoint."""
    config = found.require(KIND).config(LxmertConfig)
    return found.fill(LxmertGuesser(config, WordPieces(found.description.words)))
