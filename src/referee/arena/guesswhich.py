"""Drives GuessWhich: picks, questions and answers round by round, then guesses until the target is hit."""

from __future__ import annotations

from collections.abc import Sequence

from referee.arena.driving import Driving, Seats, likeliest, ranking
from referee.arena.guesswhat import shortened
from referee.arena.keys import seat_key
from referee.arena.table import Table
from referee.games import Answer, Ask, Guess, GuessWhich, Pick, Turn, guesswhich
from referee.players.seats import Look, View


class GuessWhichDriver(Driving):
    """GuessWhich with a questioner, an answerer who sees the target, and a guesser."""

    def __init__(
        self, rules: guesswhich.Rules, seats: Seats, longest_question: int | None = None
    ) -> None:
        super().__init__(guesswhich, rules, seats)
        self._longest = longest_question
        self.steps = {
            "belief": self.tell,
            "pick": self._pick,
            "guess": self._guess,
            "question": self._ask,
            "answer": self._answer,
        }

    def open(self, game: GuessWhich, key: int) -> Table:
        """The game after its caption."""
        table = super().open(game, key)
        table.target = game.target_index
        return table

    def views(self, tables: Sequence[Table], seat: str) -> list[View]:
        """The pool, the caption and the dialogue; the target for privileged players only."""
        shown = self._privileged[seat]
        return [
            View(
                table.game.id,
                seat_key(table.key, len(table.turns), seat),
                table.turns,
                None,
                table.game.pool,
                table.game.caption,
                table.game.target if shown else None,
            )
            for table in tables
        ]

    def _pick(self, tables: list[Table]) -> None:
        for table, spent in zip(tables, self.believed(tables), strict=True):
            picture = table.game.pool[likeliest(table)].id
            self.happen(table, Pick(picture), "guesser", spent)

    def _guess(self, tables: list[Table]) -> None:
        for table, spent in zip(tables, self.believed(tables), strict=True):
            for place in ranking(table):
                if table.state.due == "guess":
                    self.happen(table, Guess(table.game.pool[place].id), "guesser", spent)

    def _ask(self, tables: list[Table]) -> None:
        seated = self._seats["questioner"]
        questions = seated.questions(self.views(tables, "questioner"))
        for table, text, spent in zip(tables, questions, seated.spent, strict=True):
            if text is None:
                rounds = self._options.rounds
                reason = f"wants to stop, but in GuessWhich {rounds} questions are asked"
                raise self.refused(table, "questioner", reason)
            question = shortened(text, self._longest)
            self.happen(table, Ask(question), "questioner", spent)
            table.question = question

    def _answer(self, tables: list[Table]) -> None:
        seated = self._seats["answerer"]
        looks = [
            Look(
                table.game.id,
                seat_key(table.key, len(table.turns), "answerer"),
                table.game.pool[table.target],
                table.question,
                table.game.caption,
                table.turns,
            )
            for table in tables
        ]
        answers = seated.texts(looks, 1)
        for table, (said, *_), spent in zip(tables, answers, seated.spent, strict=True):
            self.happen(table, Answer(said.text), "answerer", spent)
            table.turns = (*table.turns, Turn(table.question, said.text))
            table.belief = None
