"""Samples that can be resampled by whole clusters, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from referee.errors import UsageError
from referee.metrics.statistics.inputs import Array, Codes

Statistic = Callable[[Array, Array], Array]
"""(values of shape (n,) or (n, columns), weights of shape (m, n)) to estimates of shape (m,)."""

_CHUNK = 1 << 17
"""Numbers drawn at once: about what stays in a core's cache."""

WEIGHTS = 1 << 21
"""Weights handed at once to a caller's statistic, which may do work of its own in each call."""

_REPEATED = 16
"""Drawing how often a kind comes up costs about this many times drawing one cluster."""


def chunks(total: int, width: int, size: int = _CHUNK) -> Iterator[int]:
    """Numbers of rows that add up to `total`, each of about `size` numbers, `width` to a row."""
    step = max(1, size // max(width, 1))
    for start in range(0, total, step):
        yield min(step, total - start)


def draw_counts(generator: np.random.Generator, groups: int, resamples: int) -> Array:
    """How often each of the groups is drawn, with replacement; shape (resamples, groups)."""
    drawn = generator.integers(0, groups, size=(resamples, groups), dtype=np.int32).astype(np.intp)
    drawn += np.arange(resamples, dtype=np.intp)[:, None] * groups
    counts = np.bincount(drawn.ravel(), minlength=resamples * groups)
    return counts.reshape(resamples, groups).astype(np.float64)


def seeded(seed: int) -> np.random.Generator:
    """The generator of a seed."""
    if seed < 0:
        raise UsageError(f"a seed is a whole number from 0 on, not {seed}")
    return np.random.default_rng(seed)


def few_kinds(kinds: int, groups: int) -> bool:
    """Whether so many clusters are alike that counting kinds beats drawing clusters."""
    return kinds * _REPEATED <= groups


class Sample(Protocol):
    """Something with an estimate, resamples of it, and its value without each cluster."""

    def estimate(self) -> float: ...  # noqa: D102 - the class says it
    def resample(self, generator: np.random.Generator, resamples: int) -> Array: ...  # noqa: D102
    def jackknife(self) -> Array: ...  # noqa: D102


class RatioSample:
    """A ratio of two sums, known by each cluster's two totals; a mean is sum over count.

    Clusters with the same totals are one kind. The counts of the kinds in a resample are
    multinomial, so right-or-wrong values need a few draws a resample however many the games.
    """

    def __init__(self, numerators: Array, denominators: Array, codes: Codes, groups: int) -> None:
        columns = [np.bincount(codes, column, groups) for column in (numerators, denominators)]
        totals = np.stack(columns, axis=1).astype(np.float64)
        # Sorting also makes the draws, and so the bounds, the same in any order of the games.
        self._kinds, self._repeats = np.unique(totals, axis=0, return_counts=True)
        self._groups = groups

    def estimate(self) -> float:
        """The ratio of the sums of all clusters."""
        return float(_ratio(self._repeats @ self._kinds)[()])

    def resample(self, generator: np.random.Generator, resamples: int) -> Array:
        """The ratio in each resample, shape (resamples,); NaN where its denominator is zero."""
        if len(self._kinds) == 1:
            return np.full(resamples, self.estimate())
        if few_kinds(len(self._kinds), self._groups):
            shares = self._repeats / self._groups
            sums = [
                generator.multinomial(self._groups, shares, size=rows) @ self._kinds
                for rows in chunks(resamples, len(self._kinds))
            ]
        else:
            clusters = np.repeat(self._kinds, self._repeats, axis=0)
            sums = [
                draw_counts(generator, self._groups, rows) @ clusters
                for rows in chunks(resamples, self._groups)
            ]
        return _ratio(np.concatenate(sums))

    def jackknife(self) -> Array:
        """The ratio without each cluster in turn, shape (clusters,)."""
        rest = _ratio(self._repeats @ self._kinds - self._kinds)
        return np.repeat(rest, self._repeats)


class WeightedSample:
    """Any statistic that can be computed from whole-number weights on the values."""

    def __init__(self, values: Array, codes: Codes, groups: int, statistic: Statistic) -> None:
        self._values = values
        self._codes = codes
        self._groups = groups
        self._statistic = statistic

    def estimate(self) -> float:
        """The statistic with every weight one."""
        return float(evaluate(self._statistic, self._values, np.ones((1, len(self._values))))[0])

    def resample(self, generator: np.random.Generator, resamples: int) -> Array:
        """The statistic in each resample, shape (resamples,)."""
        parts = [
            self._by_cluster(draw_counts(generator, self._groups, rows))
            for rows in chunks(resamples, len(self._values), WEIGHTS)
        ]
        return np.concatenate(parts)

    def jackknife(self) -> Array:
        """The statistic without each cluster in turn, shape (clusters,)."""
        parts = []
        start = 0
        for rows in chunks(self._groups, len(self._values), WEIGHTS):
            weights = np.ones((rows, self._groups))
            weights[np.arange(rows), start + np.arange(rows)] = 0.0
            parts.append(self._by_cluster(weights))
            start += rows
        return np.concatenate(parts)

    def _by_cluster(self, weights: Array) -> Array:
        return evaluate(self._statistic, self._values, weights[:, self._codes])


def evaluate(statistic: Statistic, values: Array, weights: Array) -> Array:
    """A caller's statistic, held to its promised shape; what is not finite becomes NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        estimates = np.asarray(statistic(values, weights), dtype=np.float64)
    if estimates.shape != (len(weights),):
        raise UsageError(
            f"the statistic gave shape {estimates.shape} for {len(weights)} rows of weights; "
            f"it must give ({len(weights)},)"
        )
    return np.where(np.isfinite(estimates), estimates, np.nan)


def weighted_mean(values: Array, weights: Array) -> Array:
    """Mean under each row of weights."""
    estimates: Array = (weights @ values) / weights.sum(axis=1)
    return estimates


def weighted_ratio(values: Array, weights: Array) -> Array:
    """Sum of the first column over the sum of the second under each row of weights."""
    sums = weights @ values
    estimates: Array = sums[:, 0] / sums[:, 1]
    return estimates


def _ratio(sums: Array) -> Array:
    """First over second of the last axis, NaN where the second is zero."""
    numerators, denominators = sums[..., 0], sums[..., 1]
    undefined = denominators == 0
    return np.where(undefined, np.nan, numerators / np.where(undefined, 1.0, denominators))
