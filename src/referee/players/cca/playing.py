"""A ranker, and a writer where there is one, as a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.players.cca.candidates import Candidates
from referee.players.decoding import decode as parsed
from referee.players.naming import Settings
from referee.players.seats import Look, Said

Floats = NDArray[np.floating]


class Ranker(Protocol):
    """Scores the options of some looks."""

    def scores(self, looks: Sequence[Look]) -> list[Floats]:
        """One array a look; higher is better."""


class Writer(Protocol):
    """Finds what could be said."""

    def candidates(self, looks: Sequence[Look]) -> list[Candidates]:
        """The candidates of each look."""


class Ranks:
    """A player that scores options."""

    def __init__(self, ranker: Ranker, settings: Settings, version: str) -> None:
        self.settings = settings
        self.version = version
        self._ranker = ranker

    def score(self, looks: Sequence[Look]) -> list[Floats]:
        """A score for each option; higher is better."""
        return self._ranker.scores(looks)


class RanksAndWrites(Ranks):
    """A player that also writes."""

    def __init__(
        self, ranker: Ranker, settings: Settings, version: str, writer: Writer, habit: str
    ) -> None:
        super().__init__(ranker, settings, version)
        self._writer = writer
        self._habit = habit

    def answer(self, looks: Sequence[Look], n: int = 1, decode: str = "") -> list[list[Said]]:
        """Up to n answers to each question, chosen among candidates (see `candidates`)."""
        how = parsed(decode or self._habit)
        found = self._writer.candidates(looks)
        return [each.say(n, how, look.key) for each, look in zip(found, looks, strict=True)]
