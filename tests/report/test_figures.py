"""The figures of generated answers."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from referee.evaluations.result import Judged, Result, Row, Value
from referee.report.figures import _labelled, _panel, against_k, example_sets, figures, series

TWO = Result("answers", {"reference_sets": "H"}, {"meteor": Value(0.2), "meteor_k5": Value(0.3)})
ROWS: list[Row] = [
    {
        "question": f"q{number}",
        "image": str(number),
        "turn": 1,
        "answer": "yes",
        "generations": ["yea*h", ""],
        "references": ["yes", "yeah"],
        "meteor": number / 10,
    }
    for number in range(10)
]


def test_one_k_is_no_line() -> None:
    assert against_k({"H": Result("answers", {}, {"meteor": Value(0.2)})}) is None


def test_counts_and_lengths_are_no_metrics() -> None:
    assert series({"answer_length": Value(1.0), "answer_length_k5": Value(2.0)}) == {}


def test_spreads_and_bounds_are_no_metrics() -> None:
    others = ("rouge_l_agt", "meteor_sigma_within", "cider_1_bound_mu", "minilm_l2_bound_gamma")
    assert series({name: Value(1.0) for name in others}, 1) == {}


def test_every_metric_has_its_line() -> None:
    names = ("cider_1", "cider_d", "bleu_4", "rouge_l", "meteor", "minilm_l2", "minilm_cs")
    values = {f"{name}{end}": Value(0.5) for name in names for end in ("", "_k5", "_k5_gamma")}
    found = series(values)
    assert list(found) == list(names)
    assert all(list(lines[False]) == [1, 5] for lines in found.values())
    assert all(list(lines[True]) == [5] for lines in found.values())


def test_the_same_values_are_the_same_bytes() -> None:
    first, second = (figures(Judged(TWO), {}) for _ in range(2))
    assert list(first) == ["against_k.svg"]
    assert first == second


def test_results_beside_are_drawn_too() -> None:
    alone, both = figures(Judged(TWO), {}), figures(Judged(TWO), {"sigma": TWO})
    assert len(both["against_k.svg"]) > len(alone["against_k.svg"])


def test_results_beside_of_one_k_are_points() -> None:
    one = Result("answers", {}, {"meteor": Value(0.2)})
    assert against_k({"H": one, "sigma": one}) is not None


def test_results_beside_are_named_by_their_sets_or_else_their_folders() -> None:
    sigma = Result("answers", {"reference_sets": "S"}, {})
    assert list(_labelled(TWO, {"judged": sigma})) == ["H", "Σ"]
    assert list(_labelled(TWO, {"judged": TWO, "second": sigma})) == ["H", "judged", "second"]
    assert list(_labelled(Result("answers", {}, {}), {})) == ["this run"]


def test_an_axis_holds_all_its_lines() -> None:
    """A first result of nearly equal values does not cut the next one off."""
    axis = Figure().subplots()
    flat, high = ({False: {1: Value(low), 5: Value(low)}} for low in (0.001, 0.9))
    _panel(axis, {"low": flat, "high": high})
    bottom, top = axis.get_ylim()
    assert bottom < 0.001
    assert top > 0.9


def test_nearly_equal_values_make_no_slope() -> None:
    axis = Figure().subplots()
    _panel(axis, {"low": {False: {1: Value(0.5), 5: Value(0.5001)}}})
    bottom, top = axis.get_ylim()
    assert top - bottom > 0.019


def test_ranks_have_a_histogram() -> None:
    rows: list[Row] = [{"rank": 1.0}, {"rank": 7.0}, {"rank": None}]
    assert list(figures(Judged(Result("answers", {}, {}), turns=rows), {})) == ["ranks.svg"]


def test_examples_go_from_the_worst_to_the_best() -> None:
    text = example_sets(ROWS)
    assert text.index("**q0**") < text.index("**q9**")
    assert r"generated (meteor 0.0000): yea\*h" in text
    assert "reference set: yes / yeah" in text
    assert example_sets([]) == ""


def test_examples_are_ordered_by_the_score_of_all_that_they_show() -> None:
    rows: list[Row] = [{**row, "meteor_k5": 1 - number / 10} for number, row in enumerate(ROWS)]
    text = example_sets(rows)
    assert text.startswith("Rounds from the worst to the best by meteor_k5.")
    assert text.index("**q9**") < text.index("**q0**")
    assert "generated (meteor_k5 1.0000)" in text


def test_few_rounds_are_all_shown_and_of_many_some_of_each_kind() -> None:
    assert example_sets(ROWS[:3]).count("- people:") == 3
    many: list[Row] = [{**ROWS[0], "meteor": number / 2064} for number in range(2064)]
    shown = [float(part.split(")")[0]) for part in example_sets(many).split("(meteor ")[1:]]
    assert shown == pytest.approx([(2 * number + 1) / 16 for number in range(8)], abs=1e-3)
