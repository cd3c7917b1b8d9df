"""The oracle's answers to all questions of all games, as the arrays that the metrics take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.evaluations import choosing
from referee.evaluations.oracle import Swept
from referee.evaluations.questions.kept import Kept
from referee.evaluations.questions.options import QuestionText
from referee.games import ANSWERS, Thing
from referee.players.resolve import Player

Answers = NDArray[np.int8]
Counts = NDArray[np.int64]

_CODES = {answer: code for code, answer in enumerate(ANSWERS)}


@dataclass(frozen=True, eq=False)
class Asked:
    """The games that can be judged, and what the oracle said to their questions.

    `said` holds the dialogue's answers where these are what counts, else nothing.
    """

    games: Sequence[Kept]
    swept: Swept
    said: Answers | None

    @cached_property
    def numbers(self) -> Counts:
        """The number of each question in the sweep."""
        count = int(self.turns.sum())
        asked = chain.from_iterable([kept.asked for kept in self.games])
        return np.fromiter(asked, np.int64, count)

    @cached_property
    def things(self) -> Counts:
        """How many things each game's scene has."""
        return np.array([len(things) for things, _ in self._scenes], dtype=np.int64)

    @cached_property
    def turns(self) -> Counts:
        """How many questions each game has."""
        return np.array([len(kept.asked) for kept in self.games], dtype=np.int64)

    @cached_property
    def targets(self) -> Counts:
        """The place of each game's target."""
        places = [_place(target, things) for things, target in self._scenes]
        return np.array(places, dtype=np.int64)

    @cached_property
    def _scenes(self) -> list[tuple[Sequence[Thing], str]]:
        """The things of each game, and its target."""
        return [(kept.game.scene.things, kept.game.target) for kept in self.games]

    @cached_property
    def cells(self) -> Counts:
        """Where the answers to the questions of all games stand in the sweep."""
        return self.swept.cells(self.numbers)

    @cached_property
    def answers(self) -> Answers:
        """The likeliest answers, [cells] as `reference_sets` takes them."""
        return self.swept.answered(self.numbers)

    @cached_property
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


def _place(target: str, things: Sequence[Thing]) -> int:
    """Where the target stands; a plain loop, since a generator for each game takes twice as long."""
    for place, thing in enumerate(things):
        if thing.id == target:
            return place
    raise LookupError(target)


def asked(games: Sequence[Kept], swept: Swept, *, dialogue: bool) -> Asked:
    """The answers to the questions of the games; compared with those of the dialogues, if so wished."""
    judged = [kept for kept in games if kept.asked]
    said = [_CODES[turn.answer] for kept in judged for turn in kept.turns] if dialogue else None
    return Asked(judged, swept, None if said is None else np.array(said, dtype=np.int8))


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
