"""What an evaluation returns, and what results.json holds."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TypeAlias

import msgspec
from msgspec import Struct, field

Option: TypeAlias = str | int | float | bool | None
Cell: TypeAlias = str | int | float | bool | list[str] | None
Row: TypeAlias = dict[str, Cell]


class Value(Struct, frozen=True):
    """One named number with its unit, direction, spread, interval and counts; None where undefined.

    `std` is the standard deviation over the `n` games (or rounds) that count (of the sample, unless the
    paper prints another); `n_failed` says
    how many more should have counted but could not be judged, and `n_clusters` on how many pictures.
    """

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

    @property
    def signature(self) -> str:
        """One line that says which evaluation of which data, how, and by which versions.

        >>> Result("teamwork", {"seed": 0, "data": "sha256:ab", "referee": "0.1.0"}, {}).signature
        'teamwork | seed=0 | data=sha256:ab | referee=0.1.0'
        """
        return signature(self.evaluation, self.options)


class Judged(Struct, frozen=True):
    """A result and the rows behind it: one a game, one a turn, keyed by column."""

    result: Result
    games: list[Row] = field(default_factory=list)
    turns: list[Row] = field(default_factory=list)


def signature(what: str, options: Mapping[str, Option]) -> str:
    """What was done and with which options, in one line."""
    written = (f"{name}={'none' if option is None else option}" for name, option in options.items())
    return " | ".join((what, *written))


def to_json(value: Result | Struct) -> str:
    """The text of results.json; what is not a finite number becomes null.

    >>> to_json(Value(value=float("nan"), n=2)).splitlines()[1]
    '  "value": null,'
    """
    plain = _finite(msgspec.to_builtins(value))
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def finite(number: float) -> float | None:
    """The number as a plain float, or None where it is none."""
    return float(number) if math.isfinite(number) else None


def _finite(value: object) -> object:
    if isinstance(value, float):
        return finite(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
