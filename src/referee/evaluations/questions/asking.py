"""The oracle's answers to all questions of all games, as the arrays that the metrics take."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.evaluations import choosing
from referee.evaluations.oracle import Swept
from referee.evaluations.questions.kept import Kept
from referee.evaluations.questions.options import QuestionText
from referee.games import ANSWERS
from referee.players.resolve import Player

Answers = NDArray[np.int8]
Counts = NDArray[np.int64]

_CODES = {answer: code for code, answer in enumerate(ANSWERS)}


@dataclass(eq=False)
class Noted:
    """The games that can be judged and their questions, as columns; noted while the transcripts pass."""

    games: list[Kept] = field(default_factory=list)
    numbers: array[int] = field(default_factory=lambda: array("q"))
    things: array[int] = field(default_factory=lambda: array("q"))
    turns: array[int] = field(default_factory=lambda: array("q"))
    targets: array[int] = field(default_factory=lambda: array("q"))
    said: array[int] = field(default_factory=lambda: array("b"))

    def note(self, kept: Kept) -> None:
        """Notes a game whose questions have their numbers in the sweep."""
        if not kept.asked:
            return
        self.games.append(kept)
        self.numbers.extend(kept.asked)
        self.things.append(len(kept.game.scene.things))
        self.turns.append(len(kept.asked))
        self.targets.append(kept.game.target_index)
        self.said.extend([_CODES[turn.answer] for turn in kept.turns])

    def asked(self, swept: Swept, *, dialogue: bool) -> Asked:
        """The same with the oracle's answers; compared with the dialogues', if so wished."""
        numbers, things, turns, targets = (
            np.frombuffer(column, np.int64)
            for column in (self.numbers, self.things, self.turns, self.targets)
        )
        said = np.frombuffer(self.said, np.int8) if dialogue else None
        return Asked(self.games, swept, numbers, things, turns, targets, said)


@dataclass(frozen=True, eq=False)
class Asked:
    """The games that can be judged, and what the oracle said to their questions.

    `numbers` [questions] are those of the sweep; `things`, `turns` and `targets` [games] are how many
    things and questions each game has and where its target stands. `said` [questions] holds the
    dialogue's answers where these are what counts.
    """

    games: Sequence[Kept]
    swept: Swept
    numbers: Counts
    things: Counts
    turns: Counts
    targets: Counts
    said: Answers | None

    @cached_property
    def cells(self) -> Counts:
        """Where the answers to the questions of all games stand in the sweep."""
        return self.swept.cells(self.numbers)

    @cached_property
    def answers(self) -> Answers:
        """The likeliest answers, [cells] as `reference_sets` takes them."""
        return self.swept.answered(self.numbers)

    @property
    def shape(self) -> tuple[Counts, Counts, Counts]:
        """Things, turns and targets."""
        return self.things, self.turns, self.targets

    @cached_property
    def about_target(self) -> Answers:
        """The oracle's answer to each question about the target."""
        width = np.repeat(self.things, self.turns)
        places = np.cumsum(width) - width + np.repeat(self.targets, self.turns)
        result: Answers = self.answers[places]
        return result


def wording(question: str, how: QuestionText) -> str:
    """What the oracle is asked: the question as it was asked, or as the authors' code prepares it.

    The code lowers the case of a human question, drops its last character whatever that is, and puts
    " ?" in its place; generated questions end so already.

    >>> wording("Is it a shirt?", "code"), wording("is it red", "code"), wording("a dog ?", "code")
    ('is it a shirt ?', 'is it re ?', 'a dog ?')
    """
    if how == "asked":
        return question
    lowered = question.lower()
    return lowered if lowered.endswith(" ?") else f"{lowered[:-1]} ?"


def who(wanted: object, seat: str, played: set[str], notes: list[str]) -> Player | None:
    """The player to ask; None, with a note, where none is given and the one who played is not known.

    A recording that played the oracle knows what was said about the target, and about nothing else.
    """
    if seat == "oracle":
        if isinstance(wanted, str) and wanted.startswith(_RECORDED):
            raise UsageError(f"{wanted} {_TARGET_ONLY}")
        recorded = sorted(name for name in played if name.startswith(_RECORDED))
        if wanted is None and recorded:
            notes.append(f"{recorded[0]} {_TARGET_ONLY} {_WHY[seat]}")
            return None
    return choosing.who(wanted, seat, played, notes, _WHY[seat])


_RECORDED = "replay:"
_TARGET_ONLY = "knows what was said about the target only: name an oracle that answers"
_WHY = {
    "oracle": "to judge effective and referring questions",
    "guesser": "to have it guess again",
}
