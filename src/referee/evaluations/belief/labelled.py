"""What the first answer of each game says of its candidates: by rules, or by a file of soft labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from referee.annotate.soft_labels import (
    STATUSES,
    TYPES,
    Answered,
    Asked,
    Candidates,
    How,
    candidates,
    label,
    parse,
)
from referee.annotate.soft_labels.labelling import ANSWER_CODES
from referee.annotate.soft_labels.targets import UNIONS, target_hits
from referee.datasets import soft_labels as files
from referee.evaluations.belief.held import Held
from referee.games import Answer, Ask, Transcript
from referee.metrics.belief.labels import Combine
from referee.metrics.belief.ragged import Flags, Floats

if TYPE_CHECKING:
    from referee.datasets.soft_labels import SoftLabel


@dataclass(frozen=True, eq=False)
class Labelled:
    """The labels of the first turns, a row a game that has one.

    `types` [games] are of `TYPES`, or "" without a label. `probabilities` and `reference` [cells] have a
    cell for each candidate, NaN and False where there is no label. `right` has for each of `UNIONS`
    whether the target is on the answer's side, NaN where no place was asked for.
    """

    types: NDArray[np.str_]
    probabilities: Floats
    reference: Flags
    right: Mapping[str, Floats]
    notes: Sequence[str] = ()

    @property
    def labelled(self) -> Flags:
        """Which games have a label."""
        found: Flags = self.types != ""
        return found


def by_rules(held: Sequence[Held], combine: Combine = "normalise") -> Labelled:
    """The labels that COCO's categories and the rules R1, R2 and R3 give; every game has a first turn."""
    known = candidates(each.game.scene for each in held)
    asked = [parse(each.turns[0].question) for each in held]
    said = np.array([ANSWER_CODES.get(each.turns[0].answer, -1) for each in held], dtype=np.int8)
    found = label(known, Answered(np.arange(len(held)), asked, said), How(combine=combine))
    types = [
        each.type if each is not None and fine else ""
        for each, fine in zip(asked, found.labelled.tolist(), strict=True)
    ]
    counts = found.coverage()
    missing = ", ".join(f"{counts[each]} {each}" for each in STATUSES[1:] if counts[each])
    notes = [f"{counts['labelled']} of {len(held)} first turns have a soft label ({missing})"]
    if known.clipped:
        notes.append(f"{known.clipped} boxes left their picture and were cut at its edge")
    reference = found.votes > 0
    accuracy = _right(known, held, asked)
    return Labelled(np.array(types, dtype=np.str_), found.probabilities, reference, accuracy, notes)


def by_file(held: Sequence[Held], path: Path) -> Labelled:
    """The labels of a file; those of other games, of later turns and of other types are left."""
    rows = {row.game: row for row in files.read(path) if row.turn == 1 and row.type in TYPES}
    found = [_fitting(rows.get(each.game.id), each) for each in held]
    probabilities: list[float] = []
    reference: list[bool] = []
    for each, row in zip(held, found, strict=True):
        many = len(each.game.scene.things)
        probabilities += row.probabilities if row is not None else [np.nan] * many
        reference += row.reference if row is not None else [False] * many
    used = [row for row in found if row is not None]
    sources = ", ".join(dict.fromkeys(row.source for row in used))
    types = np.array(["" if row is None else row.type for row in found], dtype=np.str_)
    asked = [parse(each.turns[0].question) for each in held]
    known = candidates(each.game.scene for each in held)
    return Labelled(
        types,
        np.array(probabilities),
        np.array(reference, dtype=np.bool_),
        _right(known, held, asked),
        [f"{len(used)} of {len(held)} first turns have a soft label in {path.name} ({sources})"],
    )


def _fitting(row: SoftLabel | None, held: Held) -> SoftLabel | None:
    if row is not None:
        files.fits(row, _opening(held))
    return row


def _right(
    known: Candidates, held: Sequence[Held], asked: Sequence[Asked | None]
) -> dict[str, Floats]:
    """Whether a rule, or any of several, has the target where people said that it is (appendix A)."""
    places = [
        place
        for place, (each, question) in enumerate(zip(held, asked, strict=True))
        if question is not None
        and question.type == "spatial"
        and each.turns[0].answer in ANSWER_CODES
        and known.placed[place]
    ]
    hits = target_hits([_opening(held[place]) for place in places]).hits if places else {}
    right = {name: np.full(len(held), np.nan) for name in UNIONS}
    for name, found in hits.items():
        right[name][places] = found
    return right


def _opening(held: Held) -> Transcript:
    """The game with its first turn."""
    first = held.turns[0]
    return Transcript(held.game, (Ask(first.question), Answer(first.answer)))
