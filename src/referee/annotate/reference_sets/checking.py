"""Reference sets against each other, against the dialogues, and by a model's correlations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.annotate.reference_sets.projections import Projections, Projects
from referee.datasets.densevisdial import ReferenceSet
from referee.datasets.files import Skipped, refuse
from referee.datasets.visdial_file import RoundKey
from referee.errors import DataError
from referee.games.model import Round, VisDial

Floats = NDArray[np.float64]


def of_dialogues(
    sets: Iterable[ReferenceSet],
    games: Iterable[VisDial],
    skipped: Skipped = None,
    path: Path | None = None,
) -> Iterator[ReferenceSet]:
    """The sets (of the file `path`) whose round is one of the dialogues, and whose references its options."""
    known = {
        RoundKey(game.image, number): asked
        for game in games
        for number, asked in enumerate(game.rounds)
    }
    for row in sets:
        problem = _departure(row, known.get(row.key))
        if problem is None:
            yield row
        else:
            refuse(problem.located(file=path, record=str(row.key)), skipped)


def _departure(row: ReferenceSet, asked: Round | None) -> DataError | None:
    if asked is None:
        return DataError("no dialogue has this round", expected="a round of the dialogues")
    if len(asked.options) != len(row.mask):
        return DataError(
            f"has {len(row.mask)} marks for {len(asked.options)} options", field="in_cluster_idxs"
        )
    if asked.question != row.question:
        return DataError(f"asks {row.question!r}", field="question", expected=asked.question)
    truth = asked.answer if asked.gt_index is None else asked.options[asked.gt_index]
    if truth is not None and truth != row.gt_answer:
        return DataError(f"is {row.gt_answer!r}", field="gt_answer", expected=truth)
    for place, text in marked(row).items():
        if asked.options[place] != text:
            return DataError(
                f"has {text!r} for option {place}", field="refs", expected=asked.options[place]
            )
    return None


def marked(row: ReferenceSet) -> dict[int, str]:
    """The references by the place of their option."""
    places = (place for place, mark in enumerate(row.mask) if mark)
    return dict(zip(places, row.references, strict=True))


def disagreement(one: ReferenceSet, other: ReferenceSet) -> DataError | None:
    """What two sets of the same round say differently about the round itself, not about the answers.

    They must be about the same question, ground truth and options: an option that both have marked is
    the same text in both, and no text is in both under two different options.
    """
    record = str(one.key)
    if len(one.mask) != len(other.mask):
        message = f"has {len(other.mask)} marks"
        return DataError(message, record=record, expected=f"{len(one.mask)}, as the reference")
    for field in ("question", "gt_answer"):
        ours, theirs = getattr(one, field), getattr(other, field)
        if ours != theirs:
            message = f"is {theirs!r}"
            return DataError(message, record=record, field=field, expected=f"{ours!r}")
    first, second = marked(one), marked(other)
    places = {text: place for place, text in first.items()}
    for place, text in second.items():
        if places.get(text, place) != place or first.get(place, text) != text:
            said = first.get(place)
            return DataError(
                f"has {text!r} as option {place}",
                record=record,
                field="refs",
                expected=f"option {places[text]}" if said is None else f"{said!r}",
            )
    return None


def within(
    sets: Sequence[ReferenceSet], model: Projects, *, of_question: bool = False
) -> Iterator[Floats]:
    """For each set the correlations of its members with the ground truth, its own 1 included.

    With `of_question` they are with the question. Where the ground truth (or the question) projects to
    nothing they are all NaN.
    """
    answers = Projections(model.answers)
    anchors = Projections(model.questions) if of_question else answers
    members = answers.rows([text for row in sets for text in row.references])
    places = anchors.rows([row.question if of_question else row.gt_answer for row in sets])
    known = anchors.known(places)
    ends = np.cumsum([len(row.references) for row in sets])
    for place, fine, rows in zip(places, known, np.split(members, ends[:-1]), strict=True):
        product = answers.table[rows] @ anchors.table[place]
        yield product if fine else np.full(len(rows), np.nan)
