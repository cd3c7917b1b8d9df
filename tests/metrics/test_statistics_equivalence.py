"""Equivalence, many tests at once, pairing, and the export list."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats import weightstats
from statsmodels.stats.multitest import multipletests

from referee.errors import UsageError
from referee.metrics import statistics
from referee.metrics.statistics import (
    bootstrap_interval,
    equivalence_independent,
    equivalence_of_interval,
    equivalence_paired,
    holm,
    mean_interval,
    pair,
    two_way_mean_interval,
)


def test_paired_equivalence_is_statsmodels() -> None:
    """Both one-sided p-values are statsmodels' for paired means."""
    generator = np.random.default_rng(1)
    a = generator.standard_normal(40)
    b = a + 0.5 * generator.standard_normal(40)
    ours = equivalence_paired(a, b, (-0.2, 0.3))
    p_value, above, below = weightstats.ttost_paired(a, b, -0.2, 0.3)
    assert ours.p_value == pytest.approx(p_value)
    assert ours.p_above_low == pytest.approx(above[1])
    assert ours.p_below_high == pytest.approx(below[1])


def test_independent_equivalence_is_statsmodels() -> None:
    """The p-value is statsmodels' with unequal variances."""
    generator = np.random.default_rng(2)
    a, b = generator.standard_normal(60), 2 * generator.standard_normal(80)
    ours = equivalence_independent(a, b, 0.9)
    p_value, *_ = weightstats.ttost_ind(a, b, -0.9, 0.9, usevar="unequal")
    assert ours.p_value == pytest.approx(p_value)
    assert ours.equivalent == (p_value < 0.05)


@given(
    st.lists(st.floats(-3, 3), min_size=6, max_size=20),
    st.floats(0.1, 3),
    st.floats(0.01, 0.2),
)
@settings(max_examples=60)
def test_equivalent_means_that_the_narrower_interval_lies_inside(
    values: list[float], margin: float, alpha: float
) -> None:
    """The verdict, the p-value and the interval of level 1 - 2 alpha say the same."""
    verdict = equivalence_of_interval(mean_interval(values), margin, alpha=alpha)
    inside = -margin < verdict.interval.low and verdict.interval.high < margin
    assert verdict.interval.level == pytest.approx(1 - 2 * alpha)
    edges = (verdict.interval.low + margin, verdict.interval.high - margin)
    if min(map(abs, edges)) > 1e-9:
        assert verdict.equivalent == inside == (verdict.p_value < alpha)


def test_two_way_equivalence_keeps_its_level() -> None:
    """At the margin's edge, two-way tests call 5 % equivalent; tests by game call far more so."""
    generator = np.random.default_rng(3)
    workers, pools = np.repeat(np.arange(20), 12), np.tile(np.arange(12), 20)
    two_way = by_game = 0
    for _ in range(300):
        values = (
            1.5
            + 0.7 * generator.standard_normal(20)[workers]
            + 0.7 * generator.standard_normal(12)[pools]
            + generator.standard_normal(240)
        )
        two_way += equivalence_of_interval(
            two_way_mean_interval(values, workers, pools), 1.5
        ).equivalent
        by_game += equivalence_of_interval(mean_interval(values), 1.5).equivalent
    assert 0.01 <= two_way / 300 <= 0.08
    assert by_game / 300 > 0.2


def test_clusters_make_equivalence_harder_to_show() -> None:
    """Counting copies of a game as games shows equivalence that the images do not."""
    values = np.repeat([0.5, -0.4, 0.3, -0.6], 50)
    images = np.repeat(np.arange(4), 50)
    assert equivalence_paired(values, np.zeros(200), 0.4).equivalent
    assert not equivalence_paired(values, np.zeros(200), 0.4, clusters=images).equivalent


def test_a_bootstrap_can_be_judged_too() -> None:
    """An interval without degrees of freedom is taken as normal, close to t for many games."""
    values = np.random.default_rng(4).standard_normal(2000)
    by_t = equivalence_of_interval(mean_interval(values), 0.05)
    by_bootstrap = equivalence_of_interval(
        bootstrap_interval(values, resamples=20_000, seed=1), 0.05
    )
    assert by_bootstrap.p_value == pytest.approx(by_t.p_value, rel=0.1)


def test_equivalence_without_error_or_knowledge() -> None:
    """Equal differences are inside or outside for certain; one difference shows nothing."""
    assert equivalence_paired([1, 2], [1, 2], 0.1).p_value == 0
    outside = equivalence_paired([1, 2], [0, 1], 0.5)
    assert (outside.p_value, outside.equivalent) == (1, False)
    unknown = equivalence_paired([1], [1], 0.5)
    assert math.isnan(unknown.p_value)
    assert unknown.equivalent is False


@pytest.mark.parametrize("margin", [0.0, -1.0, (1.0, 1.0), (2.0, 1.0), math.nan, math.inf])
def test_a_margin_must_have_room(margin: float | tuple[float, float]) -> None:
    """Empty and endless margins are refused."""
    with pytest.raises(UsageError, match="margin"):
        equivalence_paired([1, 2, 3], [1, 2, 4], margin)


def test_alpha_must_leave_an_interval() -> None:
    """Alpha lies below one half."""
    with pytest.raises(UsageError, match="lie below"):
        equivalence_paired([1, 2, 3], [1, 2, 4], 1, alpha=0.5)


p_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(p_values)
def test_holm_by_its_definition(values: list[float]) -> None:
    """Each adjusted value is the running maximum of p times the tests that are left."""
    adjusted = holm(values)
    running = 0.0
    for step, place in enumerate(np.argsort(values, kind="stable")):
        running = max(running, min(1.0, (len(values) - step) * values[place]))
        assert adjusted[place] == pytest.approx(running)


@given(p_values, st.randoms())
def test_holm_keeps_the_order(values: list[float], random: Random) -> None:
    """Adjusting never lowers a p-value, never swaps two, and does not depend on their places."""
    adjusted = holm(values)
    for before, after in zip(values, adjusted, strict=True):
        assert before <= after + 1e-15
        assert after <= 1
    ranked = [adjusted[place] for place in np.argsort(values, kind="stable")]
    assert ranked == sorted(ranked)
    places = random.sample(range(len(values)), len(values))
    assert holm([values[place] for place in places]) == [adjusted[place] for place in places]


def test_holm_is_statsmodels() -> None:
    """The adjusted values are those of statsmodels, ties and zeros included."""
    values = [0.04, 0.0, 0.2, 0.01, 0.01, 1.0, 0.03]
    assert holm(values) == pytest.approx(multipletests(values, method="holm")[1].tolist())


def test_holm_refuses_what_is_no_p_value() -> None:
    """No tests need no adjustment; NaN and what is outside [0, 1] are refused."""
    assert holm([]) == []
    with pytest.raises(UsageError, match="not finite"):
        holm([0.1, math.nan])
    with pytest.raises(UsageError, match="in \\[0, 1\\]"):
        holm([0.1, 1.1])


@given(st.lists(st.integers(), unique=True, max_size=30), st.randoms())
def test_pairing_lines_the_runs_up(keys: list[int], random: Random) -> None:
    """Run B in the order of the pairing has run A's keys."""
    shuffled = random.sample(keys, len(keys))
    order = pair(keys, shuffled)
    assert [shuffled[place] for place in order] == keys


def test_runs_with_other_games_are_not_paired() -> None:
    """The refusal counts what differs, and names two of each."""
    with pytest.raises(UsageError) as refusal:
        pair(["g1", "g2", "g3", "g4", "g4"], ["g4", ("i", 7), "g9"])
    assert str(refusal.value) == (
        "the runs cannot be paired: 3 only in A ('g1', 'g2', …); 2 only in B (('i', 7), 'g9'); "
        "1 more than once in A ('g4')"
    )
    with pytest.raises(UsageError, match="keys must be names"):
        pair([["g1"]], [["g1"]])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="1 more than once in B \\(1\\)"):
        pair([1], [1, 1])
    with pytest.raises(UsageError, match=r"2 only in A \(1, 2\)$"):
        pair([1, 2], [])


def test_the_export_list_is_guarded() -> None:
    """What the package shows is what it names, and nothing hides a module of its own."""
    shown = {
        name
        for name, value in vars(statistics).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert shown == set(statistics.__all__)
    modules = {path.stem for path in Path(statistics.__file__).parent.glob("*.py")}
    assert not shown & modules


def test_importing_loads_nothing_heavy() -> None:
    """The heavy libraries load when a function needs them."""
    program = (
        "import sys, referee.metrics.statistics;"
        "heavy = {'scipy', 'statsmodels', 'pandas', 'torch', 'matplotlib', 'polars'} & set(sys.modules);"
        "print(heavy); sys.exit(len(heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
