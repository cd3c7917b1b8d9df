"""Asks a player, after a dialogue that was held already, for its state or for what it made of the target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from referee.arena.guessing import BATCH, Dialogue
from referee.arena.keys import game_key, seat_key
from referee.arena.seated import Seated
from referee.arena.waiting import Waiter
from referee.games import GuessWhat, Turn
from referee.players.resolve import Player
from referee.players.seats import Query, View

SEAT = "questioner"
"""The seat from which a dialogue is seen: nobody in it is told the target."""


def states(
    dialogues: Iterable[Dialogue], player: Player, seed: int = 0
) -> Iterator[NDArray[np.float32] | None]:
    """The player's state after the last of these turns of each game; None where it has none."""
    waiting = iter(dialogues)
    with Waiter() as waiter:
        seated = Seated(SEAT, player, waiter)
        while batch := [view(*dialogue, seed) for dialogue in islice(waiting, BATCH)]:
            yield from seated.states(batch)


def elicited(
    dialogues: Iterable[Dialogue],
    asked: Sequence[Sequence[str]],
    player: Player,
    seed: int = 0,
) -> Iterator[tuple[float, ...]]:
    """How likely the player holds each of the attributes asked about to be true of the target."""
    waiting, names = iter(dialogues), iter(asked)
    with Waiter() as waiter:
        seated = Seated(SEAT, player, waiter)
        while batch := [view(*dialogue, seed) for dialogue in islice(waiting, BATCH)]:
            yield from seated.elicited(batch, list(islice(names, len(batch))))


def view(game: GuessWhat, turns: tuple[Turn, ...], seed: int) -> View:
    """What is seen of a dialogue by those who took part in it and were not told the target."""
    heard = tuple([Turn(turn.question, turn.answer) for turn in turns])
    key = seat_key(game_key(seed, game.id), len(heard), SEAT)
    return View(game.id, key, heard, game.scene)


def affirmed(queries: Iterable[Query], player: Player) -> Iterator[float]:
    """The probability of Yes that the player gives to each question about a thing."""
    waiting = iter(queries)
    with Waiter() as waiter:
        seated = Seated("oracle", player, waiter)
        while batch := list(islice(waiting, BATCH)):
            yield from seated.probabilities(batch)[:, 0].tolist()
