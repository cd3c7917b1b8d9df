"""The values: means of columns, what the classifiers tell besides, and GROLLA from seven means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from referee.evaluations.evaluation import Collected
from referee.evaluations.grounding.measuring import (
    COLUMNS,
    DOMAINS,
    measures,
    of_attributes,
    of_curves,
    of_dialogues,
    of_play,
)
from referee.evaluations.grounding.options import Part
from referee.evaluations.measures import (
    PERCENT,
    Intervals,
    Measure,
    number,
    percent,
    summarise,
)
from referee.evaluations.questions.measuring import of_words
from referee.evaluations.result import Row, Value, finite
from referee.metrics import probing
from referee.metrics.statistics import OfTotals, mean_of, totals_intervals

Floats = NDArray[np.float64]


@dataclass
class Held:
    """What `collect` leaves for the values."""

    parts: frozenset[Part]
    extra: dict[str, Value] = field(default_factory=dict)


def values(collected: Collected, how: Intervals, skipped: int) -> dict[str, Value]:
    """Every value of the parts that are judged."""
    held = collected.arrays
    assert isinstance(held, Held)  # noqa: S101 - `collect` has left it
    found: dict[str, Value] = {}
    for measure in _asked(held, collected):
        rows = collected.games if measure.table == "games" else collected.turns
        counted = skipped if measure.column == "success" else 0
        found[measure.name] = summarise(measure, rows, how, counted)
    found |= held.extra
    # Of what was not played, or not asked, no more is said than that it is part of the score.
    kept = (*COLUMNS, *_of_played(collected))
    found = {
        name: value
        for name, value in found.items()
        if name in kept or value.n or value.n_failed or name.startswith(("precision", "recall"))
    }
    if len(held.parts - {"dialogue"}) == 3:  # noqa: PLR2004 all three tasks
        found = {"grolla": _grolla(collected.games, how), **found}
    order = [*COLUMNS, "grolla"]
    first = {name: found[name] for name in order if name in found}
    return first | found


def _of_played(collected: Collected) -> Iterator[str]:
    """The names of the quality of dialogues that there are: null where nothing of a kind was asked."""
    domains = {row.get("domain") for row in collected.turns}
    for domain in DOMAINS:
        if domain in domains:
            yield from (f"{measure.name}_{domain}" for measure in of_words())


def _asked(held: Held, collected: Collected) -> Iterator[Measure]:
    columns = dict.fromkeys(name for row in collected.games for name in row)
    for measure in of_play():
        part = "gameplay" if measure.name == "gameplay" else "zero-shot"
        if part in held.parts:
            yield measure
    if "attributes" in held.parts:
        # f1, precision and recall stand there even where they are unknown: null, with a reason.
        for measure in of_attributes():
            plain = measure.name.partition("_")[0] in ("f1", "precision", "recall")
            if plain or measure.column in columns:
                yield measure
        yield from of_curves(columns)
    if "dialogue" in held.parts:
        yield from of_dialogues()


def _grolla(games: list[Row], how: Intervals) -> Value:
    """(gameplay + the mean of four F1s + the mean of near and out) / 3, with its interval."""
    listed = {measure.name: measure for measure in measures(())}
    units: dict[tuple[str, str], int] = {}
    sums = [_sums(listed[name], games, how.by, units) for name in COLUMNS]
    totals = np.zeros((len(units), 2 * len(COLUMNS)))
    n = 0
    for place, (codes, numbers) in enumerate(sums):
        n += len(codes)
        np.add.at(totals[:, 2 * place], codes, numbers)
        np.add.at(totals[:, 2 * place + 1], codes, 1.0)
    blank = Value(None, None, PERCENT, True, n_clusters=0)
    if not all(len(codes) for codes, _ in sums):
        return blank
    statistic = OfTotals(slice(0, totals.shape[1]), _nested, n=n, n_clusters=len(units))
    (interval,) = totals_intervals(
        totals,
        [statistic],
        method=how.method,
        level=how.level,
        resamples=how.resamples,
        seed=how.seed,
    )
    return percent(interval)


def _sums(
    measure: Measure, games: list[Row], by: str, units: dict[tuple[str, str], int]
) -> tuple[NDArray[np.int64], Floats]:
    """Of which unit each number is; a zero-shot picture may have the id of one of COCO's."""
    codes, numbers = [], []
    for row in filter(measure.counts, games):
        value = number(row[measure.column])
        if np.isfinite(value):
            unit = (str(row.get("domain")), str(row[by]))
            codes.append(units.setdefault(unit, len(units)))
            numbers.append(value * measure.scale)
    return np.array(codes, dtype=np.int64), np.array(numbers)


def _nested(sums: Floats) -> Floats:
    """GROLLA of seven sums and counts; NaN where a resample has none of one."""
    means = mean_of(sums.reshape(*sums.shape[:-1], len(COLUMNS), 2))
    play, attributes, zero_shot = means[..., 0], means[..., 1:5], means[..., 5:]
    result: Floats = (play + attributes.mean(axis=-1) + zero_shot.mean(axis=-1)) / 3
    return result


def of_columns(numbers: list[float]) -> dict[str, Value]:
    """The score of seven numbers, and the three of which it is the mean."""
    score = probing.grolla(*numbers)
    found = {
        "gameplay": numbers[0],
        "attributes": float(np.mean(numbers[1:5])),
        "zero_shot": float(np.mean(numbers[5:])),
        "grolla": score,
    }
    return {name: Value(finite(value), None, PERCENT, True) for name, value in found.items()}
