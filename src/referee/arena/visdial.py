"""Drives VisDial: the data set's questions, round by round, to an answerer that writes, ranks, or both."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap

from referee.arena.driving import Driving, Seats
from referee.arena.keys import seat_key
from referee.arena.seated import Seated, Spent
from referee.arena.table import Table
from referee.errors import UsageError
from referee.games import Ask, Reply, Round, VisDial, visdial
from referee.players.seats import Look


class VisDialDriver(Driving):
    """VisDial with an answerer; `generate` is how many texts it may write, `rank` asks for scores.

    `decode` tells it how to choose what it writes; empty leaves that to it.
    """

    def __init__(
        self,
        rules: visdial.Rules,
        seats: Seats,
        *,
        generate: int = 1,
        decode: str = "",
        rank: bool = False,
    ) -> None:
        super().__init__(visdial, rules, seats)
        self._generate = generate
        self._decode = decode
        self._rank = rank
        self.steps = {"question": self._ask, "reply": self._reply}

    def _ask(self, tables: list[Table]) -> None:
        for table in tables:
            self.happen(table, Ask(_round(table).question), "questioner", None)

    def _reply(self, tables: list[Table]) -> None:
        seated = self._seats["answerer"]
        looks = [self._look(table, ()) for table in tables]
        texts: list[tuple[str, ...]] = [()] * len(tables)
        likelihoods: list[tuple[float, ...]] = [()] * len(tables)
        scores: list[tuple[float, ...]] = [()] * len(tables)
        spent: list[list[Spent]] = [[] for _ in tables]
        if self._generate:
            for place, answers in enumerate(seated.texts(looks, self._generate, self._decode)):
                texts[place] = tuple(said.text for said in answers)
                likelihoods[place] = tuple(float(said.log_likelihood) for said in answers)
                spent[place].append(seated.spent[place])
        if self._rank:
            given = [self._look(table, self._options_of(table)) for table in tables]
            for place, numbers, took in _scored(seated, given):
                scores[place] = numbers
                spent[place].append(took)
        replies = starmap(Reply, zip(texts, likelihoods, scores, strict=True))
        for table, reply, bills in zip(tables, replies, spent, strict=True):
            self.happen(table, reply, "answerer", _sum(bills))
            table.turns = table.state.turns  # type: ignore[attr-defined]

    def _options_of(self, table: Table) -> tuple[str, ...]:
        """What can be ranked in this round; of a test dialogue only the last round has options."""
        options = _round(table).options
        if not options and not self._generate:
            raise UsageError(
                f"game {table.game.id}: round {len(table.turns) + 1} has no answer options to rank; "
                "let the answerer write answers too (--generate 1)"
            )
        return options

    def _look(self, table: Table, options: tuple[str, ...]) -> Look:
        """Who writes an answer must not see the options: one of them is the human answer."""
        asked = _round(table)
        return Look(
            table.game.id,
            seat_key(table.key, len(table.turns), "answerer"),
            table.game.scene,
            asked.question,
            table.game.caption,
            table.turns,
            options,
        )


def _round(table: Table) -> Round:
    game: VisDial = table.game
    return game.rounds[len(table.turns)]


def _scored(seated: Seated, looks: Sequence[Look]) -> list[tuple[int, tuple[float, ...], Spent]]:
    """The scores of the rounds that have options."""
    places = [place for place, look in enumerate(looks) if look.options]
    if not places:
        return []
    scores = seated.scores([looks[place] for place in places])
    return list(zip(places, scores, seated.spent, strict=True))


def _sum(bills: Sequence[Spent]) -> Spent | None:
    """What two calls took together, beginning with the first."""
    if len(bills) < 2:  # noqa: PLR2004
        return bills[0] if bills else None
    first, second = bills
    return (first[0], *(one + other for one, other in zip(first[1:], second[1:], strict=True)))
