"""What an evaluation returns, and what results.json holds."""

from __future__ import annotations

from msgspec import Struct, field

Option = str | int | float | bool | None


class Value(Struct, frozen=True):
    """One named number with its unit, direction, spread, interval and counts; None where undefined."""

    value: float | None
    std: float | None = None
    unit: str = ""
    higher_is_better: bool | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    n: int = 0
    n_failed: int = 0
    n_clusters: int | None = None


class Result(Struct, frozen=True):
    """The values of one evaluation, the options as resolved, and what a reader should know."""

    evaluation: str
    options: dict[str, Option]
    values: dict[str, Value]
    notes: tuple[str, ...] = ()


Cell = str | int | float | bool | None


class Judged(Struct, frozen=True):
    """A result and the rows behind it: one a game, one a turn, keyed by column."""

    result: Result
    games: list[dict[str, Cell]] = field(default_factory=list)
    turns: list[dict[str, Cell]] = field(default_factory=list)
