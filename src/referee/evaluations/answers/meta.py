"""The metrics themselves judged: does a metric order answers as people do?

Each answer option of a round whose relevance people gave is scored as if a model had generated it,
against H without that option. A metric is as good as the rank correlation of its scores with the
relevance, round by round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from referee.datasets.densevisdial import ReferenceSet
from referee.errors import DataError
from referee.evaluations.answers import options as choices
from referee.evaluations.answers.options import Options
from referee.evaluations.answers.references import of_relevance
from referee.evaluations.answers.scoring import Scores, Workload, scoring
from referee.evaluations.evaluation import Collected
from referee.evaluations.measures import Measure
from referee.evaluations.result import Row, finite
from referee.games import Transcript, VisDial
from referee.metrics import correlation

CORRELATIONS = {"spearman": correlation.spearman, "kendall": correlation.kendall}
"""Spearman's rho, and Kendall's tau-b."""


@dataclass(frozen=True)
class _Judged:
    """A round that people judged: H, and the relevance of each option."""

    game: str
    references: ReferenceSet
    options: tuple[str, ...]
    relevance: tuple[float, ...]


def collect(transcripts: Iterable[Transcript], options: Options) -> Collected:
    """One row a judged round with the rank correlations of every metric."""
    found = Collected()
    rounds: list[_Judged] = []
    for transcript in transcripts:
        game = transcript.game
        assert isinstance(game, VisDial)  # noqa: S101 - judge has checked, mypy has not
        judged = list(_judged(game))
        rounds += judged
        found.games.append({"game": game.id, "image": game.image, "n_judged": len(judged)})
    if not rounds:
        raise DataError(
            "no round has a relevance that is not 0", expected="dense annotations (--dense)"
        )
    using = scoring(
        choices.listed(options.metrics),
        choices.listed(options.embedders),
        choices.profile_of(options),
    )
    tests = _Tests(rounds)
    found.turns = [
        {
            "game": one.game,
            "image": one.references.image,
            "turn": one.references.round + 1,
            "option": len(one.options),
            "references": len(one.references.references),
        }
        for one in rounds
    ]
    for scores in using.scores(tests.work):
        _correlate(found.turns, rounds, tests.by_option(scores), scores.name)
    found.notes = [
        "each option is scored against H without itself, and compared with people's relevance",
        "where scores or relevance are the same for all options of a round, there is none (n_failed)",
        *using.notes,
    ]
    found.options = {
        "references": "H from the relevance",
        "metrics": ",".join(using.metrics),
        "embedders": ",".join(f"{one.name} {one.version}" for one in using.embedders),
        "profile": using.profile.name,
    }
    return found


def _judged(game: VisDial) -> Iterator[_Judged]:
    for number, asked in enumerate(game.rounds):
        found = of_relevance(game, number, asked)
        if found is not None and asked.relevance is not None:
            yield _Judged(game.id, found, asked.options, asked.relevance)


class _Tests:
    """The workload: an item for all options outside H, and one for each option inside it.

    `places` says of each hypothesis which round and which option it is.
    """

    def __init__(self, rounds: Sequence[_Judged]) -> None:
        hypotheses: list[list[str]] = []
        references: list[list[str]] = []
        places: list[tuple[int, int]] = []
        for number, one in enumerate(rounds):
            full = list(one.references.references)
            inside = [place for place, mark in enumerate(one.references.mask) if mark]
            outside = [place for place, mark in enumerate(one.references.mask) if not mark]
            items = [(outside, full)]
            items += [([place], [r for r in full if r != one.options[place]]) for place in inside]
            for options, left in items:
                if options and left:
                    hypotheses.append([one.options[place] for place in options])
                    references.append(left)
                    places += [(number, place) for place in options]
        self._shape = (len(rounds), max(len(one.options) for one in rounds))
        self._places = tuple(np.array(places, dtype=np.intp).T)
        corpus = [one.references.references for one in rounds]
        self.work = Workload(hypotheses, references, corpus)

    def by_option(self, scores: Scores) -> NDArray[np.float64]:
        """The scores where they belong, [rounds, options], the higher the better; NaN where there is none."""
        table = np.full(self._shape, np.nan)
        table[self._places] = scores.values if scores.higher else -scores.values
        return table


def _correlate(
    rows: Sequence[Row], rounds: Sequence[_Judged], table: NDArray[np.float64], name: str
) -> None:
    for row, one, scores in zip(rows, rounds, table, strict=True):
        relevance = np.array(one.relevance)
        own = scores[: len(relevance)]
        there = ~np.isnan(own)
        for label, correlate in CORRELATIONS.items():
            row[f"{label}_{name}"] = finite(correlate(own[there], relevance[there]))


def measures(turns: Sequence[Row]) -> Iterator[Measure]:
    """A value for each correlation of each metric."""
    better = partial(Measure, table="turns", higher_is_better=True)
    for name in turns[0]:
        if name.startswith(tuple(CORRELATIONS)):
            yield better(name, name)
