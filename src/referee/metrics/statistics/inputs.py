"""The checks that every statistic makes of what it is given."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.errors import UsageError
from referee.metrics.statistics.results import Alternative

Array = NDArray[np.float64]
Codes = NDArray[np.intp]
Labels = Sequence[Hashable] | NDArray[Any]

_LARGEST = 1e100
"""Beyond this, squares of sums overflow; no score of a game comes near."""


def as_values(values: ArrayLike, name: str = "values") -> Array:
    """Finite numbers, shape (n,), or a UsageError that counts those that are not."""
    array = as_rows(values, name)
    if array.ndim != 1:
        raise UsageError(f"{name} must be one number for each game, not of shape {array.shape}")
    return array


def as_rows(values: ArrayLike, name: str = "values") -> Array:
    """Finite numbers, shape (n,) or (n, columns)."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(f"{name} must be numbers: {error}") from error
    if array.ndim not in {1, 2}:
        raise UsageError(f"{name} must be a list or a table of numbers")
    bad = np.flatnonzero(
        ~(np.abs(array) <= _LARGEST)
        .reshape(len(array), array.size // max(len(array), 1))
        .all(axis=1)
    )
    if bad.size:
        raise UsageError(
            f"{name}: {bad.size} of {len(array)} not finite (or beyond {_LARGEST:g}) "
            f"(first at position {bad[0]}); leave them out, and count them, beforehand"
        )
    return array


def as_pair(a: ArrayLike, b: ArrayLike) -> tuple[Array, Array]:
    """Two columns whose rows belong together."""
    first, second = as_values(a, "a"), as_values(b, "b")
    if len(first) != len(second):
        raise UsageError(f"a and b must hold the same games: {len(first)} and {len(second)} values")
    return first, second


def as_codes(labels: Labels, length: int, name: str = "clusters") -> tuple[Codes, int]:
    """Labels as numbers from zero in order of appearance, shape (n,), and how many there are."""
    listed: Sequence[Hashable] = labels.tolist() if isinstance(labels, np.ndarray) else labels
    if len(listed) != length:
        raise UsageError(f"{name}: {len(listed)} labels for {length} values")
    seen: dict[Hashable, int] = {}
    try:
        codes = [seen.setdefault(label, len(seen)) for label in listed]
    except TypeError as error:
        raise UsageError(f"{name} must be names or numbers: {error}") from error
    if any(label is None or label != label for label in seen):  # noqa: PLR0124 - NaN alone differs
        raise UsageError(f"{name}: a value without a label belongs to no cluster")
    return np.asarray(codes, dtype=np.intp), len(seen)


def check_share(share: float, name: str = "level") -> None:
    """Refuse what is not strictly between 0 and 1."""
    if not 0 < share < 1:
        raise UsageError(f"{name} must lie between 0 and 1, not be {share}")


def check_resamples(resamples: int) -> None:
    """Refuse what is no number of resamples."""
    if resamples < 1:
        raise UsageError(f"resamples must be at least 1, not {resamples}")


def check_choice(choice: str, choices: Sequence[str], name: str) -> None:
    """Refuse what is none of the choices."""
    if choice not in choices:
        raise UsageError(f"{name} must be one of {', '.join(choices)}; not {choice!r}")


def check_alternative(alternative: str) -> None:
    """Refuse what is no direction of a test."""
    check_choice(alternative, get_args(Alternative), "alternative")
