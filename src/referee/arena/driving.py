"""What the drivers of all games do alike: events go through the rules, and guessers are asked once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from referee.arena.keys import seat_key
from referee.arena.seated import Seated, Spent
from referee.arena.table import State, Table
from referee.errors import SeatError
from referee.games import Belief, Believe, Event, GuessWhat, GuessWhich, Refusal, Transcript
from referee.games.refusal import wrong_belief
from referee.players.seats import View
from referee.randomness import mix

Seats = dict[str, Seated]


class Driving:
    """A game's rules with players in the seats; the games' own drivers add the steps."""

    def __init__(self, rules: ModuleType, options: Any, seats: Seats) -> None:
        self._start: Callable[..., State] = rules.start
        self._apply: Callable[[State, Event], State | Refusal] = rules.apply
        self._transcript: Callable[[State], Transcript] = rules.transcript
        self._options = options
        self._seats = seats
        self._privileged = {
            seat: bool(getattr(seated.player.who, "privileged", False))
            for seat, seated in seats.items()
        }

    def open(self, game: Any, key: int) -> Table:
        """The game before its first event."""
        return Table(game, key, self._start(game, self._options))

    def transcript(self, table: Table) -> Transcript:
        """The game as it was played."""
        return self._transcript(table.state)

    def happen(self, table: Table, event: Event, seat: str, spent: Spent | None) -> None:
        """The event takes place, or its player is told why the rules refuse it."""
        state = self._apply(table.state, event)
        if isinstance(state, Refusal):
            raise self.refused(table, seat, state.reason)
        table.state = state
        table.spent.append(spent)

    def refused(self, table: Table, seat: str, reason: str) -> SeatError:
        """The error that says who did what in which game and turn."""
        seated = self._seats.get(seat)
        answered = len(table.turns)
        if seated is None:
            return SeatError(f"the data set, game {table.game.id}, turn {answered + 1}: {reason}")
        return SeatError(f"{seated.at(table.game.id, answered)}: {reason}")

    def views(self, tables: Sequence[Table], seat: str) -> list[View]:
        """What the seat may see of each game."""
        raise NotImplementedError

    def believed(self, tables: Sequence[Table]) -> list[Spent | None]:
        """Sees to it that every table has a belief about its turns; says what the asking took.

        The guesser is not asked twice about the same turns: a guess right after a belief is made
        from that belief.
        """
        asked = [table for table in tables if table.belief is None]
        if not asked:
            return [None] * len(tables)
        guesser = self._seats["guesser"]
        for table, belief in zip(asked, guesser.beliefs(self.views(asked, "guesser")), strict=True):
            # A told belief is checked by the rules; one that only leads to a choice, here.
            wrong = None if self._options.beliefs else wrong_belief(belief, candidates(table.game))
            if wrong is not None:
                raise self.refused(table, "guesser", wrong)
            table.belief = belief
        if len(asked) == len(tables):
            return [*guesser.spent]
        spent = dict(zip(map(id, asked), guesser.spent, strict=True))
        return [spent.get(id(table)) for table in tables]

    def tell(self, tables: list[Table]) -> None:
        """The guesser says what it believes, and that goes into the transcript."""
        for table, spent in zip(tables, self.believed(tables), strict=True):
            self.happen(table, Believe(_belief(table)), "guesser", spent)


def candidates(game: GuessWhat | GuessWhich) -> int:
    """How many candidates a game has."""
    return len(game.scene.things if isinstance(game, GuessWhat) else game.pool)


def ranking(table: Table) -> list[int]:
    """The places of the candidates, the likeliest first; the table's luck orders equal ones.

    The order of the candidates may not decide: in the published pools the target stands last.
    """
    numbers = _belief(table).probabilities
    tie = mix(seat_key(table.key, len(table.turns), "guesser"), 0)
    return sorted(range(len(numbers)), key=lambda place: (-numbers[place], mix(tie, place)))


def likeliest(table: Table) -> int:
    """The first place of the ranking."""
    numbers = _belief(table).probabilities
    best = max(numbers)
    return numbers.index(best) if numbers.count(best) == 1 else ranking(table)[0]


def _belief(table: Table) -> Belief:
    if table.belief is None:
        raise ValueError("the guesser has not been asked")
    return table.belief
