"""Which attributes each example has: a 0/1 matrix of which only the ones are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.errors import DataError

Counts: TypeAlias = NDArray[np.int64]
Columns: TypeAlias = NDArray[np.int32]
Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, slots=True)
class Labels:
    """A sparse 0/1 matrix, [examples, attributes]: the columns of each row's ones, row after row.

    Row i has its ones at `columns[offsets[i] : offsets[i + 1]]`, rising. Of 6,082 attributes an object
    has some dozens, so that this is a hundredth of the matrix.

    >>> labels = Labels.of_rows([[2, 0], []], width=3)
    >>> labels.offsets.tolist(), labels.columns.tolist(), len(labels)
    ([0, 2, 2], [0, 2], 2)
    >>> labels.dense().astype(int).tolist()
    [[1, 0, 1], [0, 0, 0]]
    """

    offsets: Counts
    columns: Columns
    width: int

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[int] | NDArray[Any]], width: int) -> Labels:
        """The labels of examples given as lists of columns, in any order, doubled or not."""
        sets = [np.unique(np.asarray(row, dtype=np.int64)) for row in rows]
        for number, found in enumerate(sets):
            if len(found) and not 0 <= found[0] <= found[-1] < width:
                wrong = int(found[-1] if found[-1] >= width else found[0])
                raise DataError(
                    f"is {wrong}",
                    record=number,
                    field="labels",
                    expected=f"attributes from 0 to {width - 1}",
                )
        offsets = _offsets(np.fromiter(map(len, sets), np.int64, len(sets)))
        flat = np.concatenate([np.empty(0, np.int64), *sets]).astype(np.int32)
        return cls(offsets, flat, width)

    @classmethod
    def of_dense(cls, matrix: NDArray[Any]) -> Labels:
        """The labels of a matrix [examples, attributes] of ones (or anything true) and zeros."""
        given = _two_dimensional(matrix)
        rows, columns = np.nonzero(given)
        numbers = np.bincount(rows, minlength=len(given))
        return cls(_offsets(numbers), columns.astype(np.int32), given.shape[1])

    def dense(self) -> Flags:
        """The matrix itself, [examples, attributes]."""
        matrix = np.zeros((len(self), self.width), dtype=np.bool_)
        matrix[self.rows(), self.columns] = True
        return matrix

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def rows(self) -> Counts:
        """The row of each entry of `columns`."""
        return np.repeat(np.arange(len(self)), self.sizes())

    def sizes(self) -> Counts:
        """How many attributes each example has, [examples]."""
        return np.diff(self.offsets)

    def frequencies(self) -> Counts:
        """How many examples have each attribute, [attributes]."""
        return np.bincount(self.columns, minlength=self.width)

    def take(self, rows: NDArray[Any]) -> Labels:
        """These rows in this order; one may come more than once.

        >>> Labels.of_rows([[0], [1, 2]], width=3).take(np.array([1, 0, 1])).columns.tolist()
        [1, 2, 0, 1, 2]
        """
        wanted = np.arange(len(self))[rows]
        sizes = self.sizes()[wanted]
        shift = np.repeat(self.offsets[wanted] - (np.cumsum(sizes) - sizes), sizes)
        return Labels(_offsets(sizes), self.columns[np.arange(len(shift)) + shift], self.width)

    def keep(self, attributes: NDArray[Any]) -> Labels:
        """These attributes only, numbered anew in this order.

        >>> Labels.of_rows([[0, 2], [1]], width=3).keep(np.array([2, 1])).dense().astype(int).tolist()
        [[1, 0], [0, 1]]
        """
        chosen = np.arange(self.width)[attributes]
        place = np.full(self.width, -1, dtype=np.int64)
        place[chosen] = np.arange(len(chosen))
        moved, rows = place[self.columns], self.rows()
        held = moved >= 0
        moved, rows = moved[held], rows[held]
        order = np.lexsort((moved, rows))
        sizes = np.bincount(rows, minlength=len(self))
        return Labels(_offsets(sizes), moved[order].astype(np.int32), len(chosen))

    def beside(self, other: Labels) -> Labels:
        """The attributes of both of the same examples, the other's after these.

        >>> Labels.of_rows([[0], [1]], width=2).beside(Labels.of_rows([[0], []], width=1)).columns.tolist()
        [0, 2, 1]
        """
        if len(self) != len(other):
            raise DataError(
                f"has {len(other)} rows", field="labels", expected=f"{len(self)}, one an example"
            )
        width = self.width + other.width
        columns = np.empty(len(self.columns) + len(other.columns), dtype=np.int32)
        sizes = self.sizes() + other.sizes()
        offsets = _offsets(sizes)
        first = np.repeat(offsets[:-1] - self.offsets[:-1], self.sizes())
        columns[first + np.arange(len(first))] = self.columns
        later = np.repeat(offsets[:-1] + self.sizes() - other.offsets[:-1], other.sizes())
        columns[later + np.arange(len(later))] = other.columns + self.width
        return Labels(offsets, columns, width)


def stacked(parts: Sequence[Labels]) -> Labels:
    """The rows of several parts, one after the other.

    >>> len(stacked([Labels.of_rows([[0], [1]], width=2), Labels.of_rows([[]], width=2)]))
    3
    """
    widths = {part.width for part in parts}
    if len(widths) != 1:
        raise DataError(
            f"have {sorted(widths)} attributes", field="labels", expected="the same in all parts"
        )
    sizes = np.concatenate([part.sizes() for part in parts])
    columns = np.concatenate([part.columns for part in parts])
    return Labels(_offsets(sizes), columns, widths.pop())


def over_threshold(scores: NDArray[Any], at: float = 0.5) -> Labels:
    """The attributes whose score is above the threshold (strictly), of scores [examples, attributes].

    >>> over_threshold(np.array([[0.5, 0.51], [0.9, 0.1]])).dense().astype(int).tolist()
    [[0, 1], [1, 0]]
    """
    return Labels.of_dense(_two_dimensional(scores) > at)


def same_shape(gold: tuple[int, ...], predicted: tuple[int, ...]) -> None:
    """Refuses predictions that are not about the same examples and attributes as the gold labels."""
    if gold != predicted:
        raise DataError(
            f"has the shape {predicted}", field="predicted", expected=f"{gold}, as the gold labels"
        )


def _two_dimensional(matrix: NDArray[Any]) -> NDArray[Any]:
    given = np.asarray(matrix)
    if given.ndim != 2:  # noqa: PLR2004 examples and attributes
        raise DataError(
            f"has {given.ndim} dimensions", field="labels", expected="two: examples and attributes"
        )
    return given


def _offsets(sizes: NDArray[Any]) -> Counts:
    found = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=found[1:])
    return found
