"""Results as tables."""

from __future__ import annotations

import doctest
from collections.abc import Iterable
from decimal import Decimal

import pytest
from rich.console import Console

from referee.evaluations.comparison import Comparison, Difference
from referee.evaluations.result import Result, Value
from referee.report import tables
from referee.report.published import Number, numbers

RESULT = Result(
    "questions",
    {"oracle": "scripted:perfect-oracle", "level": 0.95, "data": "sha256:ab"},
    {
        "task_success": Value(80.0, 40.1, "%", True, 70.25, 88.5, 100, 2, 90),
        "n_questions": Value(5.25, n=100, n_clusters=90),
        "effectiveness": Value(None, unit="%", higher_is_better=True, n_clusters=0),
    },
    ("one | note",),
)
NUMBERS = (
    Number("questions", "1", "Humans", "task_success", Decimal("84.1"), "papers/questions.txt"),
    Number("questions", "1", "Humans", "n_questions", Decimal("5.30"), "papers/questions.txt"),
    Number("questions", "1", "BL", "task_success", Decimal("40.7"), "papers/questions.txt", "odd"),
    Number("questions", "2", "Humans", "type_color", Decimal("15.5"), "papers/questions.txt"),
)


def printed(items: Iterable[object]) -> str:
    console = Console(width=200, record=True, file=None, quiet=False, force_terminal=False)
    with console.capture() as captured:
        for item in items:
            console.print(item)
    return captured.get()


def test_every_value_stands_in_the_table_with_its_interval_and_counts() -> None:
    table = tables.result_table(RESULT)
    assert table.columns[2] == "95 % interval"
    assert table.rows[0] == (
        "task_success ↑",
        "80.00 %",
        "[70.25, 88.50]",
        "40.10",
        "100",
        "2",
        "90",
    )
    assert table.rows[2][:3] == ("effectiveness ↑", "-", "-")
    assert (
        table.signature
        == "questions | oracle=scripted:perfect-oracle | level=0.95 | data=sha256:ab"
    )


def test_published_rows_stand_beside_ours_with_the_digits_as_printed() -> None:
    (table,) = tables.published_tables(RESULT, NUMBERS)
    assert table.title == "this run beside questions, Table 1"
    assert table.columns == ("", "task success", "n questions")
    assert table.rows[0] == ("this run", "80.00", "5.25")
    assert table.rows[2] == ("Humans", "84.1", "5.30")
    assert table.rows[3] == ("BL", "40.7", "-")
    assert table.notes == ("BL: odd",)


def test_a_papers_tables_stand_in_its_order() -> None:
    places = ("10", "9", "6, k = 10", "6, A_gt", "6, k = 5", "Figure 2")
    source = "papers/answers.txt"
    found = tables.published_tables(
        Result("answers", {}, {"mr": Value(1.0)}),
        [Number("answers", place, "row", "mr", Decimal(1), source) for place in places],
    )
    wanted = ["Figure 2", *(f"Table {n}" for n in ("6, A_gt", "6, k = 5", "6, k = 10", "9", "10"))]
    assert [table.title.removeprefix("this run beside answers, ") for table in found] == wanted


def test_without_published_numbers_there_is_no_table_of_them() -> None:
    assert tables.published_tables(RESULT, NUMBERS[3:]) == ()


def test_the_human_row_of_the_paper_is_printed_beside_ours() -> None:
    table = tables.published_tables(RESULT, numbers("questions"))[0]
    humans = next(row for row in table.rows if row[0] == "Humans")
    assert humans[table.columns.index("task success")] == "84.1"
    assert humans[table.columns.index("effectiveness")] == "56.9"


def test_one_note_about_several_rows_stands_once() -> None:
    table = tables.published_tables(RESULT, numbers("questions"))[0]
    noted = [note for note in table.notes if "8-question task success" in note]
    assert len(noted) == 1
    assert noted[0].startswith("SL, 5 questions, RL, 5 questions, CL, 5 questions: ")


def test_a_note_about_a_whole_column_names_the_column() -> None:
    values = {name: Value(50.0, unit="%") for name in ("type_other", "type_texture", "type_size")}
    (table,) = tables.published_tables(Result("questions", {}, values), numbers("questions"))
    assert table.notes == (
        "type other: questions that fit no type",
        "SL, 8 questions: repeats the size value",
    )


def test_failures_are_a_column_only_where_there_are_any() -> None:
    values = {"task_success": Value(80.0, n=5)}
    table = tables.result_table(Result("questions", {}, values))
    assert "failed" not in table.columns
    assert len(table.rows[0]) == len(table.columns)


def test_markdown_has_a_cell_for_every_column_and_ends_with_the_signature() -> None:
    text = tables.markdown(tables.result_table(RESULT))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in rows} == {8}
    assert text.rstrip().endswith("data=sha256:ab`")
    assert "- one | note" in text


def test_latex_escapes_what_latex_would_read() -> None:
    text = tables.latex(tables.result_table(RESULT))
    assert r"task\_success $\uparrow$ & 80.00 \% & [70.25, 88.50]" in text
    body = text[text.index(r"\midrule") : text.index(r"\bottomrule")]
    assert body.count(r"\\") == 3
    assert "% questions | oracle" in text


def test_a_small_p_is_no_spanish_mark_in_latex() -> None:
    """A bare < in text is set as an upside-down exclamation mark."""
    text = tables.latex(tables.Table("p < q", ("value", "p"), (("a > b", "< 0.0001"),)))
    assert r"a $>$ b & $<$ 0.0001 \\" in text
    assert r"\caption{p $<$ q}" in text


def test_the_terminal_shows_notes_and_signature_and_reads_no_markup() -> None:
    shown = printed([tables.rich_table(tables.result_table(RESULT))])
    assert "[70.25, 88.50]" in shown
    assert "- one | note" in shown
    assert "data=sha256:ab" in shown


def test_a_comparison_shows_both_values_and_every_test() -> None:
    found = Difference(
        75.0, 50.0, 25.0, 5.0, 45.0, "%", True, 20, 20, 0.0625, 0.00005, "McNemar", 0.5, 0.25, "d"
    )
    comparison = Comparison("questions", {"seed": 0}, {"task_success": found})
    row = tables.comparison_table(comparison, ("sl", "rl")).rows[0]
    assert row == (
        "task_success % ↑",
        "75.00",
        "50.00",
        "25.00",
        "[5.00, 45.00]",
        "20",
        "0.0625",
        "< 0.0001",
        "0.5000 M",
        "0.250",
    )


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0, -0.25, 100.0])
def test_a_printed_number_reads_back_as_itself(value: float) -> None:
    assert float(tables.plain(value)) == value


def test_the_examples_hold() -> None:
    assert doctest.testmod(tables).failed == 0


def test_percentages_below_one_have_two_digits_like_the_others() -> None:
    """An interval's ends have the same digits, whatever their size."""
    value = Value(2.5, 15.6, "%", ci_low=0.8333, ci_high=4.1667)
    assert (tables.plain(0.8333, "%"), tables.span(value)) == ("0.83 %", "[0.83, 4.17]")
    assert tables.span(Value(0.9, ci_low=0.75, ci_high=1.0)) == "[0.7500, 1.0000]"


def test_our_row_beside_a_paper_has_the_digits_of_its_unit() -> None:
    """Ours beside the paper's are percentages without their sign, and with its two digits."""
    result = Result(
        "questions", {}, {"task_success": Value(0.5, unit="%", ci_low=0.25, ci_high=1.5)}
    )
    (found,) = tables.published_tables(result, NUMBERS)
    assert found.rows[0] == ("this run", "0.50")
    assert found.rows[1] == ("", "[0.25, 1.50]")


def test_a_joined_signature_says_each_option_once_though_some_results_lack_it() -> None:
    """Options are told apart by their names and not by their places."""
    joined = tables.joined_signature(
        ["grounding | states=a | width=9 | seed=0", "grounding | states=b | seed=0"]
    )
    assert joined == "grounding | states=a, states=b | width=9 | seed=0"
