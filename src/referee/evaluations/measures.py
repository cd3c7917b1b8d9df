"""From rows to values: every value of an evaluation is the mean (or median …) of a column of its rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.evaluations.result import Cell, Row, Value, finite
from referee.metrics.ranking import weighted_median
from referee.metrics.statistics import (
    Interval,
    bootstrap_interval,
    exact_proportion,
    kinds_interval,
)

PERCENT = "%"
COUNT = "count"
"""The unit of a sum over all rows, which is a whole number."""


class Measure(Struct, frozen=True):
    """A named value and the rows it is taken from.

    A row counts where it holds `where` and `and_where` (a column and what must stand there) and has
    the column; a row that has the column but None in it should have counted and has failed. A measure
    in percent is 100 times the mean of its column. `ddof` is what its standard deviation takes off the
    number of rows.

    Of a column of lists, `kinds` counts the different members over all rows and `diversity` is their
    share of all members; their intervals are by the jackknife (`kinds_interval`), and n counts members.

    What two runs cannot differ in, or what repeats another measure, is not `compared`: it would only
    make the adjusted tests of the others weaker.
    """

    name: str
    column: str
    table: Literal["games", "turns"] = "games"
    unit: str = ""
    higher_is_better: bool | None = None
    where: tuple[str, Cell] | None = None
    statistic: Literal["mean", "median", "sum", "kinds", "diversity"] = "mean"
    ddof: int = 1
    and_where: tuple[str, Cell] | None = None
    compared: bool = True

    @property
    def scale(self) -> float:
        """What the column is multiplied with."""
        return 100.0 if self.unit == PERCENT else 1.0

    def counts(self, row: Row) -> bool:
        """Whether the row belongs to this measure, judged or failed."""
        if self.column not in row:
            return False
        wanted = filter(None, (self.where, self.and_where))
        return all(row.get(column) == value for column, value in wanted)


class Intervals(Struct, frozen=True, forbid_unknown_fields=True):
    """How the intervals are made: a bootstrap that draws whole pictures or games, from a fixed seed."""

    level: Annotated[float, Meta(gt=0, lt=1)] = 0.95
    resamples: Annotated[int, Meta(ge=1)] = 2000
    method: Literal["percentile", "bca"] = "percentile"
    by: Literal["image", "game"] = "image"
    seed: Annotated[int, Meta(ge=0)] = 0


def intervals(text: str) -> Intervals:
    """The intervals that a text sets.

    >>> intervals("method=bca, by=game") == Intervals(method="bca", by="game")
    True
    """
    names = ", ".join(Intervals.__struct_fields__)
    parts = [part.partition("=") for part in text.split(",") if part.strip()]
    if not all(sign for _, sign, _ in parts):
        raise UsageError(f"intervals '{text}': expected name=value, of {names}")
    given = {name.strip(): value.strip() for name, _, value in parts}
    try:
        return msgspec.convert(given, Intervals, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"intervals '{text}': {error} (they have {names})") from None


def number(cell: Cell) -> float:
    """The cell as a number; NaN where it holds none."""
    return float(cell) if isinstance(cell, bool | int | float) else math.nan


def column(
    measure: Measure, rows: Iterable[Row], by: str = "image"
) -> tuple[NDArray[np.float64], list[str], int]:
    """The finite numbers of a measure's column (not scaled), their pictures or games, how many failed."""
    numbers: list[float] = []
    units: list[str] = []
    failed = 0
    for row in rows:
        if not measure.counts(row):
            continue
        value = number(row[measure.column])
        if math.isfinite(value):
            numbers.append(value)
            units.append(str(row[by]))
        else:
            failed += 1
    return np.array(numbers), units, failed


def summarise(measure: Measure, rows: Sequence[Row], intervals: Intervals, skipped: int) -> Value:
    """The value of one measure with its interval; `skipped` counts games that could not be read."""
    if measure.statistic in ("kinds", "diversity"):
        return _of_kinds(measure, rows, intervals, skipped)
    numbers, units, failed = column(measure, rows, intervals.by)
    failed += skipped if measure.table == "games" else 0
    blank = Value(None, None, measure.unit, measure.higher_is_better, n_failed=failed)
    if not len(numbers):
        return msgspec.structs.replace(blank, n_clusters=0)
    interval = _interval(measure, numbers, units, intervals)
    numbers = numbers * measure.scale
    scale = measure.scale * (len(numbers) if measure.statistic == "sum" else 1)
    return msgspec.structs.replace(
        blank,
        value=finite(scale * interval.estimate),
        std=finite(np.sort(numbers).std(ddof=measure.ddof)) if len(numbers) > 1 else None,
        ci_low=finite(scale * interval.low),
        ci_high=finite(scale * interval.high),
        n=len(numbers),
        n_clusters=interval.n_clusters,
    )


def percent(interval: Interval) -> Value:
    """The value of an interval in percent, of which more is better."""
    return Value(
        finite(interval.estimate),
        None,
        PERCENT,
        True,
        finite(interval.low),
        finite(interval.high),
        interval.n,
        0,
        interval.n_clusters,
    )


def _of_kinds(measure: Measure, rows: Sequence[Row], intervals: Intervals, skipped: int) -> Value:
    """The value of a measure of kinds; a row without a list in the column has failed."""
    members: list[str] = []
    units: list[str] = []
    failed = skipped if measure.table == "games" else 0
    for row in filter(measure.counts, rows):
        held = row[measure.column]
        if isinstance(held, list):
            members += held
            units += [str(row[intervals.by])] * len(held)
        else:
            failed += 1
    blank = Value(None, None, measure.unit, measure.higher_is_better, n_failed=failed)
    if not members:
        return msgspec.structs.replace(blank, n_clusters=0)
    share = measure.statistic == "diversity"
    found = kinds_interval(members, units, share=share, level=intervals.level)
    scale = measure.scale
    return msgspec.structs.replace(
        blank,
        value=finite(scale * found.estimate),
        ci_low=finite(scale * found.low),
        ci_high=finite(scale * found.high),
        n=found.n,
        n_clusters=found.n_clusters,
    )


def _interval(
    measure: Measure, numbers: NDArray[np.float64], units: Sequence[str], how: Intervals
) -> Interval:
    first = numbers[0]
    if measure.unit == PERCENT and first in (0, 1) and (numbers == first).all():
        # All right or all wrong: every resample is the same, but so few units do not prove it.
        several = len(set(units))
        return exact_proportion(several * int(first), several, how.level)
    return bootstrap_interval(
        numbers,
        clusters=units,
        statistic=weighted_median if measure.statistic == "median" else "mean",
        method=how.method,
        level=how.level,
        resamples=how.resamples,
        seed=how.seed,
    )
