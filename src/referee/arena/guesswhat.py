"""Drives GuessWhat?!: all questions, then all answers, then all beliefs, then the guesses."""

from __future__ import annotations

from collections.abc import Sequence

from referee.arena.driving import Driving, Seats, likeliest
from referee.arena.keys import seat_key
from referee.arena.table import Table
from referee.games import ANSWERS, Answer, Ask, Guess, GuessWhat, Stop, Turn, guesswhat
from referee.players.seats import Query, View


class GuessWhatDriver(Driving):
    """GuessWhat?! with a questioner, an oracle and a guesser."""

    def __init__(
        self, rules: guesswhat.Rules, seats: Seats, longest_question: int | None = None
    ) -> None:
        super().__init__(guesswhat, rules, seats)
        self._longest = longest_question
        self.steps = {
            "question": self._ask,
            "answer": self._answer,
            "belief": self.tell,
            "guess": self._guess,
        }

    def open(self, game: GuessWhat, key: int) -> Table:
        """The game before its first question."""
        table = super().open(game, key)
        table.target = game.target_index
        return table

    def views(self, tables: Sequence[Table], seat: str) -> list[View]:
        """The scene and the dialogue; the target for privileged players only."""
        shown = self._privileged[seat]
        return [
            View(
                table.game.id,
                seat_key(table.key, len(table.turns), seat),
                table.turns,
                table.game.scene,
                (),
                "",
                table.game.target if shown else None,
            )
            for table in tables
        ]

    def _ask(self, tables: list[Table]) -> None:
        seated = self._seats["questioner"]
        questions = seated.questions(self.views(tables, "questioner"))
        for table, text, spent in zip(tables, questions, seated.spent, strict=True):
            if text is None:
                self.happen(table, Stop(), "questioner", spent)
                continue
            question = shortened(text, self._longest)
            self.happen(table, Ask(question), "questioner", spent)
            table.question = question

    def _answer(self, tables: list[Table]) -> None:
        seated = self._seats["oracle"]
        queries = [
            Query(
                table.game.id,
                seat_key(table.key, len(table.turns), "oracle"),
                table.game.scene,
                table.target,
                table.question,
                table.turns,
            )
            for table in tables
        ]
        likely, rows = seated.answers(queries)
        for table, place, row, spent in zip(tables, likely, rows, seated.spent, strict=True):
            text = ANSWERS[place]
            self.happen(table, Answer(text, row), "oracle", spent)  # type: ignore[arg-type]
            table.turns = (*table.turns, Turn(table.question, text))
            table.belief = None

    def _guess(self, tables: list[Table]) -> None:
        """The guesser points at a candidate, or leaves it to what it believes."""
        seated, silent = self._seats["guesser"], tables
        if seated.points:
            silent = []
            chosen = seated.guesses(self.views(tables, "guesser"))
            for table, candidate, took in zip(tables, chosen, seated.spent, strict=True):
                if candidate is None:
                    silent.append(table)
                else:
                    self.happen(table, Guess(candidate), "guesser", took)
        for table, spent in zip(silent, self.believed(silent), strict=True):
            likely = table.game.scene.things[likeliest(table)].id
            self.happen(table, Guess(likely), "guesser", spent)


def shortened(text: str, longest: int | None) -> str:
    """The question cut to so many words, as the looper cuts it; the rules judge what is no text."""
    if longest is None or not isinstance(text, str):
        return text
    words = text.split()
    return text if len(words) <= longest else " ".join(words[:longest])
