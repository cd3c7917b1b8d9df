"""Soft labels of answered questions by COCO's categories and by rules over boxes (belief.txt, 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from referee.annotate.soft_labels.asking import Asking
from referee.annotate.soft_labels.candidates import Candidates
from referee.annotate.soft_labels.how import (
    LABELLED,
    NOT_APPLICABLE,
    NOT_COVERED,
    NOTHING_FITS,
    STATUSES,
    UNKNOWN,
    How,
)
from referee.annotate.soft_labels.questions import Asked
from referee.metrics.belief.labels import combined
from referee.metrics.belief.ragged import Counts, Floats, spread, starts

__all__ = ["ANSWER_CODES", "LABELLED", "STATUSES", "Answered", "How", "Labels", "label"]

_BLOCK = 1 << 13
"""So many questions at once keep their arrays in the processor's caches."""
_THREADS = 2

_Fields: TypeAlias = tuple[NDArray[np.int8], Floats, Counts, Floats, Counts, NDArray[np.bool_]]
"""The fields of `Labels`."""

ANSWER_CODES = {"Yes": 1, "No": 0}
"""Any other answer is N/A."""


@dataclass(frozen=True, eq=False)
class Answered:
    """Answered questions: the game of each, what it asks (None: not covered), 1 Yes, 0 No, -1 N/A."""

    games: Counts
    asked: Sequence[Asked | None]
    answers: NDArray[np.int8]

    @cached_property
    def coded(self) -> tuple[tuple[Asked, ...], Counts]:
        """The different things that are asked for, and each question's place among them, -1 of none."""
        places: dict[Asked | None, int] = {None: -1}
        # Questions that were parsed before are the same objects, and a look at an address is cheap.
        known = dict(zip(map(id, self.asked), self.asked, strict=True))
        codes = {name: places.setdefault(each, len(places) - 1) for name, each in known.items()}
        found = map(codes.__getitem__, map(id, self.asked))
        kinds = tuple(each for each in places if each is not None)
        return kinds, np.fromiter(found, dtype=np.int64, count=len(self.asked))


@dataclass(frozen=True, eq=False)
class Labels:
    """What became of each question, and of each of its candidates.

    `statuses` [questions] are places in `STATUSES`. `votes` [cells] says for each candidate how many of
    the `voters` [questions] put it into the reference set; `probabilities` [cells] is NaN where a
    question is not labelled.
    """

    statuses: NDArray[np.int8]
    votes: Floats
    voters: Counts
    probabilities: Floats
    widths: Counts
    spatial: NDArray[np.bool_]

    @property
    def labelled(self) -> NDArray[np.bool_]:
        """Whether each question has a label."""
        found: NDArray[np.bool_] = self.statuses == LABELLED
        return found

    @property
    def shares(self) -> Floats:
        """The votes of each candidate over the voters."""
        found: Floats = self.votes / spread(self.voters, self.widths)
        return found

    def coverage(self) -> dict[str, int]:
        """How many questions came to what."""
        counted = Counter(self.statuses.tolist())
        return {name: counted[place] for place, name in enumerate(STATUSES)}


def label(candidates: Candidates, questions: Answered, how: How | None = None) -> Labels:
    """The soft label of each question by itself, over the candidates of its game."""
    chosen = how or How()
    kinds, codes = questions.coded
    asking = Asking(candidates, kinds)
    parts = [slice(at, at + _BLOCK) for at in range(0, max(len(codes), 1), _BLOCK)]

    def block(part: slice) -> _Fields:
        return _block(asking, questions.games[part], codes[part], questions.answers[part], chosen)

    with ThreadPoolExecutor(_THREADS) as pool:
        blocks = list(pool.map(block, parts))
    return Labels(*(np.concatenate(each) for each in zip(*blocks, strict=True)))


def _block(
    asking: Asking, games: Counts, codes: Counts, answers: NDArray[np.int8], how: How
) -> _Fields:
    """The fields of `Labels` for some of the questions."""
    widths = asking.known.widths[games]
    statuses = np.where(codes < 0, NOT_COVERED, LABELLED).astype(np.int8)
    statuses[(answers < 0) & (codes >= 0)] = NOT_APPLICABLE
    statuses[(widths == 0) & (statuses == LABELLED)] = UNKNOWN
    spatial = asking.is_spatial[codes]
    votes, told = asking.votes(games, codes, how)
    statuses = np.where(statuses == LABELLED, told, statuses)
    voters = np.where(spatial, len(how.rules), 1)
    _turn(votes, widths, voters, answers == 1, statuses == LABELLED)
    probabilities = _distributions(votes, widths, spatial, how)
    if how.all_zero == "unlabelled":
        held = np.flatnonzero(statuses == LABELLED)
        statuses[held[np.isnan(probabilities[starts(widths)[held]])]] = NOTHING_FITS
    else:
        probabilities[spread(statuses != LABELLED, widths)] = np.nan
    return statuses, votes, voters, probabilities, widths, spatial


def _distributions(votes: Floats, widths: Counts, spatial: NDArray[np.bool_], how: How) -> Floats:
    """The paper speaks of a softmax for spatial questions only; a category is shared out in any case."""
    plain = combined(votes, widths, all_zero=how.all_zero)
    if how.combine == "normalise":
        return plain
    soft = combined(votes, widths, how.combine, how.all_zero)
    return np.where(spread(spatial, widths), soft, plain)


@njit(cache=True, nogil=True)
def _turn(
    votes: Floats,
    widths: Counts,
    voters: Counts,
    yes: NDArray[np.bool_],
    labelled: NDArray[np.bool_],
) -> None:
    """After a No the votes are those of the rules that were against it; without a label there are none."""
    cell = 0
    for question in range(len(widths)):
        for _ in range(widths[question]):
            if not labelled[question]:
                votes[cell] = 0
            elif not yes[question]:
                votes[cell] = voters[question] - votes[cell]
            cell += 1
