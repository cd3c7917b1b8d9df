"""One self-contained HTML file: the tables of some results and the cards of some games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import MissingExtra, UsageError
from referee.evaluations.result import Result, Value

if TYPE_CHECKING:
    from referee.report.cards import Card

Published = Mapping[str, str]
"""What a paper prints for a measure, as text."""


@dataclass(frozen=True)
class Bar:
    """Where a value and its interval lie on the scale of its table, from 0 to 100."""

    low: float
    value: float
    high: float


@dataclass(frozen=True)
class Row:
    """One measure."""

    name: str
    value: str
    interval: str
    n: str
    bar: Bar | None = None
    published: str = ""


@dataclass(frozen=True)
class Table:
    """One result, ready to be set."""

    heading: str
    rows: tuple[Row, ...]
    signature: str
    notes: tuple[str, ...] = ()
    scale: str = ""
    published: str = ""


@dataclass(frozen=True)
class Section:
    """One evaluation: what it asks, its tables, and games to look at."""

    name: str
    heading: str
    asks: str
    tables: tuple[Table, ...] = ()
    cards: tuple[Card, ...] = field(default_factory=tuple)


def table(
    heading: str,
    result: Result,
    signature: str,
    *,
    published: Published | None = None,
    published_heading: str = "",
) -> Table:
    """A result as a table; percentages share a scale from 0 to 100 on which intervals are drawn."""
    paper = published or {}
    rows = tuple(_row(name, value, paper.get(name, "")) for name, value in result.values.items())
    scale = "0 to 100 %" if any(row.bar for row in rows) else ""
    return Table(heading, rows, signature, result.notes, scale, published_heading if paper else "")


def _row(name: str, value: Value, published: str) -> Row:
    words = name.replace("_", " ")
    if value.value is None:
        return Row(words, "undefined", "", str(value.n), None, published)
    interval, bar = "", None
    if value.ci_low is not None and value.ci_high is not None:
        interval = f"{_number(value.ci_low)} to {_number(value.ci_high)}"
        if value.unit == "%":
            bar = Bar(value.ci_low, value.value, value.ci_high)
    unit = f" {value.unit}" if value.unit else ""
    return Row(words, _number(value.value) + unit, interval, f"{value.n:,}", bar, published)


def _number(value: float) -> str:
    """Two decimals, or three significant digits below one."""
    return f"{value:.2f}" if abs(value) >= 1 or value == 0 else f"{value:.3f}"


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
    html = environment.from_string(source).render(
        title=title, lead=lead, sections=sections, footer=footer
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(html, "utf-8")
    return path
