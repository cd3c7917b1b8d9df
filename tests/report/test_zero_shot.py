"""Table 6, and Figures 4 and 5."""

from __future__ import annotations

import pytest

from referee.report.zero_shot import SHOWN, figures, table

COUNTS = {"nd_valid": (6, 28), "od_valid": (6, 30), "nd_test": (5, 25), "od_test": (5, 20)}


def test_ours_stand_beside_the_published_counts() -> None:
    """The paper's games of both splits add up to what its text says."""
    rows = table(COUNTS).rows
    assert rows[0] == ("near-domain, validation", "6", "28", "1208", "5343")
    games = [int(row[4]) for row in rows]
    assert (games[0] + games[2], games[1] + games[3]) == (19_179, 18_672)


def test_a_split_of_which_there_are_no_pictures_has_no_row() -> None:
    assert [row[0] for row in table({"od_valid": (6, 30)}).rows] == ["out-of-domain, validation"]


def test_a_figure_shows_the_commonest_and_says_how_many_are_left() -> None:
    """Equal figures are equal bytes; a domain without games has none."""
    pytest.importorskip("matplotlib")
    near = {"person": 9, "owl": 3} | {f"thing {number}": 1 for number in range(50)}
    found = figures({"nd": near, "od": {}}, frozenset({"person"}))
    assert list(found) == ["figure_4.svg"]
    assert found["figure_4.svg"].startswith("<?xml")
    assert figures({"nd": near, "od": {}}, frozenset({"person"})) == found
    few = dict(list(near.items())[:SHOWN])
    assert figures({"nd": few}, frozenset({"person"})) != found
