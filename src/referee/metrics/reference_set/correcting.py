"""What a perfect oracle would have found, estimated from one that errs at known rates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from referee.errors import UsageError

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Answers = NDArray[np.int8]

DEEPEST = 12
"""Turns up to which effectiveness is corrected: each doubles the work."""
_LEAST = 1e-6
_YES, _NO = 0, 1


@dataclass(frozen=True, eq=False)
class Corrected:
    """Estimates a question; single ones may lie outside 0 and 1, their mean is without bias.

    `effective` and `in_context` are NaN after `DEEPEST` turns.
    """

    effective: Floats
    referring: Floats
    in_context: Floats


def confusion(accuracy: float) -> Floats:
    """How an oracle errs that is right so often: it takes Yes for No and No for Yes, N/A for either.

    >>> confusion(0.75).tolist()
    [[0.75, 0.25, 0.0], [0.25, 0.75, 0.0], [0.125, 0.125, 0.75]]
    """
    wrong = 1 - accuracy
    half = wrong / 2
    return np.array([[accuracy, wrong, 0], [wrong, accuracy, 0], [half, half, accuracy]])


def corrected(
    answers: Answers,
    things: Counts,
    turns: Counts,
    targets: Counts,
    errors: Floats,
    said: Answers | None = None,
) -> Corrected:
    r"""Unbiased estimates of what each question would do if the oracle did not err.

    `errors` M [right, said] holds how often the oracle says what where what is right; its errors are
    independent. The row of M^-1 that belongs to what was said estimates without bias whether an answer
    is a:

        e(o, a) = M^-1[said about o, a],   E e(o, a) = 1 where a is right about o, else 0

    and so do products of such estimates about different pairs of question and thing. Hence

        referring_t = e_t(r, yes) prod_{o != r} e_t(o, no)
        effective_t = 1 - sum_{a_1 .. a_t} prod_s e_s(r, a_s)
                          prod_{o != r} [1 - prod_{s<t} e_s(o, a_s) (1 - e_t(o, a_t))]

    where the sum is over the answers that may be right about the target r; in context, referring is the
    same with a_t = yes and 1 - e_t(o, no) at the end. With answers that were `said`, which are taken
    for right, the sum has one term. Their mean over questions is unbiased; its spread grows with the
    error, the number of things and the turns.

    Args:
        answers: [cells] as in `reference_sets`.
        things: [games] how many things each scene has.
        turns: [games] how many questions each game has.
        targets: [games] the place of the target among the things.
        errors: [3, 3] as above; it must have an inverse.
        said: [questions] the right answers about the target, where they are known.

    Examples:
        An oracle that never errs is left as it is:

        >>> import numpy as np
        >>> one = np.array([3]), np.array([1]), np.array([0])
        >>> found = corrected(np.array([0, 1, 1], np.int8), *one, confusion(1.0))
        >>> found.effective.tolist(), found.referring.tolist()
        ([1.0], [1.0])
        >>> found = corrected(np.array([0, 1, 1], np.int8), *one, confusion(0.9))
        >>> found.referring.round(4).tolist()
        [1.4238]
    """
    inverse = _inverse(errors)
    questions = int(turns.sum())
    effective, referring, near = (np.full(questions, np.nan) for _ in range(3))
    given = np.empty(0, np.int8) if said is None else np.ascontiguousarray(said, np.int8)
    flat = np.ascontiguousarray(answers, np.int8)
    _correct(flat, things, turns, targets, (given, inverse), (effective, referring, near))
    return Corrected(effective, referring, near)


def extrapolated(
    measure: Callable[[Answers], Floats],
    answers: Answers,
    errors: Floats,
    seed: int,
    draws: int = 8,
) -> Floats:
    """Any measure of answers, extrapolated to an oracle that does not err (simulated extrapolation).

    The oracle's errors are applied again to its answers, once, twice and three times, each over some
    draws; with v_k the measure under k times the errors (v_1 is what was measured), the cubic through
    v_1 … v_4 is, without errors, 4 v_1 - 6 v_2 + 4 v_3 - v_4. It has no bias where the measure is a cubic
    in the number of times.

    >>> import numpy as np
    >>> answers = np.array([0, 1, 1], np.int8)
    >>> share = lambda found: np.array([(found == 0).mean()])
    >>> extrapolated(share, answers, confusion(1.0), seed=0).round(4).tolist()
    [0.3333]
    """
    limits = np.cumsum(errors, axis=1)[:, :2]
    generator = np.random.default_rng(seed)
    total = 4 * measure(answers)
    for _ in range(draws):
        noisy = answers
        for factor in (-6, 4, -1):
            luck = generator.random(len(noisy))
            noisy = (luck[:, None] >= limits[noisy]).sum(axis=1).astype(np.int8)
            total = total + factor / draws * measure(noisy)
    return total


def _inverse(errors: Floats) -> Floats:
    table = np.asarray(errors, np.float64)
    whole = table.shape == (3, 3) and bool((np.abs(table.sum(axis=1) - 1) < _LEAST).all())
    if not whole or (table < 0).any() or abs(np.linalg.det(table)) < _LEAST:
        raise UsageError(
            "an oracle's errors must be a table of 3 x 3 shares, each row with the sum 1, "
            "that tell the answers apart"
        )
    return np.ascontiguousarray(np.linalg.inv(table))


@njit(cache=True, nogil=True)
def _correct(
    answers: Any, things: Counts, turns: Counts, targets: Counts, known: Any, found: Any
) -> None:
    given, inverse = known
    turn = cell = 0
    for game in range(len(things)):
        width, count = things[game], turns[game]
        rows = answers[cell : cell + width * count].reshape(count, width)
        told = given[turn : turn + count] if len(given) else given
        for at in range(count):
            found[1][turn + at] = _refers(rows[at], targets[game], told, at, inverse)
        deep = min(count, DEEPEST)
        _effective(rows[:deep], targets[game], told, inverse, found[0][turn:], found[2][turn:])
        turn += count
        cell += width * count


@njit(cache=True, nogil=True)
def _refers(row: Any, target: int, told: Any, at: int, inverse: Floats) -> float:
    product: float = 1.0 * (told[at] == _YES) if len(told) else inverse[row[target], _YES]
    for thing in range(len(row)):
        if thing != target:
            product *= inverse[row[thing], _NO]
    return product


@njit(cache=True, nogil=True)
def _effective(
    rows: Any, target: int, told: Any, inverse: Floats, effective: Floats, near: Floats
) -> None:
    """Goes through the right answers about the target that there may be, as through a tree."""
    count, width = rows.shape
    kept = np.ones((count + 1, width))
    weights = np.ones(count + 1)
    answer = np.full(count, -1)
    still = np.zeros(count)
    effective[:count] = 0.0
    near[:count] = 0.0
    depth = 0 if count else -1
    while depth >= 0:
        answer[depth] += 1
        if answer[depth] > 2:  # noqa: PLR2004 (the last of three answers)
            answer[depth] = -1
            depth -= 1
            continue
        right = answer[depth]
        weight = weights[depth] * (
            1.0 * (told[depth] == right) if len(told) else inverse[rows[depth, target], right]
        )
        if weight == 0:
            continue
        product, alone = weight, weight
        for thing in range(width):
            if thing != target:
                before = kept[depth, thing]
                same = inverse[rows[depth, thing], right]
                product *= 1 - before * (1 - same)
                alone *= 1 - before * (1 - inverse[rows[depth, thing], _NO])
                kept[depth + 1, thing] = before * same
        still[depth] += product
        if right == _YES:
            near[depth] += alone
        weights[depth + 1] = weight
        if depth + 1 < count:
            depth += 1
    for place in range(count):
        effective[place] = 1 - still[place]
