"""The attributes one by one and by what they are about, and learning curves."""

from __future__ import annotations

import pytest

from referee.evaluations.result import Judged, Result, Row, Value
from referee.report import grounding_figures
from referee.report.grounding_figures import attributes, by_attribute, curves

ROWS: list[Row] = [
    {
        "gold_abstract": ["has legs", " eats"],
        "predicted_abstract": ["has legs"],
        "gold_situated": ["center"],
        "predicted_situated": ["center", "red"],
    },
    {
        "gold_abstract": ["has legs"],
        "predicted_abstract": [],
        "gold_situated": ["red"],
        "predicted_situated": ["center"],
    },
    {"success": True},
]
POINT = Value(50.0, ci_low=40.0, ci_high=60.0, n=9)


def judged(rows: list[Row], **values: Value) -> Judged:
    return Judged(Result("grounding", {"seed": 0}, values), rows)


def test_each_attribute_is_counted_over_the_games_that_predict() -> None:
    found = {each.name: each for each in attributes(ROWS)}
    legs = found["has legs"]
    assert (legs.gold, legs.said, legs.both) == (2, 1, 1)
    assert (legs.precision, legs.recall) == (1, 0.5)
    assert legs.f1 == pytest.approx(2 / 3)
    assert found[" eats"].f1 == 0
    assert {found[name].sort for name in ("has legs", " eats", "center")} == {
        *("part", "behaviour", "location"),
    }


def test_imsitu_s_roles_and_materials_are_sorts_of_their_own() -> None:
    names = ("agent riding", "can_be riding", "used_to cutting", "made of wood", "animal")
    assert [grounding_figures.sort_of(name, "abstract") for name in names] == [
        *("agent", "can be", "used to", "material", "other abstract"),
    ]


def test_the_list_names_every_attribute_and_its_signature() -> None:
    text = by_attribute(judged(ROWS))
    assert "| has legs | 66.67 | 100.00 | 50.00 | 2 | 1 | abstract |" in text
    assert "`grounding | seed=0`" in text
    assert by_attribute(judged([{"success": True}])) == ""


def test_a_curve_needs_two_points() -> None:
    values = {"curve_abstract_10": POINT, "curve_abstract_30": POINT, "curve_location_10": POINT}
    assert curves(values) == {"abstract": {10: POINT, 30: POINT}}


def test_figures_are_drawn_of_what_there_is() -> None:
    pytest.importorskip("matplotlib")
    values = {"curve_abstract_situated_10": POINT, "curve_abstract_situated_30": POINT}
    found = grounding_figures.figures(judged(ROWS, **values))
    assert set(found) == {"attributes.svg", "learning_curve.svg"}
    assert grounding_figures.figures(judged([{"success": True}])) == {}
