"""The papers' own numbers, printed beside ours: a file a paper, in it its tables, or parts of them, by name.

source      where the paper's numbers were read
given       the option (name=value) under which a table's numbers can stand beside ours; left out where
            they always can
columns     the names of our values where we have (or will have) them
columns_of  the same by another evaluation that has these values too, and the table stands beside its own
rows        the row's name as the paper has it, then a number a column: the digits as printed, trailing
            zeros kept, percent signs and errors left out; "" where there is none
notes       what is known to be wrong with numbers, or not said of them: of these rows and columns, or of
            every one where none is named
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

PAPERS = ("questions", "answers", "grounding", "belief", "teamwork")


class Number(Struct, frozen=True, forbid_unknown_fields=True):
    """One number of one paper.

    `column` is the name of our value where we have it, `value` keeps the digits as printed, and `given`
    is the option under which the number can stand beside ours.
    """

    paper: str
    table: str
    row: str
    column: str
    value: Decimal
    source: str
    note: str = ""
    given: str = ""

    def fits(self, options: Mapping[str, object]) -> bool:
        """Whether a result with these options is about what the number is about."""
        name, _, value = self.given.partition("=")
        return not name or str(options.get(name)) == value

    @property
    def printed(self) -> str:
        """The number as the paper prints it."""
        return str(self.value)


class _Note(Struct, frozen=True, forbid_unknown_fields=True):
    text: str
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def about(self, row: str, column: str) -> bool:
        return row in (self.rows or {row}) and column in (self.columns or {column})


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int, ...], ...]
    columns_of: dict[str, tuple[str, ...]] = {}
    given: str = ""
    notes: tuple[_Note, ...] = ()

    def numbers(
        self, paper: str, table: str, source: str, evaluation: str = ""
    ) -> Iterator[Number]:
        """The numbers under their columns' names, or under those that another evaluation has."""
        named = self.columns_of.get(evaluation, self.columns)
        for name, *values in self.rows:
            row = str(name)
            for column, ours, value in zip(self.columns, named, values, strict=True):
                if value != "":
                    note = next((n.text for n in self.notes if n.about(row, column)), "")
                    yield Number(paper, table, row, ours, Decimal(value), source, note, self.given)


class _Paper(Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    table: dict[str, _Table]


@cache
def numbers(paper: str | None = None) -> tuple[Number, ...]:
    """The published numbers of a paper, or of all, in the order of the files."""
    return tuple(
        number
        for name, held in papers().items()
        if paper is None or name == paper
        for table, rows in held.table.items()
        for number in rows.numbers(name, table, held.source)
    )


@cache
def beside(evaluation: str) -> tuple[Number, ...]:
    """What can stand beside an evaluation's values: its paper's numbers, and what others say of them."""
    elsewhere = (
        number
        for name, held in papers().items()
        for table, rows in held.table.items()
        if evaluation in rows.columns_of
        for number in rows.numbers(name, table, held.source, evaluation)
    )
    return (*numbers(evaluation), *elsewhere)


@cache
def papers() -> dict[str, _Paper]:
    """Each paper's file as it stands."""
    files = resources.files(__name__)
    return {
        name: msgspec.convert(
            tomllib.loads(files.joinpath(f"{name}.toml").read_text("utf-8"), parse_float=str),
            _Paper,
        )
        for name in PAPERS
    }
