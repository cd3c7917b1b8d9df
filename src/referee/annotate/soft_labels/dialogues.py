"""Soft labels of dialogues: of first turns as in the paper, or of every turn with all before it.

What several answers say together is the product of what each says: a candidate's share of the votes of
each question that can be read. A reader is told of each candidate what each answer said of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, TypeAlias

import numpy as np

from referee.annotate.soft_labels.candidates import candidates
from referee.annotate.soft_labels.first_turns import guesswhat
from referee.annotate.soft_labels.labelling import (
    ANSWER_CODES,
    STATUSES,
    Answered,
    How,
    Labels,
    label,
)
from referee.annotate.soft_labels.questions import TYPES, parse
from referee.datasets.soft_labels import SoftLabel
from referee.games import GuessWhat, Transcript, Turn
from referee.metrics.belief.labels import combined
from referee.metrics.belief.ragged import Floats, starts

Which: TypeAlias = Literal["first", "all"]

BATCH = 8192
"""How many games are labelled at once."""


@dataclass
class Coverage:
    """How many turns of each type were read, and what became of all of them."""

    games: int = 0
    turns: int = 0
    types: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TYPES, 0))
    statuses: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATUSES, 0))
    contradicted: int = 0
    """Turns after which no candidate fits all that was answered."""
    clipped: int = 0
    """Boxes that left their picture and were cut."""

    def lines(self) -> Iterator[str]:
        """What there is to say, a line each."""
        whole = max(self.turns, 1)
        labelled = self.statuses["labelled"]
        share = 100 * labelled / whole
        yield f"{labelled} of {self.turns} turns of {self.games} games are read ({share:.2f} %)"
        for name, count in self.statuses.items():
            if count and name != "labelled":
                yield f"  {count} ({100 * count / whole:.2f} %): {_REASONS[name]}"
        types = ", ".join(f"{name} {count}" for name, count in self.types.items())
        yield f"  by type, answered or not: {types}"
        if self.contradicted:
            yield f"  {self.contradicted} turns after which no candidate fits every answer"
        if self.clipped:
            yield f"  {self.clipped} boxes left their picture and were cut at its edge"


_REASONS = {
    "not covered": "the question is not covered, so nothing is guessed",
    "N/A": "answered N/A, which is never labelled",
    "people differ": "the scene holds a thing of which people would say both",
    "nothing known": "the things, the colour of one, or the size of the picture are not known",
    "nothing fits": "no candidate fits the answer",
}


def soft_labels(
    transcripts: Iterable[Transcript],
    which: Which = "first",
    how: How | None = None,
    coverage: Coverage | None = None,
) -> Iterator[SoftLabel]:
    """The labels of the first turns, or of all turns that can be read, in the order of the games."""
    chosen, counted = how or How(), coverage if coverage is not None else Coverage()
    waiting = iter(transcripts)
    while batch := list(islice(waiting, BATCH)):
        yield from _labels(batch, which, chosen, counted)


def _labels(
    batch: Sequence[Transcript], which: Which, how: How, coverage: Coverage
) -> Iterator[SoftLabel]:
    games = [guesswhat(transcript) for transcript in batch]
    held = [transcript.turns[: 1 if which == "first" else None] for transcript in batch]
    known = candidates(game.scene for game in games)
    asked = [parse(turn.question) for turns in held for turn in turns]
    answers = [ANSWER_CODES.get(turn.answer, -1) for turns in held for turn in turns]
    places = np.repeat(np.arange(len(games)), np.array(list(map(len, held)), dtype=np.int64))
    found = label(known, Answered(places, asked, np.array(answers, dtype=np.int8)), how)
    coverage.games += len(games)
    coverage.turns += len(asked)
    coverage.clipped += known.clipped
    for name, count in found.coverage().items():
        coverage.statuses[name] += count
    for each in asked:
        if each is not None:
            coverage.types[each.type] += 1
    begin = starts(found.widths)
    number = 0
    for game, turns in zip(games, held, strict=True):
        reading = _Reading(game, how, coverage)
        for place, turn in enumerate(turns, start=1):
            if found.labelled[number]:
                row = reading.read(place, turn, found, (number, int(begin[number])))
                if row is not None:
                    yield row
            number += 1


@dataclass
class _Reading:
    """One dialogue as far as it has been read."""

    game: GuessWhat
    how: How
    coverage: Coverage
    weights: Floats | None = None
    turns: tuple[int, ...] = ()
    why: list[list[str]] = field(default_factory=list)

    def read(self, place: int, turn: Turn, found: Labels, at: tuple[int, int]) -> SoftLabel | None:
        """What is known after one more answer; None where nothing fits all answers any more."""
        number, cell = at
        things = self.game.scene.things
        inside = slice(cell, cell + len(things))
        voters = int(found.voters[number])
        shares = found.votes[inside] / voters
        own = found.probabilities[inside] if self.how.combine == "softmax" else shares
        reference = shares > 0
        asked = parse(turn.question)
        assert asked is not None  # noqa: S101 - what is not covered has no label
        self.turns += (place,)
        told = [_reason(turn, voters, votes) for votes in found.votes[inside].astype(int).tolist()]
        if self.weights is None:
            self.weights, kept, self.why = own * reference, own, [[each] for each in told]
        else:
            # A softmax gives every candidate something; who is in no reference set stays out.
            self.weights = kept = self.weights * own * reference
            for reasons, each in zip(self.why, told, strict=True):
                reasons.append(each)
        if not (self.weights > 0).any():
            self.coverage.contradicted += 1
            if self.how.all_zero == "unlabelled":
                return None
        widths = np.array([len(things)], dtype=np.int64)
        probabilities = combined(kept, widths, all_zero=self.how.all_zero)
        first = len(self.turns) == 1
        return SoftLabel(
            game=self.game.id,
            image=self.game.image,
            turn=place,
            question=turn.question,
            answer="Yes" if turn.answer == "Yes" else "No",
            type=asked.type if first else "dialogue",
            objects=tuple(thing.id for thing in things),
            probabilities=tuple(probabilities.tolist()),
            reference=tuple((self.weights > 0).tolist()),
            source=f"{'+'.join(self.how.rules)} {self.how.combine}",
            turns=self.turns,
            why=tuple(
                f"{number} {thing.category}: {'; '.join(reasons)}"
                for number, (thing, reasons) in enumerate(
                    zip(things, self.why, strict=True), start=1
                )
            ),
        )


def _reason(turn: Turn, voters: int, votes: int) -> str:
    """What an answer says of one candidate, for a person to read."""
    if voters == 1:
        left = "stays" if votes else "is ruled out"
    else:
        left = f"stays by {votes} of {voters} rules" if votes else "is ruled out by every rule"
    return f"{turn.question.strip()} {turn.answer} ({left})"
