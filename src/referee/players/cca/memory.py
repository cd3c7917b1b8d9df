"""The training rounds that nearest neighbours and candidates on the fly are taken from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.annotate.cca.pairs import Group, Pairs, pairs, referred, truths
from referee.datasets import densevisdial, visdial
from referee.errors import DataError
from referee.metrics.cca import nearest

Floats = NDArray[np.floating]

DIGITS = 9
MARGIN = 32


@dataclass(frozen=True, eq=False)
class Memory:
    """Training rounds: which question was asked, how it was answered, about which image."""

    rounds: Pairs

    @cached_property
    def _by_question(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rounds of each question, in the order of the file, and where each question's begin."""
        asked = self.rounds.rows[1]
        order = np.argsort(asked, kind="stable")
        return order, np.searchsorted(asked[order], np.arange(len(self.rounds.questions) + 1))

    def rounds_of(
        self, questions: Sequence[int], similarities: Floats, count: int
    ) -> tuple[NDArray[np.int64], Floats]:
        """The first `count` rounds in which these questions were asked, and how similar each is.

        Questions come in their order, most similar first; of one question that was asked often, the
        earliest rounds are taken.
        """
        order, starts = self._by_question
        found: list[NDArray[np.int64]] = []
        repeats: list[int] = []
        left = count
        for question in questions:
            rounds = order[starts[question] : starts[question + 1]][:left]
            found.append(rounds)
            repeats.append(len(rounds))
            left -= len(rounds)
            if not left:
                break
        return np.concatenate(found), np.repeat(similarities[: len(repeats)], repeats)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Finds the training rounds whose questions are nearest: by correlation, or by distance.

    `table` has a row for each distinct question. Rows of length 1 make it correlation; a penalty of
    half the squared length makes it Euclidean distance, which is squared distance short of a constant.
    """

    memory: Memory
    table: Floats
    penalty: Floats | None = None

    def of(self, queries: Floats, count: int) -> list[tuple[NDArray[np.int64], Floats]]:
        """For each query, the nearest `count` rounds and how similar each one's question is."""
        kind = self.table.dtype
        places, _ = nearest(queries.astype(kind), self.table, count + MARGIN, self.penalty)
        places.sort(axis=1)
        # The last digits of a product depend on how many rows are multiplied at once, and what is said
        # must not: some more than are wanted are taken, and compared once more one by one.
        exact = np.einsum("nmd,nd->nm", self.table[places], queries.astype(np.float64))
        if self.penalty is not None:
            exact -= self.penalty[places]
        exact = np.round(exact, DIGITS)
        order = np.argsort(-exact, axis=1, kind="stable")[:, :count]
        best = np.take_along_axis(places, order, 1)
        similarities = np.take_along_axis(exact, order, 1)
        return [
            self.memory.rounds_of(row, values, count)
            for row, values in zip(best.tolist(), similarities, strict=True)
        ]


def memory(dialogues: Iterable[Path], references: Iterable[Path]) -> Memory:
    """The rounds of some files of dialogues, and of reference sets (with their ground truths)."""
    files = [*dialogues, *references]
    groups: list[Iterable[Group]] = [truths(visdial.games(path)) for path in dialogues]
    groups += [referred(densevisdial.read_references(path), "gt") for path in references]
    found = pairs(group for source in groups for group in source)
    if not len(found):
        raise DataError("tells no answer", file=files[0], expected="rounds with answers")
    return Memory(found)
