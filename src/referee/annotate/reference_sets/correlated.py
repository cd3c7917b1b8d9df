"""Reference sets of whole splits: H from relevances, and Sigma, M and G from a CCA's correlations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice

import numpy as np
from msgspec import Struct

from referee.annotate.reference_sets.built import (
    Asked,
    Counts,
    human_set,
    reference_set,
    rounds,
)
from referee.annotate.reference_sets.projections import Projections, Projects
from referee.datasets.densevisdial import ReferenceSet
from referee.datasets.files import Skipped, refuse
from referee.errors import DataError
from referee.games.model import VisDial
from referee.metrics.clustering import Method, Pairing, correlated_sets, round_correlations

_BATCH = 4096


class How(Struct, frozen=True):
    """How a set is taken from correlations; the defaults are the paper's Sigma."""

    method: Method = "sigma"
    pairing: Pairing = "gt-rest"
    clusters: int = 5

    @property
    def of_question(self) -> bool:
        """Whether the correlations are with the question, not with the ground truth."""
        return self.pairing.startswith("q")


def human(
    games: Iterable[VisDial], counts: Counts, skipped: Skipped = None
) -> Iterator[ReferenceSet]:
    """The sets H of the annotated rounds; one in which people found nothing relevant has none."""
    for asked in rounds(games, skipped, annotated=True):
        relevance = asked.round.relevance or ()
        if any(relevance):
            yield counts.counted(reference_set(asked, human_set(relevance, asked.gt_index)))
        else:
            counts.without_relevance += 1


def correlated(
    games: Iterable[VisDial],
    model: Projects,
    how: How,
    counts: Counts,
    skipped: Skipped = None,
) -> Iterator[ReferenceSet]:
    """The sets of all rounds by a model's correlations, some thousand rounds at a time.

    A round whose ground truth (or question, where that is correlated) projects to nothing is a
    problem: it correlates with no answer. An option that projects to nothing has correlation 0, and is
    counted.
    """
    answers = Projections(model.answers)
    anchors = Projections(model.questions) if how.of_question else answers
    for batch in _batches(rounds(games, skipped)):
        options = answers.rows([text for asked in batch for text in asked.round.options])
        places = anchors.rows([_anchor(asked, how) for asked in batch])
        counts.unknown_options += int((~answers.known(options)).sum())
        known = anchors.known(places)
        table = options.reshape(len(batch), -1)[known]
        correlations = round_correlations(anchors.table[places[known]], answers.table, table)
        judged = [asked for asked, fine in zip(batch, known, strict=True) if fine]
        truths = np.array([asked.gt_index for asked in judged], dtype=np.int64)
        masks = correlated_sets(correlations, truths, how.method, how.pairing, how.clusters)
        for asked in (asked for asked, fine in zip(batch, known, strict=True) if not fine):
            refuse(_unknown(asked, how), skipped)
        for asked, mask in zip(judged, masks, strict=True):
            yield counts.counted(reference_set(asked, mask))


def _anchor(asked: Asked, how: How) -> str:
    return asked.round.question if how.of_question else asked.round.options[asked.gt_index]


def _unknown(asked: Asked, how: How) -> DataError:
    what = "question" if how.of_question else "ground truth"
    return DataError(
        f"the {what} {_anchor(asked, how)!r} has no projection",
        record=str(asked.key),
        expected="a text that the model gives a finite vector other than zero",
    )


def _batches(found: Iterable[Asked]) -> Iterator[list[Asked]]:
    """Some thousand rounds at a time, all with equally many options."""
    for _, alike in groupby(found, lambda asked: len(asked.round.options)):
        while batch := list(islice(alike, _BATCH)):
            yield batch
