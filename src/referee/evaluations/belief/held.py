"""The dialogues that are judged, and what was believed after each turn of them, as arrays."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from referee.arena import guessing
from referee.errors import DataError
from referee.games import ANSWERS, Belief, Believe, Guess, GuessWhat, Transcript, Turn
from referee.games.refusal import TOLERANCE
from referee.metrics.belief.litmus import totals_fit
from referee.metrics.belief.ragged import Counts, Flags, Floats, spread, starts, sums
from referee.players.resolve import Player

CODES = {answer: code for code, answer in enumerate(ANSWERS)}
_FEWEST = 2


@dataclass(frozen=True)
class Held:
    """A game and its answered questions; `before` is what was believed before the first, where told.

    `status` is empty where a guesser was fed whose last belief cannot be one.
    """

    game: GuessWhat
    turns: tuple[Turn, ...]
    beliefs: tuple[Belief | None, ...]
    before: Belief | None
    status: str
    guess: str | None
    target: int | None
    """The place of the target; None where there is nothing to be unsure of."""
    leaked: tuple[float, ...] = ()
    """The mass on no candidate before the first question and after each turn; empty: not known."""

    @property
    def judgeable(self) -> bool:
        """Whether the game is among two candidates or more, one of them the target."""
        return self.target is not None


def of_transcript(transcript: Transcript) -> Held:
    """The dialogue, with the beliefs that the transcript holds."""
    game = transcript.game
    assert isinstance(game, GuessWhat)  # noqa: S101 - judge has checked, mypy has not
    events, turns = transcript.events, transcript.turns
    before = events[0].belief if events and isinstance(events[0], Believe) else None
    guess = next((each.candidate for each in reversed(events) if isinstance(each, Guess)), None)
    beliefs = tuple([turn.belief for turn in turns])
    return Held(game, turns, beliefs, before, transcript.status, guess, _target(game))


def _target(game: GuessWhat) -> int | None:
    things, wanted = game.scene.things, game.target
    if len(things) >= _FEWEST:
        for place, thing in enumerate(things):
            if thing.id == wanted:
                return place
    return None


def fed(held: Sequence[Held], guesser: Player, seed: int) -> list[Held]:
    """The dialogues with what the guesser believes when they are fed to it, turn by turn, and its guess."""
    able = [each for each in held if each.judgeable]
    prefixes = (
        (each.game, each.turns[:count]) for each in able for count in range(len(each.turns) + 1)
    )
    said = guessing.beliefs(prefixes, guesser, seed)
    points = callable(getattr(guesser.who, "guess", None))
    whole = ((each.game, each.turns) for each in able)
    pointed = guessing.guesses(whole, guesser, seed) if points else iter(())
    found: list[Held] = []
    for each in held:
        if not each.judgeable:
            found.append(each)
            continue
        rows = [next(said) for _ in range(len(each.turns) + 1)]
        beliefs, leaked = zip(*rows, strict=True)
        guess = next(pointed, None)
        if guess is None:
            guess = _pointed(each, beliefs[-1], seed)
        status = "success" if guess == each.game.target else "failure" if guess else ""
        found.append(
            replace(
                each,
                beliefs=beliefs[1:],
                before=beliefs[0],
                status=status,
                guess=guess,
                leaked=leaked,
            )
        )
    return found


def _pointed(held: Held, belief: Belief, seed: int) -> str | None:
    """The guess that follows from a belief; none from what cannot be one."""
    numbers = belief.probabilities
    fits = len(numbers) == len(held.game.scene.things) and all(each >= 0 for each in numbers)
    return guessing.pointed((held.game, held.turns), belief, seed) if fits else None


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What was believed after each turn, candidate after candidate; NaN where that is not known.

    `widths` is how many candidates each turn's game has, `games` and `numbers` which game and turn (from
    1) it is; `probabilities` and `before` have a cell for each candidate of each turn, and `before` is
    what was believed before the turn's answer. `known` says which turns have a belief that is one.
    """

    held: Sequence[Held]
    games: Counts
    numbers: Counts
    widths: Counts
    targets: Counts
    probabilities: Floats
    before: Floats
    known: Flags
    leaked: Floats
    sources: Sequence[str]
    bad: Sequence[DataError] = ()

    @cached_property
    def first(self) -> Counts:
        """The turns that are the first of their games."""
        return np.flatnonzero(self.numbers == 1)

    @cached_property
    def answers(self) -> NDArray[np.int8]:
        """The answer of each turn, as a place in `ANSWERS`."""
        codes = [CODES[turn.answer] for each in self.held for turn in each.turns]
        return np.array(codes, dtype=np.int8)

    @cached_property
    def sources_used(self) -> str:
        """Where the beliefs come from, the commonest first."""
        counted = Counter(filter(None, self.sources))
        return ", ".join(name for name, _ in counted.most_common())


@dataclass
class _Reading:
    """The beliefs as they are checked: an error for each that is none, by game and turn."""

    held: Sequence[Held]
    bad: dict[tuple[int, int], DataError] = field(default_factory=dict)

    def cells(
        self, beliefs: Sequence[Belief | None], widths: Counts, games: Counts, numbers: Counts
    ) -> Floats:
        """The cells of the beliefs; NaN where there is none, or where it cannot be one."""
        blank = {width: (np.nan,) * width for width in set(widths.tolist())}
        rows: list[tuple[float, ...]] = []
        for place, (belief, width) in enumerate(zip(beliefs, widths.tolist(), strict=True)):
            row = blank[width] if belief is None else belief.probabilities
            if len(row) != width:
                message = f"holds {len(row)} probabilities for {width} candidates"
                self._refuse(int(games[place]), int(numbers[place]), message)
                row = blank[width]
            rows.append(row)
        count = int(widths.sum())
        found = np.fromiter(chain.from_iterable(rows), dtype=np.float64, count=count)
        given = np.array([belief is not None for belief in beliefs], dtype=np.bool_)
        wrong = given & ~totals_fit(found, widths, TOLERANCE)
        begin = starts(widths)
        for place in np.flatnonzero(wrong).tolist():
            row_of = found[begin[place] : begin[place] + widths[place]]
            self._refuse(int(games[place]), int(numbers[place]), _why(row_of))
        found[spread(wrong, widths)] = np.nan
        return found

    def _refuse(self, game: int, turn: int, message: str) -> None:
        error = DataError(
            message,
            record=f"game {self.held[game].game.id}, turn {turn}",
            field="belief",
            expected="one probability for each candidate, with the sum one",
        )
        self.bad.setdefault((game, turn), error)


def _why(row: Floats) -> str:
    if np.isnan(row).any():
        return "holds NaN"
    if (row < 0).any():
        return f"holds a negative number ({row.min():.6g})"
    total = float(row.sum())
    lost = ": the rest is on no candidate (padding?)" if total < 1 else ""
    return f"sums to {total:.6g}{lost}"


def beliefs_of(held: Sequence[Held]) -> Beliefs:
    """The beliefs of games that can be judged; what is no belief is listed in `bad`, game by game."""
    counts = np.array([len(each.turns) for each in held], dtype=np.int64)
    things = np.array([len(each.game.scene.things) for each in held], dtype=np.int64)
    places = np.array([each.target for each in held], dtype=np.int64)
    widths, targets = np.repeat(things, counts), np.repeat(places, counts)
    games = np.repeat(np.arange(len(held)), counts)
    numbers = np.arange(len(games)) - np.repeat(starts(counts), counts) + 1
    reading = _Reading(held)
    told = [belief for each in held for belief in each.beliefs]
    probabilities = reading.cells(told, widths, games, numbers)
    begun = np.flatnonzero(counts)
    openings = [held[place].before for place in begun.tolist()]
    prior = reading.cells(openings, things[begun], begun, np.zeros_like(begun))
    # Nothing told before the first question: every candidate is as likely as another.
    prior = np.where(np.isnan(prior), spread(1 / things[begun], things[begun]), prior)
    known = np.isfinite(sums(probabilities, widths))
    sources = [
        "" if belief is None or not fine else belief.source
        for belief, fine in zip(told, known.tolist(), strict=True)
    ]
    return Beliefs(
        held=held,
        games=games,
        numbers=numbers,
        widths=widths,
        targets=targets,
        probabilities=probabilities,
        before=_before(probabilities, prior, widths, numbers),
        known=known,
        leaked=np.fromiter(_leaks(held), dtype=np.float64, count=len(games)),
        sources=sources,
        bad=[reading.bad[place] for place in sorted(reading.bad)],
    )


def _before(probabilities: Floats, prior: Floats, widths: Counts, numbers: Counts) -> Floats:
    """What was believed before each turn: the belief after the turn before, or before all turns."""
    opening = spread(numbers == 1, widths)
    found = np.empty_like(probabilities)
    places = np.flatnonzero(~opening)
    found[places] = probabilities[places - spread(widths, widths)[places]]
    found[opening] = prior
    return found


def _leaks(held: Iterable[Held]) -> Iterator[float]:
    for each in held:
        yield from each.leaked[1:] if each.leaked else (math.nan,) * len(each.turns)
