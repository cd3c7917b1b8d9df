"""Figures 6 to 10, drawn by asking the rules."""

from __future__ import annotations

import pytest

from referee.metrics.belief.rules import Thresholds
from referee.report.rule_figures import FIGURES, ground, rule_figures, verdicts

pytest.importorskip("matplotlib")


def test_each_panel_shows_what_is_in_and_what_is_not() -> None:
    """Of the hypothetical boxes of each place every rule takes some and leaves some."""
    for rule, places in FIGURES.values():
        for place in places:
            assert len(set(verdicts(rule, place))) == 2


def test_the_figures_show_where_the_rules_differ() -> None:
    """Large boxes that stick out are R2's and not R1's; small ones near the middle the other way round."""
    first, second, half = (
        verdicts(*each) for each in (("R1", "left"), ("R2", "left"), ("R2", "left half"))
    )
    assert first[1:3] == [False, True]
    assert second[1:3] == [True, False]
    assert half[1:3] == [True, True]


def test_the_ground_is_the_rules_own() -> None:
    """R3's left is the left half; another threshold moves R2's edge."""
    there = ground("R3", "left")
    assert there[:, :80].all()
    assert not there[:, 80:].any()
    assert ground("R2", "left", Thresholds(r2_outer=0.2)).sum() < ground("R2", "left").sum()


def test_equal_figures_are_equal_bytes() -> None:
    """Five files, the same every time."""
    once = rule_figures()
    assert sorted(once) == sorted(f"figure_{number}.svg" for number in range(6, 11))
    assert rule_figures() == once
