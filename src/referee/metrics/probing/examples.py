"""States and the attributes of what each of them is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.errors import DataError
from referee.metrics.probing.labels import Labels

Singles: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, eq=False, slots=True)
class Examples:
    """One state a game, [examples, width of the state], and the labels of its target.

    >>> examples = Examples(np.zeros((2, 3)), Labels.of_rows([[0], [1]], width=4))
    >>> examples.states.dtype, len(examples)
    (dtype('float32'), 2)
    """

    states: Singles
    labels: Labels

    def __post_init__(self) -> None:
        states = checked_states(self.states)
        object.__setattr__(self, "states", states)
        if len(states) != len(self.labels):
            raise DataError(
                f"has {len(states)} rows",
                field="states",
                expected=f"{len(self.labels)}, one for each row of labels",
            )

    def __len__(self) -> int:
        return len(self.states)

    def take(self, rows: NDArray[Any]) -> Examples:
        """These examples in this order."""
        return Examples(self.states[rows], self.labels.take(rows))


def checked_states(states: NDArray[Any], width: int | None = None) -> Singles:
    """The states in single precision, in order in memory, with nothing in them that is no number."""
    found = np.ascontiguousarray(states, dtype=np.float32)
    if found.ndim != 2:  # noqa: PLR2004 examples and the state's own width
        raise DataError(
            f"has {found.ndim} dimensions", field="states", expected="two: games and width"
        )
    if width is not None and found.shape[1] != width:
        raise DataError(
            f"is {found.shape[1]} wide",
            field="states",
            expected=f"{width}, as the states are that the probe was trained on",
        )
    wrong = np.flatnonzero(~np.isfinite(found.sum(axis=1, dtype=np.float64)))
    if len(wrong):
        raise DataError(
            "holds NaN or an infinite number",
            record=int(wrong[0]),
            field="states",
            expected="finite numbers in single precision",
        )
    return found
