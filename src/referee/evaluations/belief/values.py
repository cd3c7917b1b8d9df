"""The values with their intervals, all from one set of draws of whole pictures (or games).

Every value is computed from sums over pictures: a mean from a sum and a count, a pooled correlation from
six sums, a calibration error from the sums of its bins. So one resampling serves them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from referee.evaluations.belief.columns import Table, Tables
from referee.evaluations.belief.measuring import LEAST, TYPES, means, where
from referee.evaluations.evaluation import Collected
from referee.evaluations.measures import PERCENT, Intervals, Measure
from referee.evaluations.result import Cell, Value, finite
from referee.metrics.belief import calibration, litmus
from referee.metrics.statistics import (
    Interval,
    OfTotals,
    deviation_of,
    exact_proportion,
    mean_of,
    totals_intervals,
)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Codes = NDArray[np.intp]

_RESAMPLED = 2.0
"""How many times a resample needs the correction of the calibration error (see `debiased_ece`)."""


@dataclass(frozen=True)
class _Asked:
    """One value: its statistic, and what it says of itself beside the interval."""

    name: str
    statistic: OfTotals
    unit: str
    higher_is_better: bool | None
    failed: int
    std: float | None = None
    exact: float | None = None
    """Where all rows are right, or all wrong: 1 or 0."""


@dataclass
class _Sums:
    """The sums of each unit that the statistics need, column by column; equal columns stand once."""

    units: int
    columns: list[Floats] = field(default_factory=list)
    places: dict[bytes, int] = field(default_factory=dict)

    def add(self, rows: Floats, codes: Codes) -> list[int]:
        """Adds the sums of these rows' columns, shape (n, columns), and says where they are."""
        return [self._place(np.bincount(codes, column, self.units)) for column in rows.T]

    def _place(self, sums: NDArray[np.generic]) -> int:
        column = sums.astype(np.float64)
        place = self.places.setdefault(column.tobytes(), len(self.columns))
        if place == len(self.columns):
            self.columns.append(column)
        return place


@dataclass
class _Rows:
    """A table with the unit of each row, and what is asked of it again and again."""

    table: Table
    codes: Codes
    sums: _Sums
    masks: dict[tuple[str, Cell], Flags] = field(default_factory=dict)

    def mask(self, *wanted: tuple[str, Cell] | None) -> Flags:
        """The rows in which these columns hold these cells."""
        found = np.ones(len(self.codes), dtype=np.bool_)
        for each in filter(None, wanted):
            if each not in self.masks:
                column, cell = each
                self.masks[each] = np.asarray(self.table.columns[column] == cell, dtype=np.bool_)
            found &= self.masks[each]
        return found

    def statistic(self, mask: Flags, rows: Floats, **told: object) -> OfTotals:
        """A statistic of the sums of these rows."""
        codes = self.codes[mask]
        held = self.sums.add(rows, codes)
        return OfTotals(held, n=len(codes), n_clusters=len(np.unique(codes)), **told)  # type: ignore[arg-type]

    def failed(self, mask: Flags) -> int:
        """How many of the rows have failed."""
        return int((mask & self.table.failed).sum())


def values(collected: Collected, how: Intervals, skipped: int) -> dict[str, Value]:
    """Every value; `skipped` games could not be read and count as failed."""
    tables = collected.arrays
    assert isinstance(tables, Tables)  # noqa: S101 - `collect` has left them
    column = "game" if how.by == "game" else "image"
    units, codes = np.unique(tables.games.columns[column].astype(str), return_inverse=True)
    sums = _Sums(len(units))
    games = _Rows(tables.games, codes, sums)
    turns = _Rows(tables.turns, codes[tables.games_of_turns], sums)
    asked = list(_asked(games, turns, tables.by_turn))
    totals = np.stack(sums.columns, axis=1) if sums.columns else np.empty((len(units), 0))
    intervals = totals_intervals(
        totals,
        [each.statistic for each in asked],
        method=how.method,
        level=how.level,
        resamples=how.resamples,
        seed=how.seed,
    )
    return {
        each.name: _value(each, interval, how, skipped if _of_games(each.name) else 0)
        for each, interval in zip(asked, intervals, strict=True)
    }


def _of_games(name: str) -> bool:
    return name == "task_accuracy"


def _asked(games: _Rows, turns: _Rows, by_turn: int) -> Iterator[_Asked]:
    numbers = _numbers(turns, by_turn)
    listed = {measure.name: measure for measure in means(numbers)}
    yield _mean(listed.pop("task_accuracy"), games)
    yield from _correlations(games)
    for measure in listed.values():
        rows = games if measure.table == "games" else turns
        if measure.column in rows.table.columns:
            yield _mean(measure, rows)
        if measure.name.startswith("complement_probability"):
            yield _deviation(measure, rows)
    for number in numbers:
        yield _calibration(turns, number)


def _numbers(turns: _Rows, most: int) -> list[int]:
    """The turns that have values of their own: those that some games reach, but for the first."""
    reached = np.bincount(turns.table.columns["turn"], minlength=1)
    return [
        number
        for number, many in enumerate(reached.tolist())
        if 1 <= number <= most and many and (number == 1 or many >= LEAST)
    ]


def _mean(measure: Measure, rows: _Rows) -> _Asked:
    mask = rows.mask(measure.where, measure.and_where)
    column = np.asarray(rows.table.columns[measure.column], dtype=np.float64)
    told = mask & np.isfinite(column)
    numbers = column[told] * measure.scale
    sums = np.stack([numbers, np.ones(len(numbers))], axis=1)
    same = len(numbers) > 0 and measure.unit == PERCENT and bool((numbers == numbers[0]).all())
    whole = same and numbers[0] in (0.0, measure.scale)
    return _Asked(
        measure.name,
        rows.statistic(told, sums, estimate=mean_of),
        measure.unit,
        measure.higher_is_better,
        int((mask & ~told).sum())
        if measure.name.startswith("bayes")
        else rows.failed(mask & ~told),
        _std(numbers),
        float(numbers[0] / measure.scale) if whole else None,
    )


def _deviation(measure: Measure, rows: _Rows) -> _Asked:
    mask = rows.mask(measure.where, measure.and_where)
    column = rows.table.columns[measure.column]
    told = mask & np.isfinite(column)
    numbers = column[told] * measure.scale
    sums = np.stack([numbers, np.ones(len(numbers)), numbers * numbers], axis=1)
    return _Asked(
        f"{measure.name}_std",
        rows.statistic(told, sums, estimate=deviation_of),
        measure.unit,
        None,
        rows.failed(mask & ~told),
    )


def _correlations(games: _Rows) -> Iterator[_Asked]:
    moments = games.table.moments
    known = np.isfinite(moments).all(axis=1)
    for kind in TYPES:
        mask = games.mask(where(kind))
        told = mask & known
        yield _Asked(
            f"r_{kind}",
            games.statistic(told, moments[told], estimate=litmus.r),
            "",
            True,
            games.failed(mask & ~told),
        )


def _calibration(turns: _Rows, number: int) -> _Asked:
    mask = turns.mask(("turn", number))
    confident, correct = (turns.table.columns[name] for name in ("confidence", "correct"))
    told = mask & np.isfinite(correct)
    places = calibration.equal_bins(confident[told])
    rows = calibration.binned(confident[told], correct[told], places)
    return _Asked(
        f"ece_turn_{number}",
        turns.statistic(
            told,
            rows,
            estimate=_percent(1.0),
            resampled=_percent(_RESAMPLED),
        ),
        PERCENT,
        False,
        turns.failed(mask & ~told),
    )


def _percent(penalty: float) -> partial[Floats]:
    return partial(_scaled_ece, penalty=penalty)


def _scaled_ece(sums: Floats, penalty: float) -> Floats:
    return 100 * calibration.debiased_ece(sums, penalty)


def _std(numbers: Floats) -> float | None:
    return finite(np.sort(numbers).std(ddof=1)) if len(numbers) > 1 else None


def _value(asked: _Asked, interval: Interval, how: Intervals, skipped: int) -> Value:
    low, high = interval.low, interval.high
    if asked.exact is not None:
        units = interval.n_clusters
        proved = exact_proportion(units * int(asked.exact), units, how.level)
        low, high = 100 * proved.low, 100 * proved.high
    return Value(
        finite(interval.estimate),
        asked.std,
        asked.unit,
        asked.higher_is_better,
        finite(min(low, interval.estimate)),
        finite(max(high, interval.estimate)),
        interval.n,
        asked.failed + skipped,
        interval.n_clusters,
    )
