"""A player in its seat: its calls are timed and awaited, and what it returns must be what it promised.

What the rules refuse (no distribution, an empty question …) they refuse; here stands only what is lost
once the results of a batch are dealt out to their games: how many came, and of what type.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from inspect import isawaitable
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.arena.waiting import Waiter
from referee.errors import DataError, MissingExtra, SeatError
from referee.games import Belief, Cost
from referee.players import answered
from referee.players.resolve import Player
from referee.players.seats import Look, Query, Said, View

Spent = tuple[float, ...]
"""An event's wall-clock start and seconds and, where there are any, tokens in and out, dollars and
parse failures: `Cost` as it stands in a run's clock."""

Sight = View | Query | Look


@dataclass
class Seated:
    """Calls a player and checks what comes back; `spent` holds what each result of the call took."""

    seat: str
    player: Player
    waiter: Waiter
    spent: list[Spent] = field(default_factory=list)

    def questions(self, views: Sequence[View]) -> list[str | None]:
        """The next question of each game."""
        return _plain(self._many("ask", views))

    def answers(self, queries: Sequence[Query]) -> tuple[list[int], list[tuple[float, ...]]]:
        """The likeliest answer of each query, and the probabilities of all three."""
        rows = self.probabilities(queries)
        return rows.argmax(axis=1).tolist(), list(map(tuple, rows.tolist()))

    def probabilities(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """The probabilities of the three answers to each query, [query, 3]."""
        given = self._call("answer", queries)
        try:
            return answered.probabilities(given, len(queries))
        except answered.NoAnswers as error:
            raise self.error(error.reason, queries[error.place]) from error

    def beliefs(self, views: Sequence[View]) -> list[Belief]:
        """The belief over the candidates of each game, with plain numbers."""
        found = self._many("believe", views)
        for place, belief in enumerate(found):
            if type(belief) is not Belief:
                raise self.error(f"gave {_kind(belief)} where a Belief was due", views[place])
            numbers = belief.probabilities
            if type(numbers) is not tuple or set(map(type, numbers)) != {float}:
                found[place] = Belief(self._numbers(numbers, views[place]), belief.source)
        return found

    @property
    def points(self) -> bool:
        """Whether this guesser points at candidates itself."""
        return callable(getattr(self.player.who, "guess", None))

    def guesses(self, views: Sequence[View]) -> list[str | None]:
        """The candidate that a guesser points at in each game; None where it leaves that to its belief."""
        return _plain(self._many("guess", views))

    def states(self, views: Sequence[View]) -> list[NDArray[np.float32] | None]:
        """The state of each dialogue; None where the player has none."""
        found = self._many("state", views)
        return [self._state(row, view) for row, view in zip(found, views, strict=True)]

    def elicited(
        self, views: Sequence[View], asked: Sequence[Sequence[str]]
    ) -> list[tuple[float, ...]]:
        """How likely the player holds each of some attributes to be true of each dialogue's target."""
        found = self._many("elicit", views, asked)
        for place, (values, names, view) in enumerate(zip(found, asked, views, strict=True)):
            found[place] = self._numbers(values, view)
            if len(found[place]) != len(names):
                many = f"gave {len(found[place])} probabilities for {len(names)} attributes"
                raise self.error(many, view)
        return found

    def texts(self, looks: Sequence[Look], count: int, decode: str = "") -> list[list[Said]]:
        """Up to `count` answers to each question, at least one; `decode` as `Plan` has it."""
        told = {"decode": decode} if decode else {}
        found = self._many("answer", looks, count, **told)
        for place, answers in enumerate(found):
            if not _sequence(answers) or not 0 < len(answers) <= count:
                raise self.error(
                    f"gave {_kind(answers)} where 1 to {count} answers (Said) were due",
                    looks[place],
                )
            for said in answers:
                if not isinstance(said, Said) or not isinstance(said.text, str):
                    raise self.error(f"gave {_kind(said)} where a Said was due", looks[place])
                if not isfinite(self._numbers([said.log_likelihood], looks[place])[0]):
                    raise self.error(
                        f"gave {said.text!r} the log-likelihood {said.log_likelihood}", looks[place]
                    )
        return found

    def scores(self, looks: Sequence[Look]) -> list[tuple[float, ...]]:
        """A score for each option of each question."""
        found = self._many("score", looks)
        for place, scores in enumerate(found):
            found[place] = self._numbers(scores, looks[place])
            if len(found[place]) != len(looks[place].options):
                raise self.error(
                    f"gave {len(found[place])} scores for {len(looks[place].options)} options",
                    looks[place],
                )
        return found

    def error(self, message: str, sight: Sight) -> SeatError:
        """What went wrong with this player, in which game and turn."""
        return SeatError(f"{self.at(sight.game, len(sight.turns))}: {message}")

    def at(self, game: str, answered: int) -> str:
        """The player, its seat, and the place in a game of so many answers at which it acts."""
        turn = f"after turn {answered}" if self.seat == "guesser" else f"turn {answered + 1}"
        return f"{self.player.name} ({self.seat}), game {game}, {turn}"

    def _numbers(self, values: Any, sight: Sight) -> tuple[float, ...]:
        try:
            flat = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise self.error(f"gave {_kind(values)} where numbers were due", sight) from error
        if flat.ndim != 1:
            raise self.error(f"gave numbers of shape {list(flat.shape)}, not a list", sight)
        return tuple(flat.tolist())

    def _state(self, row: Any, view: View) -> NDArray[np.float32] | None:
        """A row of numbers; none where there is nothing, or no number."""
        if row is None:
            return None
        numbers = np.array(self._numbers(row, view), dtype=np.float32)
        return numbers if len(numbers) and np.isfinite(numbers).all() else None

    def _many(self, method: str, sights: Sequence[Sight], *more: Any, **told: str) -> list[Any]:
        result = self._call(method, sights, *more, **told)
        if not _sequence(result):
            raise self.error(f"{method}() gave {_kind(result)}, not a list", sights[0])
        if len(result) != len(sights):
            raise self.error(
                f"{method}() gave {len(result)} results for {len(sights)} games", sights[0]
            )
        return list(result)

    def _call(self, method: str, sights: Sequence[Sight], *more: Any, **told: str) -> Any:
        who = self.player.who
        started, clock = time.time(), time.perf_counter()
        try:
            result = getattr(who, method)(sights, *more, **told)
            if isawaitable(result):
                result = self.waiter.wait(result)
        except MissingExtra:
            raise
        except (SeatError, DataError) as error:
            # These name the game, or the file, that is at fault, which need not be the batch's first.
            raise SeatError(f"{self.player.name} ({self.seat}): {error}") from error
        except Exception as error:
            raise self.error(
                f"{method}() failed on a batch of {len(sights)} that begins here: "
                f"{type(error).__name__}: {error}",
                sights[0],
            ) from error
        # An event's time is its share of its batch: nobody can say more of a batched call.
        share = (round(started, 6), round((time.perf_counter() - clock) / len(sights), 9))
        self.spent = [share] * len(sights)
        if hasattr(who, "spent"):
            self.spent = [(*share, *_bill(cost)) for cost in self._bills(who.spent(), sights)]
        return result

    def _bills(self, costs: Any, sights: Sequence[Sight]) -> Sequence[Cost]:
        fits = _sequence(costs) and len(costs) == len(sights)
        if not fits or not all(isinstance(cost, Cost) for cost in costs):
            raise self.error(f"spent() gave {_kind(costs)}, not {len(sights)} Costs", sights[0])
        result: Sequence[Cost] = costs
        return result


def _plain(texts: list[Any]) -> list[Any]:
    """Texts of NumPy's own kind as texts."""
    return [str(text) if isinstance(text, str) else text for text in texts]


def _bill(cost: Cost) -> Spent:
    return (cost.tokens_in, cost.tokens_out, cost.dollars, cost.parse_failures)


def _sequence(value: Any) -> bool:
    return (
        hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, str)
    )


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    if _sequence(value):
        return f"{len(value)} in a {type(value).__name__}"
    return f"{type(value).__name__} {value!r:.60}"
