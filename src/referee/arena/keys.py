"""Which key a seat draws its randomness from: (seed, game), then the turn, then the seat.

A turn's number is how many answers were given before it. Whoever asks an oracle about a game that was
played (an evaluation, say) makes the same keys here and so meets the same luck.
"""

from __future__ import annotations

from referee.randomness import key, mix

SEATS = ("questioner", "oracle", "guesser", "answerer")
"""The order in which seats are mixed into a key; a new seat goes to the end."""

_PLACES = {seat: place for place, seat in enumerate(SEATS)}


def game_key(seed: int, game: str) -> int:
    """The key of a game under a seed."""
    return key(seed, game)


def seat_key(of_game: int, turn: int, seat: str) -> int:
    """The key of a seat in a turn of a game whose key is given."""
    return mix(mix(of_game, turn), _PLACES[seat])
