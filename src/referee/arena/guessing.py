"""Asks a guesser once more, about dialogues that were held already."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from referee.arena.driving import candidates, likeliest
from referee.arena.keys import game_key, seat_key
from referee.arena.seated import Seated
from referee.arena.table import State, Table
from referee.arena.waiting import Waiter
from referee.errors import SeatError
from referee.games import Belief, GuessWhat, Turn
from referee.games.refusal import wrong_belief
from referee.players.resolve import Player
from referee.players.seats import View

BATCH = 1024
_NOTHING = 1e-6
"""Rounding in 32 bits leaks about this much."""

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


def beliefs(
    dialogues: Iterable[Dialogue], guesser: Player, seed: int = 0
) -> Iterator[tuple[Belief, float]]:
    """What the guesser believes after these turns of each game, and the mass it gave to no candidate.

    The beliefs are as they were given, for whoever asks to judge. The mass on no candidate is known of
    a guesser that has `leaked(views)`; one that leaks nothing in its first batch is not asked again.
    """
    waiting = iter(dialogues)
    leaked = getattr(guesser.who, "leaked", None)
    with Waiter() as waiter:
        seated = Seated("guesser", guesser, waiter)
        while batch := [_table(*dialogue, seed) for dialogue in islice(waiting, BATCH)]:
            views = _views(seated, batch)
            found = seated.beliefs(views)
            lost = [math.nan] * len(views)
            if leaked is not None:
                lost = [float(each) for each in leaked(views)]
                leaked = leaked if max(lost, default=0.0) > _NOTHING else _tight
            yield from zip(found, lost, strict=True)


def pointed(dialogue: Dialogue, belief: Belief, seed: int = 0) -> str:
    """The thing at which the arena would have a guesser point who believes this."""
    table = _table(*dialogue, seed)
    table.belief = belief
    thing: str = table.game.scene.things[likeliest(table)].id
    return thing


def _tight(views: Sequence[View]) -> list[float]:
    return [0.0] * len(views)


def _table(game: GuessWhat, turns: tuple[Turn, ...], seed: int) -> Table:
    table = Table(game, game_key(seed, game.id), _Held())
    table.turns = tuple([Turn(turn.question, turn.answer) for turn in turns])
    return table


def _views(seated: Seated, tables: Sequence[Table]) -> list[View]:
    shown = bool(getattr(seated.player.who, "privileged", False))
    return [
        View(
            table.game.id,
            seat_key(table.key, len(table.turns), "guesser"),
            table.turns,
            table.game.scene,
            target=table.game.target if shown else None,
        )
        for table in tables
    ]


def _guessed(seated: Seated, tables: Sequence[Table]) -> list[str]:
    views = _views(seated, tables)
    chosen = seated.guesses(views) if seated.points else [None] * len(views)
    silent = [place for place, thing in enumerate(chosen) if thing is None]
    held = seated.beliefs([views[place] for place in silent]) if silent else []
    found = list(chosen)
    for place, belief in zip(silent, held, strict=True):
        table = tables[place]
        wrong = wrong_belief(belief, candidates(table.game))
        if wrong is not None:
            raise SeatError(f"{seated.at(table.game.id, len(table.turns))}: {wrong}")
        table.belief = belief
        found[place] = table.game.scene.things[likeliest(table)].id
    for table, thing in zip(tables, found, strict=True):
        if all(each.id != thing for each in table.game.scene.things):
            where = seated.at(table.game.id, len(table.turns))
            raise SeatError(f"{where}: gave {thing!r}, which is none of the things")
    return [str(thing) for thing in found]
