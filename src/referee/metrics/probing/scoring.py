r"""Multi-label precision, recall and F1: of examples (the paper's), of attributes, and of types.

The paper's "macro-average" is a mean over examples. Its code, and so the columns of its Table 5, call
precision recall and recall precision; here the names are the right ones.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.errors import DataError
from referee.metrics.probing import kernels
from referee.metrics.probing.labels import Counts, Labels, same_shape

Floats: TypeAlias = NDArray[np.float64]
Matrix: TypeAlias = Labels | NDArray[Any]

_AT_ONCE = 1 << 20
"""Cells of a dense matrix below which a second thread is not worth its start."""


@dataclass(frozen=True, eq=False, slots=True)
class ExampleScores:
    """Precision, recall and F1 of each example, [examples]."""

    precision: Floats
    recall: Floats
    f1: Floats

    def means(self) -> dict[str, float]:
        """The mean of each over the examples; NaN without any."""
        values = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        return {
            name: float(each.mean()) if len(each) else float("nan") for name, each in values.items()
        }

    def take(self, rows: NDArray[Any]) -> ExampleScores:
        """The scores of these examples."""
        return ExampleScores(self.precision[rows], self.recall[rows], self.f1[rows])


@dataclass(frozen=True, eq=False, slots=True)
class LabelScores:
    """Of each attribute, [attributes]: in how many examples it is gold, predicted, both; and its scores."""

    gold: Counts
    predicted: Counts
    both: Counts
    precision: Floats
    recall: Floats
    f1: Floats


def example_scores(gold: Matrix, predicted: Matrix, *, empty: float = 0.0) -> ExampleScores:
    r"""Precision, recall and F1 of each example.

    With $Y_i$ the gold and $\hat Y_i$ the predicted attributes of example $i$,

    $$ P_i = \frac{|Y_i \cap \hat Y_i|}{|\hat Y_i|}, \qquad R_i = \frac{|Y_i \cap \hat Y_i|}{|Y_i|}, \qquad
    F_i = \frac{2 |Y_i \cap \hat Y_i|}{|Y_i| + |\hat Y_i|} = \frac{2 P_i R_i}{P_i + R_i}, $$

    and `empty` where a denominator is 0; F is 0 where P and R are. The means are scikit-learn's with
    `average="samples"` and `zero_division=empty`.

    Args:
        gold: labels, or a matrix of zeros and ones, shape (examples, attributes).
        predicted: the same of the predictions.
        empty: 0 or 1.

    Examples:
        >>> scores = example_scores(np.array([[1, 1, 0], [0, 1, 0]]), np.array([[1, 0, 1], [0, 0, 0]]))
        >>> scores.precision.tolist(), scores.recall.tolist(), scores.f1.tolist()
        ([0.5, 0.0], [0.5, 0.0], [0.5, 0.0])
        >>> scores.means()["f1"]
        0.25
    """
    both, golds, guesses = _counts(gold, predicted)
    return ExampleScores(
        _share(both, guesses, empty),
        _share(both, golds, empty),
        _share(2 * both, golds + guesses, empty),
    )


def label_scores(gold: Matrix, predicted: Matrix, *, empty: float = 0.0) -> LabelScores:
    """Precision, recall and F1 of each attribute over the examples, and what they rest on.

    >>> found = label_scores(np.array([[1, 1], [1, 0]]), np.array([[1, 0], [0, 0]]))
    >>> found.gold.tolist(), found.f1.round(3).tolist()
    ([2, 1], [0.667, 0.0])
    """
    left, right = _sparse(gold), _sparse(predicted)
    same_shape((len(left), left.width), (len(right), right.width))
    both = kernels.count_columns(
        left.offsets, left.columns, right.offsets, right.columns, left.width
    )
    golds, guesses = left.frequencies(), right.frequencies()
    return LabelScores(
        golds,
        guesses,
        both,
        _share(both, guesses, empty),
        _share(both, golds, empty),
        _share(2 * both, golds + guesses, empty),
    )


def attribute_type_scores(
    gold: Matrix, predicted: Matrix, types: Counts, count: int
) -> list[tuple[Counts, ExampleScores]]:
    """Example scores within each type of attribute (colours, parts, behaviours …).

    Of each type: the examples that have a gold attribute of the type, and their scores when all other
    attributes are left out.

    Args:
        gold: labels or matrix, shape (examples, attributes).
        predicted: the same of the predictions.
        types: the type of each attribute, shape (attributes,).
        count: how many types there are.

    Examples:
        >>> gold, predicted = np.array([[1, 0, 1], [0, 1, 0]]), np.array([[1, 1, 0], [0, 1, 1]])
        >>> [(rows.tolist(), found.f1.round(3).tolist())
        ...  for rows, found in attribute_type_scores(gold, predicted, np.array([0, 0, 1]), 2)]
        [([0, 1], [0.667, 1.0]), ([0], [0.0])]
    """
    left, right = _sparse(gold), _sparse(predicted)
    same_shape((len(left), left.width), (len(right), right.width))
    _check_types(types, left.width, count)
    found = []
    for kind in range(count):
        columns = np.flatnonzero(types == kind)
        golds, guesses = left.keep(columns), right.keep(columns)
        rows = np.flatnonzero(golds.sizes())
        found.append((rows, example_scores(golds.take(rows), guesses.take(rows))))
    return found


def means_by(values: Floats, types: Counts, count: int) -> tuple[Floats, Counts]:
    """The mean of the examples' values for each type of example (its target's category), and their number.

    >>> means_by(np.array([1.0, 0.5, 0.0]), np.array([0, 0, 2]), 3)[0].tolist()
    [0.75, nan, 0.0]
    """
    _check_types(types, len(values), count)
    numbers = np.bincount(types, minlength=count)
    sums = np.bincount(types, weights=values, minlength=count)
    means = np.where(numbers > 0, sums / np.maximum(numbers, 1), np.nan)
    return means, numbers


def _counts(gold: Matrix, predicted: Matrix) -> tuple[Counts, Counts, Counts]:
    if not (isinstance(gold, Labels) or isinstance(predicted, Labels)):
        return _dense_counts(np.asarray(gold), np.asarray(predicted))
    left, right = _sparse(gold), _sparse(predicted)
    same_shape((len(left), left.width), (len(right), right.width))
    both = kernels.count_sparse(
        left.offsets, left.columns, right.offsets, right.columns, left.width
    )
    return both, left.sizes(), right.sizes()


def _dense_counts(gold: NDArray[Any], predicted: NDArray[Any]) -> tuple[Counts, Counts, Counts]:
    same_shape(gold.shape, predicted.shape)
    if gold.ndim != 2:  # noqa: PLR2004 examples and attributes
        raise DataError("is no matrix", field="labels", expected="examples and attributes")
    both, golds, guesses = (np.empty(len(gold), dtype=np.int64) for _ in range(3))
    parts = max(1, min(cpu_count() or 1, gold.size // _AT_ONCE))
    cuts = np.linspace(0, len(gold), parts + 1).astype(int).tolist()

    def count(start: int, end: int) -> None:
        part = slice(start, end)
        kernels.count_dense(gold[part], predicted[part], both[part], golds[part], guesses[part])

    if parts == 1:
        count(0, len(gold))
    else:
        with ThreadPoolExecutor(parts) as pool:
            list(pool.map(count, cuts[:-1], cuts[1:]))
    return both, golds, guesses


def _sparse(labels: Matrix) -> Labels:
    return labels if isinstance(labels, Labels) else Labels.of_dense(labels)


def _share(part: Counts, whole: Counts, empty: float) -> Floats:
    return np.where(whole > 0, part / np.maximum(whole, 1), empty)


def _check_types(types: Counts, number: int, count: int) -> None:
    if len(types) != number or (len(types) and not 0 <= types.min() <= types.max() < count):
        raise DataError(
            f"has {len(types)} numbers", field="types", expected=f"{number}, from 0 to {count - 1}"
        )
