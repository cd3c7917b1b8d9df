"""GuessWhat?! games in both releases, CompGuessWhat?!'s and the zero-shot scenes: read and written."""

from referee.datasets.guesswhat.checking import FORMATS
from referee.datasets.guesswhat.reading import games, read
from referee.datasets.guesswhat.writing import write

__all__ = ["FORMATS", "games", "read", "write"]
