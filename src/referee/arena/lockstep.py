"""Many games at once, all asking, then all answering: the arena's one loop, which knows no rules.

A driver says how a game starts, in which order the things that can be due are seen to in a sweep, and
how each is brought about for all tables that are waiting for it. Finished games leave, new ones take
their place, and what is handed on keeps the order of the games.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from referee.arena.keys import game_key
from referee.arena.table import Played, Table
from referee.errors import DataError
from referee.games import Transcript

Step = Callable[[list[Table]], None]


class Driver(Protocol):
    """How one kind of game is driven."""

    @property
    def steps(self) -> Mapping[str, Step]:
        """What brings about each thing that can be due, in the order of a sweep."""

    def open(self, game: Any, key: int) -> Table:
        """The game before its first event."""

    def transcript(self, table: Table) -> Transcript:
        """The game as it was played."""


def lockstep(
    games: Iterable[Any], driver: Driver, *, seed: int, batch: int, done: int = 0
) -> Iterator[list[Played]]:
    """Plays the games, at most `batch` at once, and hands on the finished ones in the games' order.

    The first `done` games were played before and are passed over. Two games of one id are refused:
    they would draw the same luck, and nobody could tell their transcripts apart.
    """
    source = _opened(games, driver, seed, done)
    waiting: deque[Table] = deque()
    playing: list[Table] = []
    while True:
        while len(playing) < batch and (table := next(source, None)) is not None:
            playing.append(table)
            waiting.append(table)
        if not playing:
            break
        for due, step in driver.steps.items():
            ready = [table for table in playing if table.state.due == due]
            if ready:
                step(ready)
        playing = [table for table in playing if table.state.due]
        finished = []
        while waiting and not waiting[0].state.due:
            table = waiting.popleft()
            finished.append(Played(driver.transcript(table), tuple(table.spent)))
        if finished:
            yield finished


def _opened(games: Iterable[Any], driver: Driver, seed: int, done: int) -> Iterator[Table]:
    seen: set[int] = set()
    for number, game in enumerate(games):
        key = game_key(seed, game.id)
        if key in seen:
            raise DataError(
                f"there is a game {game.id} before this one",
                record=number + 1,
                field="id",
                expected="an id of its own for each game",
            )
        seen.add(key)
        if number >= done:
            yield driver.open(game, key)
