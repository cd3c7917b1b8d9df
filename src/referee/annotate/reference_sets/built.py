"""One round's reference set, and the count of what became of all rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.datasets.densevisdial import ReferenceSet
from referee.datasets.files import Skipped, refuse
from referee.datasets.visdial_file import RoundKey
from referee.errors import DataError
from referee.games.model import Round, VisDial


@dataclass
class Counts:
    """How many sets were built, of how many references, and what else was found on the way.

    `without_relevance` are rounds in which people found nothing relevant, `unknown_options` are those
    that a model projects to nothing.
    """

    built: int = 0
    references: int = 0
    without_relevance: int = 0
    unknown_options: int = 0

    def counted(self, row: ReferenceSet) -> ReferenceSet:
        """The set, counted."""
        self.built += 1
        self.references += len(row.references)
        return row


class Asked(NamedTuple):
    """A round of which a set can be built: its game, its number from 0, and its ground truth's place."""

    game: VisDial
    number: int
    round: Round
    gt_index: int

    @property
    def key(self) -> RoundKey:
        """The round."""
        return RoundKey(self.game.image, self.number)


def rounds(
    games: Iterable[VisDial], skipped: Skipped = None, *, annotated: bool = False
) -> Iterator[Asked]:
    """The rounds of which sets can be built; the others, such as a test round, are problems.

    With `annotated` only the rounds with relevances are looked at.
    """
    for game in games:
        for number, asked in enumerate(game.rounds):
            if annotated and asked.relevance is None:
                continue
            problem = _problem(asked)
            if problem is None:
                assert asked.gt_index is not None  # noqa: S101 - that would have been the problem
                yield Asked(game, number, asked, asked.gt_index)
                continue
            message, expected = problem
            record = str(RoundKey(game.image, number))
            refuse(DataError(message, record=record, expected=expected), skipped)


def _problem(asked: Round) -> tuple[str, str] | None:
    if not asked.options:
        return "has no answer options", "the options from which a set is taken"
    if asked.gt_index is None:
        return "has no ground truth", "gt_index, as train and val have it"
    if len(set(asked.options)) < len(asked.options):
        return "has an answer option twice", "distinct options"
    return None


def reference_set(asked: Asked, mask: NDArray[np.bool_]) -> ReferenceSet:
    """The options where the mask is true, as DenseVisDial has it."""
    options = asked.round.options
    return ReferenceSet(
        image=asked.game.image,
        round=asked.number,
        mask=tuple(mask.astype(int).tolist()),
        references=tuple(options[place] for place in np.flatnonzero(mask)),
        question=asked.round.question,
        gt_answer=options[asked.gt_index],
        form=asked.game.forms.scene,
    )


def human_set(relevance: tuple[float, ...], gt_index: int) -> NDArray[np.bool_]:
    """H = {A : rho(A) > 0} and the ground truth (answers.txt, section 4.2.1), as a mask [options].

    >>> human_set((0.0, 0.2, 0.0, 1.0), 2).tolist()
    [False, True, True, True]
    """
    mask: NDArray[np.bool_] = np.array(relevance) > 0
    mask[gt_index] = True
    return mask
