"""Two runs on the same games: does one do better, and by how much."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from referee.errors import UsageError
from referee.metrics.statistics.inputs import (
    Array,
    as_pair,
    check_alternative,
    check_choice,
    check_share,
)
from referee.metrics.statistics.results import (
    Alternative,
    Interval,
    SignificanceTest,
    unknown_interval,
)

McNemarMethod = Literal["exact", "mid-p", "asymptotic"]

_PERMUTED = 13
_EXACT_SIGNED_RANK = 50
_QUANTILES = 10_000


def wilcoxon(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided"
) -> SignificanceTest:
    r"""Wilcoxon's signed-rank test over the same games, with the rank-biserial correlation.

    Games without a difference are left out; $R^+$ and $R^-$ are the sums of the ranks of $|a - b|$ over
    the games in which a, or b, is greater, and

    $$ r = \frac{R^+ - R^-}{R^+ + R^-}. $$

    The p-value is exact up to 13 differences, or up to 50 without ties, else asymptotic with a
    correction for ties. Without any difference p is 1.

    Args:
        a: shape (n,).
        b: the same games, shape (n,).
        alternative: "greater" asks whether a tends to be greater.

    Examples:
        >>> test = wilcoxon([8, 7, 6, 9, 5], [5, 5, 5, 5, 5])
        >>> test.p_value, test.effect, test.method
        (0.125, 1.0, 'exact')
    """
    check_alternative(alternative)
    first, second = as_pair(a, b)
    moving = _without_noise(first - second)
    moving = moving[moving != 0]
    ties = len(np.unique(np.abs(moving))) < len(moving)
    exact = len(moving) <= _PERMUTED or (len(moving) <= _EXACT_SIGNED_RANK and not ties)
    positive, effect, p_value = 0.0, 0.0, 1.0
    if moving.size:
        from scipy import stats

        ranks = stats.rankdata(np.abs(moving))
        positive = float(ranks[moving > 0].sum())
        effect = 2 * positive / float(ranks.sum()) - 1
        method = "asymptotic"
        if exact:
            # The tables know no ties; with ties all sign patterns are tried.
            method = stats.PermutationMethod(n_resamples=2**_PERMUTED) if ties else "exact"
        p_value = float(stats.wilcoxon(moving, alternative=alternative, method=method).pvalue)
    return SignificanceTest(
        name="Wilcoxon signed-rank",
        p_value=p_value,
        statistic=positive,
        effect=effect,
        effect_name="rank-biserial correlation",
        alternative=alternative,
        method="exact" if exact else "asymptotic",
        n=len(first),
    )


def mcnemar(a: ArrayLike, b: ArrayLike, *, method: McNemarMethod = "exact") -> SignificanceTest:
    r"""McNemar's test of two shares of right answers over the same games.

    Only the games that one run alone gets right tell: $n_{10}$ that a does, $n_{01}$ that b does. With
    $x = \min(n_{10}, n_{01})$ and $X$ binomial with $n_{10} + n_{01}$ trials of chance one half,

    $$ p_{exact} = \min(1, 2 P(X \le x)), \qquad p_{mid} = 2 P(X \le x) - P(X = x), $$

    and the asymptotic p is that of $(n_{10} - n_{01})^2 / (n_{10} + n_{01})$ as chi-squared. Games of one
    image are taken as independent; `paired_permutation` with clusters does not do so.

    Args:
        a: 1 or true where run a is right, shape (n,).
        b: the same games, shape (n,).
        method: "exact", "mid-p" or "asymptotic".

    Examples:
        >>> a, b = [1] * 15 + [0] * 5, [0] * 12 + [1] * 8
        >>> test = mcnemar(a, b, method="mid-p")
        >>> round(test.p_value, 4), test.effect
        (0.0963, 0.35)
    """
    check_choice(method, get_args(McNemarMethod), "method")
    first, second = as_pair(a, b)
    if not (np.isin(first, (0, 1)).all() and np.isin(second, (0, 1)).all()):
        raise UsageError("McNemar's test needs right (1) or wrong (0) for each game")
    only_a = int(np.count_nonzero(first > second))
    only_b = int(np.count_nonzero(second > first))
    return SignificanceTest(
        name="McNemar",
        p_value=_mcnemar_p(only_a, only_b, method),
        statistic=float(only_a - only_b),
        effect=(only_a - only_b) / len(first) if len(first) else math.nan,
        effect_name="difference of shares",
        alternative="two-sided",
        method=method,
        n=len(first),
    )


def paired_effect_size(a: ArrayLike, b: ArrayLike, *, level: float = 0.95) -> Interval:
    r"""Cohen's d of paired differences, $d_z$, with its interval by the noncentral t.

    $$ d_z = \frac{\bar d}{s_d}, \qquad d = a - b $$

    The bounds are the $\delta$ for which $t = d_z \sqrt n$ lies at the two tails of the t distribution
    with $n - 1$ degrees of freedom and noncentrality $\delta \sqrt n$. It takes the games as
    independent. Where all differences are zero $d_z$ is 0, and where they are all alike it is
    infinite; neither has bounds.

    Args:
        a: shape (n,).
        b: the same games, shape (n,).
        level: share of such intervals that hold the true effect.

    Examples:
        >>> interval = paired_effect_size([6, 8, 5, 9, 7], [4, 5, 5, 6, 6])
        >>> round(interval.estimate, 3), round(interval.low, 2), round(interval.high, 2)
        (1.381, 0.07, 2.62)
    """
    check_share(level)
    first, second = as_pair(a, b)
    differences = _without_noise(first - second)
    name, n = "noncentral t", len(differences)
    if n < 2:  # noqa: PLR2004 - one difference has no spread
        return unknown_interval(math.nan, level, name, n, n)
    mean, spread = float(differences.mean()), float(differences.std(ddof=1))
    if np.ptp(differences) == 0:
        estimate = math.copysign(math.inf, mean) if mean else 0.0
        return unknown_interval(estimate, level, name, n, n)
    estimate = mean / spread
    tails = (0.5 + level / 2, 0.5 - level / 2)
    low, high = _noncentralities(estimate * math.sqrt(n), n - 1, tails)
    return Interval(
        estimate=estimate,
        low=low / math.sqrt(n),
        high=high / math.sqrt(n),
        level=level,
        method=name,
        standard_error=math.sqrt(1 / n + estimate**2 / (2 * n)),
        n=n,
        n_clusters=n,
        degrees_of_freedom=n - 1.0,
    )


def _without_noise(differences: Array) -> Array:
    """Differences rounded to twelve digits of the largest, so that 0.3 - 0.1 ties with 0.2."""
    scale = float(np.abs(differences).max(initial=0.0))
    return np.round(differences / scale, 12) * scale if scale else differences


def _mcnemar_p(only_a: int, only_b: int, method: McNemarMethod) -> float:
    total = only_a + only_b
    if total == 0:
        return 1.0
    if method == "mid-p":
        from scipy import stats

        fewer = min(only_a, only_b)
        binomial = stats.binom(total, 0.5)
        return float(2 * binomial.cdf(fewer) - binomial.pmf(fewer))
    from statsmodels.stats.contingency_tables import mcnemar as test

    table = [[0, only_a], [only_b, 0]]
    return float(test(table, exact=method == "exact", correction=False).pvalue)


def _noncentralities(t: float, freedom: int, tails: tuple[float, float]) -> list[float]:
    """The noncentralities d under which P(T <= t) = E[Phi(t S - d)] are these tails.

    S, the estimated spread over the true one, is taken at equally likely quantiles: scipy's noncentral
    t has arguments in the working range at which it is NaN.
    """
    from scipy import optimize, special

    shares = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    scaled = t * np.sqrt(special.chdtri(freedom, 1 - shares) / freedom)
    ends = (float(scaled.min()) - 10, float(scaled.max()) + 10)

    def excess(noncentrality: float, tail: float) -> float:
        return float(special.ndtr(scaled - noncentrality).mean()) - tail

    return [float(optimize.brentq(excess, *ends, args=(tail,))) for tail in tails]
