"""Rows of ranking metrics with the paper's under ours, as Tables 3, 5, 8 and 9 of answers.txt print them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.evaluations.result import Value

Rows = tuple[tuple[str, ...], tuple[str, ...]]

_NAMES = {"mr": "MR", "r_at_1": "R@1 %", "r_at_5": "R@5 %", "r_at_10": "R@10 %", "mrr": "MRR"}
_SHARES = ("mrr", "ndcg")


def heads() -> tuple[str, ...]:
    """The names of the columns."""
    from referee.evaluations.ranked import COLUMNS
    from referee.report.tables import CLAIM

    return tuple(f"{_NAMES.get(name, 'NDCG')} {CLAIM[name != 'mr']}" for name in COLUMNS)


def ours(values: Mapping[str, Value]) -> Rows:
    """The values, and their intervals under them."""
    from referee.report.tables import number, span

    digits = {name: 4 if name in _SHARES else 2 for name in values}
    cells = (number(value.value, digits=digits[name]) for name, value in values.items())
    return tuple(cells), tuple(span(value, digits[name]) for name, value in values.items())


def theirs(tables: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The paper's rows of these tables by name, in lower case: its own spelling varies."""
    from referee.evaluations.ranked import COLUMNS
    from referee.report import published

    printed: dict[str, dict[str, str]] = {}
    for number in published.numbers("answers"):
        if number.table in tables:
            printed.setdefault(number.row.lower(), {})[number.column] = number.printed
    return {row: tuple(found.get(name, "-") for name in COLUMNS) for row, found in printed.items()}
