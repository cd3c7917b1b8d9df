"""Whether the rules put the target where the answer says it is (belief.txt, appendix A)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from referee.annotate.soft_labels.candidates import candidates
from referee.annotate.soft_labels.dialogues import Which
from referee.annotate.soft_labels.first_turns import guesswhat
from referee.annotate.soft_labels.labelling import ANSWER_CODES
from referee.annotate.soft_labels.questions import parse
from referee.games import GuessWhat, Transcript, Turn
from referee.metrics.belief.ragged import Flags, starts
from referee.metrics.belief.rules import PAPER, RULES, Thresholds

UNIONS: Mapping[str, tuple[str, ...]] = {
    "_".join(name.lower() for name in names): names
    for count in range(1, len(RULES) + 1)
    for names in combinations(RULES, count)
}
"""Each rule and each union of rules, by the name that its accuracy has."""


@dataclass(frozen=True, eq=False)
class Asked:
    """An absolute spatial question that was answered Yes or No."""

    game: GuessWhat
    place: int
    turn: Turn
    region: str


@dataclass(frozen=True, eq=False)
class TargetHits:
    """The spatial turns of dialogues, and for each of `UNIONS` whether the target is in its reference set."""

    asked: tuple[Asked, ...]
    hits: Mapping[str, Flags]


def target_hits(
    transcripts: Iterable[Transcript], which: Which = "first", limits: Thresholds = PAPER
) -> TargetHits:
    """Looks at the targets of all turns that ask for a place in pictures of known size.

    A union of rules has the target in its reference set where any of them has; after a No, where any of
    them has it in the complement of the place.
    """
    asked = tuple(_asked(transcripts, which))
    known = candidates(each.game.scene for each in asked)
    targets = np.array([each.game.target_index for each in asked], dtype=np.int64)
    edges = known.edges[starts(known.widths) + targets]
    said = np.array([ANSWER_CODES[each.turn.answer] for each in asked], dtype=np.int8) == 1
    regions: NDArray[np.str_] = np.array([each.region for each in asked], dtype=np.str_)
    right = {name: np.zeros(len(asked), dtype=np.bool_) for name in RULES}
    for region in dict.fromkeys(regions.tolist()):
        rows = np.flatnonzero(regions == region)
        for name, rule in RULES.items():
            right[name][rows] = rule(edges[rows], region, limits) == said[rows]
    hits = {
        name: np.logical_or.reduce([right[rule] for rule in rules])
        for name, rules in UNIONS.items()
    }
    return TargetHits(asked, hits)


def _asked(transcripts: Iterable[Transcript], which: Which) -> Iterable[Asked]:
    for transcript in transcripts:
        game = guesswhat(transcript)
        if game.scene.width <= 0 or game.scene.height <= 0:
            continue
        turns = transcript.turns[: 1 if which == "first" else None]
        for place, turn in enumerate(turns, start=1):
            found = parse(turn.question)
            if found is not None and found.type == "spatial" and turn.answer in ANSWER_CODES:
                yield Asked(game, place, turn, found.names[0])
