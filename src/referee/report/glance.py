"""The few values by which runs are told apart at a glance, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.evaluations.result import Result, Value
from referee.report.tables import CLAIM, interval_name, joined_signature, plain, span

if TYPE_CHECKING:
    from rich.console import RenderableType

_FIRST = 8
"""How many values are shown of an evaluation that names none."""


@dataclass(frozen=True)
class Bar:
    """Where a value and its interval lie on the scale of its table, from 0 to 100."""

    low: float
    value: float
    high: float


@dataclass(frozen=True)
class Cell:
    """One value of one run; a percentage with its place on a scale."""

    value: str
    interval: str
    bar: Bar | None = None


@dataclass(frozen=True)
class Glance:
    """A value a row, a run a column."""

    evaluation: str
    runs: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    interval: str
    notes: tuple[str, ...]
    signature: str


def glance(results: Mapping[str, Result], headline: Sequence[str] = ()) -> Glance:
    """The headline of results of one evaluation, by the names of their runs.

    A value that no run has is left out. A note that not all runs have says whose it is.
    """
    first = next(iter(results.values()))
    every = dict.fromkeys(name for each in results.values() for name in each.values)
    shown = [name for name in headline if name in every] or list(every)[:_FIRST]
    rows = []
    for name in shown:
        values = [each.values.get(name, Value(None)) for each in results.values()]
        known = [value for value in values if value.value is not None]
        if known:
            label = f"{name.replace('_', ' ')} {CLAIM[known[0].higher_is_better]}".strip()
            rows.append((label, tuple(map(cell, values))))
    return Glance(
        first.evaluation,
        tuple(results),
        tuple(rows),
        interval_name(first),
        tuple(_notes(results)),
        joined_signature([each.signature for each in results.values()]),
    )


def cell(value: Value) -> Cell:
    """A value as it is printed; only percentages share a scale."""
    interval = "" if value.ci_low is None else span(value)
    bar = None
    if value.unit == "%" and None not in (value.value, value.ci_low, value.ci_high):
        bar = Bar(*(float(end or 0) for end in (value.ci_low, value.value, value.ci_high)))
    return Cell(plain(value.value, value.unit), interval, bar)


def _notes(results: Mapping[str, Result]) -> list[str]:
    whose: dict[str, list[str]] = {}
    for name, result in results.items():
        for note in result.notes:
            whose.setdefault(note, []).append(name)
    return [
        note if len(names) == len(results) else f"{', '.join(names)}: {note}"
        for note, names in whose.items()
    ]


def rich_glance(shown: Glance) -> RenderableType:
    """The same for the terminal, with its notes and its signature."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(title=shown.evaluation, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for name in shown.runs:
        table.add_column(name, justify="right")
    for label, cells in shown.rows:
        found = (Text.assemble(each.value, (f"\n{each.interval}", "dim")) for each in cells)
        table.add_row(label, *found)
    notes = (Text(f"- {note}") for note in shown.notes)
    return Group(table, *notes, Text(shown.signature, style="dim"))
