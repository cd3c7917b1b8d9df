"""What the statistics hand back: an interval, a test, a verdict of equivalence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Alternative = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and the bounds around it.

    Bounds are NaN where the data cannot tell: with no values, or with a single cluster. Values that
    are all equal give an interval of width zero.
    """

    estimate: float
    low: float
    high: float
    level: float
    """The share of such intervals that hold the true value, in (0, 1)."""
    method: str
    standard_error: float
    n: int
    """Number of values."""
    n_clusters: int
    """Number of independent units: values, clusters, or levels of the rarer of two factors."""
    degrees_of_freedom: float | None = None
    """For an interval by Student's t."""
    resamples: int = 0
    """For a bootstrap: how many resamples the bounds rest on; those without a value are left out."""


@dataclass(frozen=True, slots=True)
class SignificanceTest:
    """A test of "no difference", with the size of the difference beside its p-value."""

    name: str
    p_value: float
    statistic: float
    effect: float
    effect_name: str
    alternative: Alternative
    method: str
    """How the p-value was found: exact, mid-p, Monte Carlo or asymptotic."""
    n: int
    """Number of values, or of pairs."""


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two one-sided tests of whether a difference lies inside a margin fixed beforehand."""

    equivalent: bool
    p_value: float
    """The larger of the two one-sided p-values."""
    p_above_low: float
    """p-value against "the difference is at most `margin_low`"."""
    p_below_high: float
    """p-value against "the difference is at least `margin_high`"."""
    margin_low: float
    margin_high: float
    alpha: float
    interval: Interval
    """At level 1 - 2 alpha: equivalent when it lies inside the margin."""


def student_interval(
    *,
    estimate: float,
    standard_error: float,
    degrees_of_freedom: float | None,
    level: float,
    method: str,
    n: int,
    n_clusters: int,
) -> Interval:
    """An estimate with bounds by Student's t, or by the normal where there are no degrees."""
    from scipy import stats

    freedom = math.inf if degrees_of_freedom is None else degrees_of_freedom
    half = float(stats.t.ppf(0.5 + level / 2, freedom)) * standard_error
    return Interval(
        estimate=estimate,
        low=estimate - half,
        high=estimate + half,
        level=level,
        method=method,
        standard_error=standard_error,
        n=n,
        n_clusters=n_clusters,
        degrees_of_freedom=degrees_of_freedom,
    )


def unknown_interval(
    estimate: float, level: float, method: str, n: int, n_clusters: int
) -> Interval:
    """An estimate whose bounds the data cannot tell."""
    return Interval(
        estimate=estimate,
        low=math.nan,
        high=math.nan,
        level=level,
        method=method,
        standard_error=math.nan,
        n=n,
        n_clusters=n_clusters,
    )
