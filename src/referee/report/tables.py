"""Results as tables: in the terminal, in Markdown and in LaTeX, with a signature under each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from referee.evaluations.comparison import Comparison, Difference
from referee.evaluations.measures import COUNT, PERCENT
from referee.evaluations.result import Result, Value
from referee.report.published import Number

if TYPE_CHECKING:
    from rich.console import RenderableType

CLAIM = {True: "↑", False: "↓", None: ""}
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
}
_DASH = "-"
_SMALLEST_P = 0.0001


@dataclass(frozen=True)
class Table:
    """A title, one line of column names, rows of text, and what stands under them."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    signature: str = ""


def result_table(result: Result) -> Table:
    """The values of a result, one a row; how many failed is a column where any did."""
    failed = any(value.n_failed for value in result.values.values())
    rows = tuple(
        (
            f"{name} {CLAIM[value.higher_is_better]}".strip(),
            plain(value.value, value.unit),
            span(value),
            number(value.std, value.unit),
            str(value.n),
            *([str(value.n_failed)] if failed else []),
            _DASH if value.n_clusters is None else str(value.n_clusters),
        )
        for name, value in result.values.items()
    )
    columns = (
        "value",
        "",
        interval_name(result),
        "std",
        "n",
        *(["failed"] if failed else []),
        "games" if result.options.get("by") == "game" else "images",
    )
    return Table(result.evaluation, columns, rows, result.notes, result.signature)


def interval_name(result: Result) -> str:
    """What the column of the intervals is called."""
    level = result.options.get("level")
    return f"{100 * level:g} % interval" if isinstance(level, float) else "interval"


def published_tables(
    result: Result, numbers: Sequence[Number], name: str = "this run"
) -> tuple[Table, ...]:
    """For each table of a paper that holds values of the result, in order: its rows, under ours."""
    beside: dict[str, list[Number]] = {}
    for number in numbers:
        if number.column in result.values and number.fits(result.options):
            beside.setdefault(f"{number.paper}, {_place(number.table)}", []).append(number)
    places = sorted(beside, key=_numbered)
    return tuple(_published(result, place, beside[place], name) for place in places)


def _numbered(place: str) -> list[tuple[int, str]]:
    """A key of order in which Table 9 comes before Table 10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", place)]


def _published(result: Result, place: str, numbers: Sequence[Number], ours: str) -> Table:
    columns = tuple(dict.fromkeys(number.column for number in numbers))
    printed = {(number.row, number.column): number.printed for number in numbers}
    rows = tuple(
        (row, *(printed.get((row, name), _DASH) for name in columns))
        for row in dict.fromkeys(number.row for number in numbers)
    )
    values = [result.values[name] for name in columns]
    found = tuple(
        number(value.value, value.unit, _beside(name, value, numbers))
        for name, value in zip(columns, values, strict=True)
    )
    intervals = tuple(map(span, values))
    return Table(
        f"{ours} beside {place}",
        ("", *(name.replace("_", " ") for name in columns)),
        ((ours, *found), ("", *intervals), *rows),
        tuple(_noted(numbers)),
        result.signature,
    )


def _beside(column: str, value: Value, numbers: Sequence[Number]) -> int:
    """The digits after the point of our value: as many as ever, and no fewer than the paper has."""
    theirs = (found.printed.partition(".")[2] for found in numbers if found.column == column)
    return max(_digits(value.value or 0.0, value.unit), *map(len, theirs))


def _noted(numbers: Sequence[Number]) -> Iterator[str]:
    """Each note once, after the rows that it is about, or after the columns where it is about whole ones."""
    for note in filter(None, dict.fromkeys(each.note for each in numbers)):
        about = [each for each in numbers if each.note == note]
        columns = dict.fromkeys(each.column for each in about)
        whole = sum(each.column in columns for each in numbers) == len(about)
        every = {each.column for each in numbers} == set(columns)
        names = (
            [column.replace("_", " ") for column in columns]
            if whole and not every
            else dict.fromkeys(each.row for each in about)
        )
        yield f"{', '.join(names)}: {note}"


def comparison_table(comparison: Comparison, names: tuple[str, str] = ("A", "B")) -> Table:
    """The differences of two runs, one a row."""
    rows = tuple(_compared(name, found) for name, found in comparison.differences.items())
    columns = (
        "value",
        *names,
        f"{names[0]} - {names[1]}",
        "interval",
        "n",
        "p",
        "p (Holm)",
        "p (test)",
        "effect",
    )
    title = f"{comparison.evaluation}: {names[0]} and {names[1]} on the same games"
    return Table(title, columns, rows, comparison.notes, comparison.signature)


def markdown(table: Table) -> str:
    """The table in Markdown."""
    lines = [f"**{table.title}**", "", _piped(table.columns)]
    lines.append("|".join(("", " --- ", *(" ---: " for _ in table.columns[1:]), "")))
    lines += [_piped(row) for row in table.rows]
    lines += ["", *(f"- {note}" for note in table.notes)]
    if table.signature:
        lines += ["", f"`{table.signature}`"]
    return "\n".join(lines).rstrip() + "\n"


def latex(table: Table) -> str:
    """The table in LaTeX (booktabs), its signature as a comment under it."""
    columns = "l" + "r" * (len(table.columns) - 1)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_escaped(table.title)}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _ampersands(table.columns),
        r"\midrule",
        *(_ampersands(row) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
        *(f"% {note}" for note in table.notes),
    ]
    if table.signature:
        lines.append(f"% {table.signature}")
    return "\n".join(lines) + "\n"


def rich_table(table: Table) -> RenderableType:
    """The table for the terminal, with its notes and signature."""
    from rich import box
    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(
        title=table.title, title_justify="left", box=box.SIMPLE_HEAD, padding=0, pad_edge=False
    )
    for place, name in enumerate(table.columns):
        # A number that does not fit is folded, for an ellipsis would hide its last digits.
        grid.add_column(name, justify="right" if place else "left", overflow="fold")
    for row in table.rows:
        grid.add_row(*map(Text, row))
    notes = (Text(f"- {note}") for note in table.notes)
    signature = [Text(table.signature, style="dim")] if table.signature else []
    return Group(grid, *notes, *signature)


def joined_signature(signatures: Sequence[str]) -> str:
    """The signature of several results in one table: what they share once, what differs side by side.

    >>> joined_signature(["questions | width=9 | seed=0 | data=ab", "questions | seed=0 | data=cd"])
    'questions | width=9 | seed=0 | data=ab, data=cd'
    """
    said: dict[str, list[str]] = {}
    for signature in signatures:
        for part in signature.split(" | "):
            said.setdefault(part.partition("=")[0], []).append(part)
    return " | ".join(", ".join(dict.fromkeys(parts)) for parts in said.values())


def short_names(first: Path, second: Path) -> tuple[str, str]:
    """What two runs are called at the head of a table: their folders' names, or A and B.

    >>> short_names(Path("runs/sl"), Path("runs/rl")), short_names(Path("x/run"), Path("y/run"))
    (('sl', 'rl'), ('A', 'B'))
    """
    return ("A", "B") if first.name == second.name else (first.name, second.name)


def texts(tables: Sequence[Table]) -> dict[str, str]:
    """The files table.md and table.tex, by name."""
    return {
        "table.md": "\n".join(map(markdown, tables)),
        "table.tex": "\n".join(map(latex, tables)),
    }


def number(value: float | None, unit: str = "", digits: int | None = None) -> str:
    """A number as the tables print it: two digits after the point, four below one unless in percent.

    >>> number(57.254), number(0.28451), number(0.8333, "%"), number(None), number(3.0, "count")
    ('57.25', '0.2845', '0.83', '-', '3')
    """
    if value is None:
        return _DASH
    return f"{value:.{_digits(value, unit) if digits is None else digits}f}"


def plain(value: float | None, unit: str = "") -> str:
    """A number with its unit.

    >>> plain(57.254, "%"), plain(0.28451), plain(None, "%")
    ('57.25 %', '0.2845', '-')
    """
    text = number(value, unit)
    return text if value is None or unit == COUNT else f"{text} {unit}".rstrip()


def span(value: Value, digits: int | None = None) -> str:
    """The interval of a value, both ends with the same digits.

    >>> span(Value(2.5, ci_low=2.0, ci_high=3.0)), span(Value(0.9, ci_low=0.75, ci_high=1.0))
    ('[2.00, 3.00]', '[0.7500, 1.0000]')
    """
    if value.ci_low is None or value.ci_high is None:
        return _DASH
    ends = (value.ci_low, value.ci_high)
    if digits is None:
        digits = max(_digits(end, value.unit) for end in ends)
    return "[{:.{digits}f}, {:.{digits}f}]".format(*ends, digits=digits)


def _digits(value: float, unit: str) -> int:
    if unit == COUNT:
        return 0
    return 2 if unit == PERCENT or abs(value) >= 1 or value == 0 else 4


def _compared(name: str, found: Difference) -> tuple[str, ...]:
    interval = Value(found.difference, unit=found.unit, ci_low=found.ci_low, ci_high=found.ci_high)
    return (
        " ".join(filter(None, (name, found.unit, CLAIM[found.higher_is_better]))),
        number(found.value_a, found.unit),
        number(found.value_b, found.unit),
        number(found.difference, found.unit),
        span(interval),
        str(found.n),
        _p(found.p_permutation),
        _p(found.p_holm),
        f"{_p(found.p_test)} {found.test[0]}",
        _DASH if found.effect is None else f"{found.effect:.3f}",
    )


def _p(value: float) -> str:
    return "< 0.0001" if value < _SMALLEST_P else f"{value:.4f}"


def _place(table: str) -> str:
    return f"Table {table}" if re.match(r"\d", table) else table


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _ampersands(cells: Sequence[str]) -> str:
    return " & ".join(map(_escaped, cells)) + r" \\"


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)
