"""Soft labels of answered questions by COCO's categories and by rules over boxes (belief.txt, 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from referee.annotate.soft_labels.candidates import Candidates, colour_bits
from referee.annotate.soft_labels.concepts import UNSURE, YES, truths
from referee.annotate.soft_labels.questions import Asked
from referee.errors import UsageError
from referee.metrics.belief.labels import AllZero, Combine, combined
from referee.metrics.belief.ragged import Counts, Floats, cells, spread, sums
from referee.metrics.belief.rules import PAPER, RULES, Thresholds

Status: TypeAlias = Literal[
    "labelled", "not covered", "N/A", "people differ", "nothing known", "nothing fits"
]
STATUSES: tuple[Status, ...] = get_args(Status)
LABELLED, NOT_COVERED, NOT_APPLICABLE, DIFFER, UNKNOWN, NOTHING_FITS = range(len(STATUSES))

ANSWER_CODES = {"Yes": 1, "No": 0}
"""Any other answer is N/A."""


class How(Struct, frozen=True):
    """Which rules vote, how their counts become a distribution, and what becomes of all zeros."""

    rules: tuple[str, ...] = ("R1", "R2", "R3")
    combine: Combine = "normalise"
    all_zero: AllZero = "unlabelled"
    thresholds: Thresholds = PAPER

    def __post_init__(self) -> None:
        """There is no other rule, and none votes twice."""
        known = ", ".join(RULES)
        if not self.rules or any(rule not in RULES for rule in self.rules):
            raise UsageError(f"rules are some of {known}; not '{','.join(self.rules)}'")
        if len(set(self.rules)) < len(self.rules):
            raise UsageError(f"a rule votes once; not '{','.join(self.rules)}'")


@dataclass(frozen=True, eq=False)
class Answered:
    """Answered questions: the game of each, what it asks (None: not covered), 1 Yes, 0 No, -1 N/A."""

    games: Counts
    asked: Sequence[Asked | None]
    answers: NDArray[np.int8]


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
    widths = candidates.widths[questions.games]
    flat = cells(questions.games, candidates.widths)
    kinds, codes = _coded(questions.asked)
    statuses = np.where(codes < 0, NOT_COVERED, LABELLED).astype(np.int8)
    statuses[(questions.answers < 0) & (codes >= 0)] = NOT_APPLICABLE
    statuses[(widths == 0) & (statuses == LABELLED)] = UNKNOWN
    spatial_kind = np.array([asked.type == "spatial" for asked in kinds] + [False])
    spatial = spatial_kind[codes]
    voters = np.where(spatial, len(chosen.rules), 1)
    votes = np.zeros(len(flat))
    order = np.argsort(codes, kind="stable")
    edges = np.searchsorted(codes[order], np.arange(len(kinds) + 1))
    for code, asked in enumerate(kinds):
        rows = order[edges[code] : edges[code + 1]]
        rows = rows[statuses[rows] == LABELLED]
        inside = cells(rows, widths)
        votes[inside], unread = _votes(candidates, asked, flat[inside], widths[rows], chosen)
        if asked.type == "spatial":
            unread = np.where(candidates.placed[questions.games[rows]], LABELLED, UNKNOWN)
        statuses[rows] = unread
    no = spread((questions.answers == 0) & (statuses == LABELLED), widths)
    votes = np.where(no, spread(voters, widths) - votes, votes)
    votes[spread(statuses != LABELLED, widths)] = 0.0
    empty = (statuses == LABELLED) & (sums(votes, widths) == 0)
    if chosen.all_zero == "unlabelled":
        statuses[empty] = NOTHING_FITS
    probabilities = _distributions(votes, widths, spatial, chosen)
    probabilities[spread(statuses != LABELLED, widths)] = np.nan
    return Labels(statuses, votes, voters, probabilities, widths, spatial)


def _distributions(votes: Floats, widths: Counts, spatial: NDArray[np.bool_], how: How) -> Floats:
    """The paper speaks of a softmax for spatial questions only; a category is shared out in any case."""
    plain = combined(votes, widths, all_zero=how.all_zero)
    if how.combine == "normalise":
        return plain
    soft = combined(votes, widths, how.combine, how.all_zero)
    return np.where(spread(spatial, widths), soft, plain)


def _coded(asked: Sequence[Asked | None]) -> tuple[list[Asked], Counts]:
    """The different things that are asked for, and the place of each question's among them, -1 of none."""
    places: dict[Asked | None, int] = {None: -1}
    # Questions that were parsed before are the same objects, and a look at an address is cheap.
    known: dict[int, int] = {}
    codes = np.empty(len(asked), dtype=np.int64)
    for number, each in enumerate(asked):
        place = known.get(id(each))
        if place is None:
            place = known[id(each)] = places.setdefault(each, len(places) - 1)
        codes[number] = place
    return [each for each in places if each is not None], codes


def _votes(
    candidates: Candidates, asked: Asked, flat: Counts, widths: Counts, how: How
) -> tuple[Floats, NDArray[np.int8]]:
    """The votes for Yes, and whether they can be told for each question."""
    told = np.full(len(widths), LABELLED, dtype=np.int8)
    if asked.type == "spatial":
        edges, (region,) = candidates.edges[flat], asked.names
        found = [RULES[rule](edges, region, how.thresholds) for rule in how.rules]
        return np.sum(found, axis=0, dtype=np.float64), told
    if asked.type == "colour":
        held = candidates.colours[flat]
        told[sums(held == 0, widths) > 0] = UNKNOWN
        return ((held & colour_bits(asked.names)) > 0).astype(np.float64), told
    row = truths(asked.names)[candidates.categories[flat]]
    told[sums(row == UNSURE, widths) > 0] = DIFFER
    return (row == YES).astype(np.float64), told
