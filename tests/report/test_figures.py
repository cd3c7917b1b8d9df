"""The figures of generated answers."""

from __future__ import annotations

from referee.evaluations.result import Judged, Result, Row, Value
from referee.report.figures import against_k, example_sets, figures, series

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


def test_the_same_values_are_the_same_bytes() -> None:
    first, second = (figures(Judged(TWO), {}) for _ in range(2))
    assert list(first) == ["against_k.svg"]
    assert first == second


def test_results_beside_are_drawn_too() -> None:
    alone, both = figures(Judged(TWO), {}), figures(Judged(TWO), {"sigma": TWO})
    assert len(both["against_k.svg"]) > len(alone["against_k.svg"])


def test_ranks_have_a_histogram() -> None:
    rows: list[Row] = [{"rank": 1.0}, {"rank": 7.0}, {"rank": None}]
    assert list(figures(Judged(Result("answers", {}, {}), turns=rows), {})) == ["ranks.svg"]


def test_examples_go_from_the_worst_to_the_best() -> None:
    text = example_sets(ROWS)
    assert text.index("**q0**") < text.index("**q7**")
    assert r"generated (meteor 0.0000): yea\*h" in text
    assert "reference set: yes / yeah" in text
    assert example_sets([]) == ""
