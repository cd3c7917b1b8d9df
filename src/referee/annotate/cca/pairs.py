"""Training pairs: which question stands beside which answers, about which image."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from referee.annotate.reference_sets import Counts, How, Projects, correlated, human
from referee.datasets.densevisdial import ReferenceSet
from referee.errors import DataError
from referee.games.model import VisDial
from referee.metrics.clustering import Method

Which: TypeAlias = Literal["gt", "H", "sigma", "meanshift", "agglomerative"]
"""The ground truth alone, people's reference sets, or those of a CCA."""


class Group(NamedTuple):
    """A question about an image, and the answers it is paired with."""

    image: str
    question: str
    answers: Sequence[str]


@dataclass(frozen=True, eq=False)
class Pairs:
    """The distinct texts and images, and for each pair the number of each, [pairs]."""

    answers: tuple[str, ...]
    questions: tuple[str, ...]
    images: tuple[str, ...]
    rows: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]
    """Numbers of answers, of questions, and of images."""

    def __len__(self) -> int:
        return len(self.rows[0])


def pairs(groups: Iterable[Group]) -> Pairs:
    """Every question with each of its answers; texts are kept once, pairs as three numbers."""
    answers: dict[str, int] = {}
    questions: dict[str, int] = {}
    images: dict[str, int] = {}
    columns = array("i"), array("i"), array("i")
    for group in groups:
        question = questions.setdefault(group.question, len(questions))
        image = images.setdefault(group.image, len(images))
        for answer in group.answers:
            columns[0].append(answers.setdefault(answer, len(answers)))
            columns[1].append(question)
            columns[2].append(image)
    rows = tuple(np.frombuffer(column, np.int32) if column else _NONE for column in columns)
    return Pairs(tuple(answers), tuple(questions), tuple(images), rows)  # type: ignore[arg-type]


_NONE = np.zeros(0, np.int32)


def truths(games: Iterable[VisDial]) -> Iterator[Group]:
    """Each question with its ground truth, where the file tells it."""
    for game in games:
        for asked in game.rounds:
            if asked.answer is not None:
                yield Group(game.image, asked.question, (asked.answer,))


def referred(rows: Iterable[ReferenceSet], which: Which) -> Iterator[Group]:
    """Each question with its references, or with the ground truth alone."""
    for row in rows:
        answers = (row.gt_answer,) if which == "gt" else row.references
        yield Group(row.image, row.question, answers)


def built(games: Iterable[VisDial], which: Which, model: Projects | None) -> Iterator[Group]:
    """Each question with the reference set that is made of its options."""
    if which == "gt":
        return truths(games)
    if which == "H":
        return referred(human(games, Counts()), which)
    if model is None:
        raise DataError(f"pairs of {which} need a CCA model or files of references")
    method: Method = which
    return referred(correlated(games, model, How(method), Counts()), which)


def annotated(games: Iterable[VisDial]) -> Iterator[VisDial]:
    """The dialogues with those rounds only in which people found something relevant."""
    for game in games:
        rounds = tuple(asked for asked in game.rounds if any(asked.relevance or ()))
        if rounds:
            yield replace(game, rounds=rounds)


def vocabulary_texts(games: Iterable[VisDial]) -> Iterator[str]:
    """The texts in which the words are counted: captions, questions, ground truths (not the options)."""
    for game in games:
        yield game.caption
        for asked in game.rounds:
            yield asked.question
            if asked.answer is not None:
                yield asked.answer


def reference_texts(rows: Iterable[ReferenceSet]) -> Iterator[str]:
    """The same of a file of reference sets, which has no captions."""
    for row in rows:
        yield row.question
        yield row.gt_answer
