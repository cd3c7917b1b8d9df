"""Are reference sets of use? CCA trained on them, ranked on val (answers.txt, Tables 3, 8 and 9)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from referee.annotate.cca import Directions, Sentences, train
from referee.annotate.cca.pairs import Group, pairs
from referee.evaluations.measures import Intervals, number
from referee.evaluations.ranked import ranked, values
from referee.evaluations.result import Option, Row, Value, finite
from referee.games import VisDial
from referee.metrics.statistics import bootstrap_interval
from referee.players.cca.rankers import Correlating


class Source(Struct, frozen=True):
    """A training set: the rounds it is of and its sets, as the paper names them, and its pairs."""

    on: str
    ref: str
    groups: Iterable[Group]


class Line(Struct, frozen=True):
    """One row of the table.

    `ndcg_gain` is its NDCG less that of the first row that trained on the same rounds.
    """

    on: str
    ref: str
    pairs: int
    values: dict[str, Value]
    ndcg_gain: Value | None = None

    @property
    def name(self) -> str:
        """The row's name in the paper's tables."""
        return f"CCA-AQ, {self.on}, {self.ref}"


class Utility(Struct, frozen=True):
    """The table, and what it was made with."""

    lines: tuple[Line, ...]
    options: dict[str, Option]


def lines(
    sources: Iterable[Source],
    sentences: Sentences,
    games: Sequence[VisDial],
    directions: Directions | None = None,
    intervals: Intervals | None = None,
) -> Iterator[Line]:
    """Trains CCA-AQ on each source and ranks the options of the games with it.

    All share one embedding, so that only the pairs differ from row to row.
    """
    interval = intervals or Intervals()
    first: dict[str, dict[tuple[str, int], float]] = {}
    for source in sources:
        found = pairs(source.groups)
        ranker = Correlating(train(found, sentences, directions or Directions()))
        rows = ranked(ranker, games)
        gains = _gains(rows)
        base = first.setdefault(source.on, gains)
        gain = None if base is gains else _gain(base, gains, interval)
        yield Line(source.on, source.ref, len(found), values(rows, interval), gain)


def _gains(turns: Iterable[Row]) -> dict[tuple[str, int], float]:
    """The NDCG of each round that has one."""
    found = {
        (str(row["image"]), int(number(row["turn"]))): number(row["ndcg"])
        for row in turns
        if "ndcg" in row
    }
    return {key: value for key, value in found.items() if math.isfinite(value)}


def _gain(
    base: dict[tuple[str, int], float], gains: dict[tuple[str, int], float], how: Intervals
) -> Value | None:
    keys = [key for key in gains if key in base]
    if not keys:
        return None
    interval = bootstrap_interval(
        [gains[key] - base[key] for key in keys],
        clusters=[image for image, _ in keys],
        method=how.method,
        level=how.level,
        resamples=how.resamples,
        seed=how.seed,
    )
    return Value(
        finite(interval.estimate),
        higher_is_better=True,
        ci_low=finite(interval.low),
        ci_high=finite(interval.high),
        n=len(keys),
        n_clusters=interval.n_clusters,
    )
