"""Scores of generations as tables: a metric a row."""

from __future__ import annotations

from referee.evaluations.result import Option, Result, Value
from referee.report.by_metric import by_metric, rest

OPTIONS: dict[str, Option] = {
    "references": "refs_H_human_val.json sha256:ab",
    "profile": "paper",
    "k": "1,5",
}
VALUES = {
    "mr": Value(3.0),
    "meteor": Value(0.25, 0.3, higher_is_better=True, ci_low=0.2, ci_high=0.3, n=9),
    "meteor_sigma_within": Value(0.0),
    "meteor_k5": Value(0.5, 0.1, higher_is_better=True, n=8),
    "meteor_k5_sigma_within": Value(0.2),
    "meteor_k5_gamma": Value(0.75),
    "meteor_agt": Value(1.0),
    "meteor_bound_mu": Value(1.0),
    "meteor_bound_gamma": Value(1.0),
    "bert_l2": Value(7.1231, higher_is_better=False, n=9),
    "answer_length_k5": Value(2.0),
}
RESULT = Result("answers", OPTIONS, VALUES)


def test_a_table_for_each_k_and_one_of_the_bounds() -> None:
    one, five, bounds = by_metric(RESULT)
    assert one.title == "answers, k = 1, refs_H_human_val.json, profile paper"
    assert one.rows[0] == ("meteor ↑", "0.2500", "[0.2000, 0.3000]", "0.3000", "9")
    assert one.rows[1][:2] == ("bert_l2 ↓", "7.1231")
    assert five.rows == (("meteor ↑", "0.5000", "-", "0.1000", "0.2000", "0.7500", "-", "8"),)
    assert bounds.rows[0] == ("meteor", "1.0000", "-", "1.0000", "-", "1.0000", "-")
    assert {table.signature for table in (one, five, bounds)} == {RESULT.signature}


def test_what_is_no_score_stays_where_it_was() -> None:
    assert list(rest(RESULT).values) == ["mr", "answer_length_k5"]
    assert by_metric(rest(RESULT)) == ()
