"""results.json and the signature."""

from __future__ import annotations

import doctest
import json

from referee.evaluations import result
from referee.evaluations.result import Result, Value, to_json


def test_results_json_has_exactly_these_fields() -> None:
    plain = json.loads(
        to_json(Result("questions", {"seed": 0}, {"task_success": Value(80.0)}, ("note",)))
    )
    assert list(plain) == ["evaluation", "options", "values", "notes"]
    assert list(plain["values"]["task_success"]) == [
        "value",
        "std",
        "unit",
        "higher_is_better",
        "ci_low",
        "ci_high",
        "n",
        "n_failed",
        "n_clusters",
    ]


def test_what_is_not_finite_is_null_at_any_depth() -> None:
    text = to_json(
        Result("x", {"level": float("inf")}, {"a": Value(float("nan"), std=-float("inf"))})
    )
    plain = json.loads(text)
    assert "NaN" not in text
    assert "Infinity" not in text
    assert plain["options"]["level"] is plain["values"]["a"]["value"] is None
    assert plain["values"]["a"]["std"] is None


def test_the_examples_hold() -> None:
    assert doctest.testmod(result).failed == 0
