"""The papers' own numbers, as `published.toml` holds them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
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


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    number: tuple[Number, ...]


@cache
def numbers(paper: str | None = None) -> tuple[Number, ...]:
    """The published numbers of a paper, or of all, in the order of the file."""
    text = resources.files("referee.report").joinpath("published.toml").read_text("utf-8")
    loaded = tomllib.loads(text, parse_float=Decimal)
    for entry in loaded["number"]:
        entry["value"] = Decimal(entry["value"])
    found = msgspec.convert(loaded, _File).number
    return tuple(number for number in found if paper is None or number.paper == paper)
