"""The compiled loops of the diagnostic classifier, all in single precision and wide as the machine allows.

What a loop keeps for each column (a sum, a product) it keeps in an array: so the columns are independent
and can be worked on side by side, and no sum's order depends on the machine. The softplus of many logits is
the logarithm of a product: each factor lies between 1 and 2, so 126 of them may be multiplied first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Loop = TypeVar("Loop", bound=Callable[..., Any])

_ONE = np.float32(1)
_FACTORS = 126


def _wide(function: Loop) -> Loop:
    # without an exact order of multiply and add, but with every sum in the order in which it is written
    loose = {"contract", "nnan", "nsz"}
    try:
        result = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=loose)(function)
    except RuntimeError:  # where no folder can be written to, each process compiles anew
        result = numba.njit(nogil=True, error_model="numpy", fastmath=loose)(function)
    return cast("Loop", result)


@numba.njit(inline="always")
def _exp_of_minus(value: Any) -> Any:
    """exp(-value) for a value of at least 0, to some 2e-7 of it: 2^-k times a polynomial (Cephes')."""
    value = value if value < np.float32(87) else np.float32(87)  # noqa: FURB136 min() calls
    k = np.int32(np.float32(0.5) + value * np.float32(1.44269504))
    whole = np.float32(k)
    rest = (whole * np.float32(0.693359375) - value) + whole * np.float32(-2.12194440e-4)
    found = np.float32(1.9875691500e-4)
    found = found * rest + np.float32(1.3981999507e-3)
    found = found * rest + np.float32(8.3334519073e-3)
    found = found * rest + np.float32(4.1665795894e-2)
    found = found * rest + np.float32(1.6666665459e-1)
    found = found * rest + np.float32(5.0000001201e-1)
    found = found * rest * rest + rest + _ONE
    return found * np.int32((np.int32(127) - k) << np.int32(23)).view(np.float32)


@_wide
def slopes(
    logits: Array,
    bias: Array,
    bounds: tuple[Array, Array],
    columns: Array,
    rows: Array,
    low: int,
    scale: np.float32,
    totals: Array,
) -> float:
    """Puts the loss's slopes in place of the logits of a block; gives back the loss's sum there.

    `logits` is [batch, block], and `rows` says which rows of the labels they are. `bounds` has where the
    block's part of each row of `columns` begins and ends, `low` is the block's first attribute, `bias` is
    the block's, and `totals` takes the slopes of it.
    """
    lost = 0.0
    product = np.ones(len(bias), dtype=np.float32)
    above = np.zeros(len(bias), dtype=np.float32)
    totals[:] = 0
    for place in range(len(rows)):
        row, row_of_labels = logits[place], rows[place]
        start, end = bounds[0][row_of_labels], bounds[1][row_of_labels]
        for entry in range(start, end):
            column = columns[entry] - low
            lost -= row[column] + bias[column]
        for column in range(len(row)):
            logit = row[column] + bias[column]
            power = _exp_of_minus(abs(logit))
            factor = _ONE + power
            inverse = _ONE / factor
            product[column] *= factor
            above[column] += max(logit, np.float32(0))
            slope = (inverse if logit >= np.float32(0) else power * inverse) * scale
            row[column] = slope
            totals[column] += slope
        for entry in range(start, end):
            column = columns[entry] - low
            row[column] -= scale
            totals[column] -= scale
        if place % _FACTORS == _FACTORS - 1 or place == len(rows) - 1:
            for column in range(len(product)):
                lost += np.log(np.float64(product[column])) + above[column]
            product[:] = 1
            above[:] = 0
    return lost


@_wide
def adam(
    weights: Array,
    first: Array,
    second: Array,
    slope: Array,
    betas: tuple[np.float32, np.float32],
    step: np.float32,
    correction: np.float32,
    epsilon: np.float32,
) -> None:
    """One step of Adam on flat arrays; `step` and `correction` hold the corrections of the moments."""
    one, two = betas
    for place in range(len(weights)):
        here = slope[place]
        mean = first[place] * one + here * (_ONE - one)
        square = second[place] * two + here * here * (_ONE - two)
        first[place], second[place] = mean, square
        weights[place] -= step * mean / (np.sqrt(square) * correction + epsilon)


@_wide
def count_over(
    logits: Array,
    bias: Array,
    offsets: Array,
    columns: Array,
    low: int,
    least: np.float32,
    predicted: Array,
    right: Array,
) -> None:
    """Adds up how many logits of each row are above `least`, and how many of those are labels.

    `logits` is [rows, block], `bias` the block's, `low` its first attribute; `offsets`, `predicted` and
    `right` begin with the first of these rows.
    """
    for place in range(logits.shape[0]):
        row = logits[place]
        found = np.int32(0)
        for column in range(len(row)):
            found += np.int32(row[column] + bias[column] > least)
        predicted[place] += found
        for entry in range(offsets[place], offsets[place + 1]):
            column = columns[entry] - low
            if 0 <= column < len(row):
                right[place] += row[column] + bias[column] > least


@_wide
def surprise(
    logits: Array, bias: Array, offsets: Array, columns: Array, low: int, nats: Array
) -> None:
    """Adds up the cross-entropy of some examples over a block of attributes; `logits` is [block, examples].

    `bias` is the block's, `low` its first attribute; `offsets` and `nats` begin with the first example.
    """
    product = np.ones(len(nats), dtype=np.float32)
    above = np.zeros(len(nats))
    for place in range(logits.shape[0]):
        row, shift = logits[place], bias[place]
        for example in range(len(row)):
            logit = row[example] + shift
            product[example] *= _ONE + _exp_of_minus(abs(logit))
            above[example] += max(logit, np.float32(0))
        if place % _FACTORS == _FACTORS - 1 or place == logits.shape[0] - 1:
            for example in range(len(product)):
                nats[example] += np.log(np.float64(product[example]))
            product[:] = 1
    for example in range(len(nats)):
        nats[example] += above[example]
        for entry in range(offsets[example], offsets[example + 1]):
            column = columns[entry] - low
            if 0 <= column < len(bias):
                nats[example] -= logits[column, example] + bias[column]
