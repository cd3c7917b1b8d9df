"""Asks a guesser once more, about dialogues that were held already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from referee.arena.driving import candidates, likeliest
from referee.arena.keys import game_key, seat_key
from referee.arena.seated import Seated
from referee.arena.table import State, Table
from referee.arena.waiting import Waiter
from referee.errors import SeatError
from referee.games import GuessWhat, Turn
from referee.games.refusal import wrong_belief
from referee.players.resolve import Player
from referee.players.seats import View

BATCH = 1024

Dialogue = tuple[GuessWhat, tuple[Turn, ...]]


class _Held(State):
    """A dialogue that takes no further event."""

    events = ()
    due = ""


def guesses(dialogues: Iterable[Dialogue], guesser: Player, seed: int = 0) -> Iterator[str]:
    """What the guesser points at after these turns of each game, by the same luck as in the arena."""
    waiting = iter(dialogues)
    with Waiter() as waiter:
        seated = Seated("guesser", guesser, waiter)
        while batch := [_table(*dialogue, seed) for dialogue in islice(waiting, BATCH)]:
            yield from _guessed(seated, batch)


def _table(game: GuessWhat, turns: tuple[Turn, ...], seed: int) -> Table:
    table = Table(game, game_key(seed, game.id), _Held())
    table.turns = tuple([Turn(turn.question, turn.answer) for turn in turns])
    return table


def _guessed(seated: Seated, tables: Sequence[Table]) -> list[str]:
    shown = bool(getattr(seated.player.who, "privileged", False))
    views = [
        View(
            table.game.id,
            seat_key(table.key, len(table.turns), "guesser"),
            table.turns,
            table.game.scene,
            target=table.game.target if shown else None,
        )
        for table in tables
    ]
    pointed = seated.guesses(views) if seated.points else [None] * len(views)
    silent = [place for place, chosen in enumerate(pointed) if chosen is None]
    beliefs = seated.beliefs([views[place] for place in silent]) if silent else []
    found = list(pointed)
    for place, belief in zip(silent, beliefs, strict=True):
        table = tables[place]
        wrong = wrong_belief(belief, candidates(table.game))
        if wrong is not None:
            raise SeatError(f"{seated.at(table.game.id, len(table.turns))}: {wrong}")
        table.belief = belief
        found[place] = table.game.scene.things[likeliest(table)].id
    for table, chosen in zip(tables, found, strict=True):
        if all(thing.id != chosen for thing in table.game.scene.things):
            where = seated.at(table.game.id, len(table.turns))
            raise SeatError(f"{where}: gave {chosen!r}, which is none of the things")
    return [str(chosen) for chosen in found]
