"""One self-contained HTML file: the tables of some results and the cards of some games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import MissingExtra, UsageError
from referee.evaluations.result import Result, Value
from referee.report.glance import Bar, Glance, cell
from referee.report.tables import Table as Printed
from referee.report.tables import interval_name

if TYPE_CHECKING:
    from referee.report.cards import Card


@dataclass(frozen=True)
class Row:
    """One measure."""

    name: str
    value: str
    interval: str
    n: str
    bar: Bar | None = None


@dataclass(frozen=True)
class Table:
    """One result, ready to be set."""

    heading: str
    rows: tuple[Row, ...]
    signature: str
    notes: tuple[str, ...] = ()
    scale: str = ""
    interval: str = "interval"


@dataclass(frozen=True)
class Figure:
    """A figure with what stands over it; `source` is a data address."""

    caption: str
    source: str


@dataclass(frozen=True)
class Section:
    """One evaluation: what it asks, its results at a glance, games to look at, and all its numbers."""

    name: str
    heading: str
    asks: str
    glance: Glance
    tables: tuple[Table, ...] = ()
    published: tuple[Printed, ...] = ()
    cards: tuple[Card, ...] = field(default_factory=tuple)
    figures: tuple[Figure, ...] = ()


def table(result: Result, heading: str) -> Table:
    """A result as a table; percentages share a scale from 0 to 100 on which intervals are drawn."""
    rows = tuple(_row(name, value) for name, value in result.values.items())
    scale = "0 to 100 %" if any(row.bar for row in rows) else ""
    return Table(heading, rows, result.signature, result.notes, scale, interval_name(result))


def _row(name: str, value: Value) -> Row:
    shown = cell(value)
    return Row(name.replace("_", " "), shown.value, shown.interval, f"{value.n:,}", shown.bar)


def write(path: Path, title: str, lead: str, sections: Sequence[Section], footer: str) -> Path:
    """Writes the page; an existing file is not overwritten."""
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError:
        raise MissingExtra("jinja2", "report") from None
    if path.exists():
        raise UsageError(f"{path} exists already, and nothing is ever overwritten")
    source = resources.files("referee.report").joinpath("page.html.jinja").read_text("utf-8")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    cards = [card for section in sections for card in section.cards]
    marked = any(line.marks for card in cards for line in card.lines)
    html = environment.from_string(source).render(
        title=title, lead=lead, sections=sections, footer=footer, marked=marked
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(html, "utf-8")
    return path
