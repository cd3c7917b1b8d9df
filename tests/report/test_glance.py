"""What is shown first: the headline, side by side."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from referee.evaluations.result import Result, Value
from referee.report.glance import Bar, glance, rich_glance

FIRST = Result(
    "questions",
    {"seed": 0, "data": "sha256:ab"},
    {
        "n_questions": Value(5.25, ci_low=5.0, ci_high=5.5, n=8),
        "task_success": Value(
            50.0, unit="%", higher_is_better=True, ci_low=25.0, ci_high=75.0, n=8
        ),
        "last_effective": Value(None, unit="%"),
    },
    ("of both", "of one"),
)
SECOND = Result(
    "questions",
    {"seed": 0, "data": "sha256:cd"},
    {"task_success": Value(40.0, unit="%", higher_is_better=True)},
    ("of both",),
)


def test_the_headline_comes_in_its_own_order() -> None:
    """A value that the result does not have, or that is undefined in every run, has no row."""
    shown = glance({"a": FIRST}, ["task_success", "no_such", "last_effective", "n_questions"])
    assert [label for label, _ in shown.rows] == ["task success ↑", "n questions"]


def test_a_run_without_the_value_has_a_dash() -> None:
    shown = glance({"a": FIRST, "b": SECOND}, ["n_questions", "task_success"])
    assert shown.runs == ("a", "b")
    (_, (there, absent)), (_, (wide, bare)) = shown.rows
    assert (there.value, there.interval, there.bar) == ("5.25", "[5.00, 5.50]", None)
    assert (absent.value, absent.interval) == ("-", "")
    assert wide.bar == Bar(25.0, 50.0, 75.0)
    assert (bare.value, bare.interval, bare.bar) == ("40.00 %", "", None)


def test_without_a_headline_the_first_values_are_shown() -> None:
    many = Result("mine", {}, {f"value_{n}": Value(float(n)) for n in range(20)})
    assert [label for label, _ in glance({"a": many}).rows] == [f"value {n}" for n in range(8)]


def test_a_note_says_whose_it_is_unless_it_is_everybodys() -> None:
    assert glance({"a": FIRST, "b": SECOND}).notes == ("of both", "a: of one")


def test_the_terminal_has_values_intervals_notes_and_signature() -> None:
    console = Console(file=StringIO(), width=100)
    console.print(rich_glance(glance({"a": FIRST, "b": SECOND}, ["task_success"])))
    written = console.file
    assert isinstance(written, StringIO)
    text = written.getvalue()
    for expected in ("50.00 %", "[25.00, 75.00]", "40.00 %", "- a: of one", "data=sha256:cd"):
        assert expected in text
