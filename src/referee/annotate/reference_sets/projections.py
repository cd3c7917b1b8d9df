"""Each distinct text projected once, however many rounds it is an option of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.metrics.cca import unit

Floats = NDArray[np.float64]


class Projects(Protocol):
    """What a model must do: the centred projections of texts as answers and as questions, [n, k]."""

    def answers(self, texts: Sequence[str]) -> Floats:
        """Of answers."""

    def questions(self, texts: Sequence[str]) -> Floats:
        """Of questions."""


class Projections:
    """A growing table of projections, each divided by its length so that a product is a correlation.

    What projects to zero stays zero and correlates with nothing; `known` tells.
    """

    def __init__(self, project: Callable[[Sequence[str]], Floats]) -> None:
        self._project = project
        self._numbers: dict[str, int] = {}
        self._table = np.empty((0, 0))
        self._known = np.empty(0, dtype=np.bool_)

    def rows(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """The rows of the table in which these texts are; those not seen before are projected now."""
        numbers = self._numbers
        first = len(numbers)
        found = [numbers.setdefault(text, len(numbers)) for text in texts]
        if len(numbers) > first:
            new = list(numbers)[first:] if first else list(numbers)
            self._append(self._project(new), first)
        return np.array(found, dtype=np.int64)

    @property
    def table(self) -> Floats:
        """The rows, [texts, k]."""
        return self._table[: len(self._numbers)]

    def known(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether each row is finite and has a direction."""
        found: NDArray[np.bool_] = self._known[rows]
        return found

    def _append(self, projected: Floats, first: int) -> None:
        end = first + len(projected)
        if end > len(self._table):
            # Doubled, so that a split of hundreds of thousands of texts is not copied at every batch.
            larger = np.empty((max(end, 2 * len(self._table)), projected.shape[1]))
            if first:
                larger[:first] = self._table[:first]
            self._table = larger
            self._known = np.resize(self._known, len(larger))
        known = np.logical_and(np.isfinite(projected).all(axis=1), projected.any(axis=1))
        self._table[first:end] = np.where(known[:, None], unit(projected), 0)
        self._known[first:end] = known
