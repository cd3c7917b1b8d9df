"""Intervals for shares, where resampling has nothing to say."""

from __future__ import annotations

from referee.errors import UsageError
from referee.metrics.statistics.results import Interval


def exact_proportion(successes: int, n: int, level: float = 0.95) -> Interval:
    r"""Clopper and Pearson's interval of a share: the bounds that the binomial itself gives.

    The interval holds every share p under which neither "so many or more" nor "so many or fewer" of n
    is rarer than (1 - level) / 2. Where all of n are right, the lower bound is ((1 - level) / 2)^(1/n):
    a bootstrap of such data would have no width at all.

    Examples:
        >>> interval = exact_proportion(10, 10)
        >>> round(interval.low, 4), interval.high
        (0.6915, 1.0)
    """
    from scipy.stats import binomtest

    if not 0 <= successes <= n or n < 1 or not 0 < level < 1:
        raise UsageError(f"{successes} of {n} at level {level} is no share")
    share = successes / n
    bounds = binomtest(successes, n).proportion_ci(level, method="exact")
    spread = (share * (1 - share) / n) ** 0.5
    return Interval(
        share, float(bounds.low), float(bounds.high), level, "Clopper-Pearson", spread, n, n
    )
