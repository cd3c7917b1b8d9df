"""The papers' own numbers, as `published.toml` holds them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct


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
    """The published numbers of a paper, or of all, in the order of the file."""
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
    """The file as it stands."""
    text = resources.files("referee.report").joinpath("published.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text, parse_float=str), dict[str, _Paper])
