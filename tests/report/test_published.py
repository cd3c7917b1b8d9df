"""The published numbers, against the papers where these are at hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from referee.evaluations import answers, questions, teamwork
from referee.evaluations.result import Value
from referee.report import by_metric, published
from referee.report.published import PAPERS, Number, numbers


@pytest.fixture(scope="module")
def papers(shared: Path) -> Mapping[str, str]:
    folder = shared.parent / "papers"
    if not folder.is_dir():
        pytest.skip(f"the papers are absent: {folder}")
    return {paper: (folder / f"{paper}.txt").read_text("utf-8") for paper in PAPERS}


@cache
def digits(text: str) -> Counter[str]:
    """How often each number is printed in a text."""
    return Counter(re.findall(r"(?<![\d.])\d+(?:\.\d+)?(?![\d]|\.\d)", text))


def test_each_number_has_a_place_of_its_own() -> None:
    places = Counter((n.paper, n.table, n.row, n.column) for n in numbers())
    assert [place for place, count in places.items() if count > 1] == []


def test_a_file_of_numbers_is_a_paper_s() -> None:
    """A file that is not in the list of papers would be read by nobody."""
    folder = Path(published.__file__).parent
    assert {file.stem for file in folder.glob("*.toml")} == set(PAPERS)


def test_a_note_is_about_rows_and_columns_that_are_there() -> None:
    """A misspelt row or column would leave its note with nobody."""
    for paper in published.papers().values():
        for table in paper.table.values():
            rows = {row[0] for row in table.rows}
            for note in table.notes:
                assert set(note.rows) <= rows, note
                assert set(note.columns) <= set(table.columns), note


def test_every_field_says_something() -> None:
    for number in numbers():
        assert number.paper in PAPERS
        assert number.source == f"papers/{number.paper}.txt"
        assert number.table
        assert number.row
        assert re.fullmatch(r"[a-z][a-z0-9_]*", number.column)


def test_every_number_is_printed_in_its_paper(papers: Mapping[str, str]) -> None:
    absent = [n for n in numbers() if n.printed not in digits(papers[n.paper])]
    assert absent == []


def test_a_number_is_printed_as_often_as_we_have_it(papers: Mapping[str, str]) -> None:
    """Rows that two tables of a paper share stand in the file once, so no digits can be over-used."""
    ours = Counter((n.paper, n.printed) for n in numbers())
    assert [key for key, count in ours.items() if digits(papers[key[0]])[key[1]] < count] == []


def row_of(paper: str, table: str, row: str) -> list[str]:
    return [n.printed for n in numbers(paper) if (n.table, n.row) == (table, row)]


@pytest.mark.parametrize(
    ("paper", "table", "row", "line"),
    [
        ("questions", "1", "VDST, 5 questions", "5 64.4 52.9 57.4 51.0 28.7 1.82"),
        ("questions", "1", "Humans", "5.3 84.1 56.9 54.7 57.3 33.6 26.01"),
        ("belief", "3, complement set", "LXMERT", "97.9 95.1 57.7 30.5"),
        ("belief", "3, reference set", "LXMERT", "57.02 47.72 59.48 57.64"),
        ("belief", "2", "LXMERT", "70.2 0.73 0.66 0.19 2.20 0.08 0.88"),
        ("answers", "5", "RVA, v1.0", "18.50 38.73 57.70 64.73 0.4827 0.5574"),
        ("answers", "5", "CCA-AQ (FastText), v1.0", "17.07 16.18 40.18 55.35 0.2845 0.3493"),
        ("answers", "9", "CCA-AQ, H_t, H (validation)", "25.34 6.20 22.58 37.84 0.1598 0.3755"),
        ("grounding", "1", "GDSE-CL", "59.8 59.5 47.6 59.8 48.1 43.4 29.8 50.1"),
        ("teamwork", "1", "Human-ALICE RL", "7.19 0.25"),
    ],
)
def test_whole_rows_as_the_papers_print_them(paper: str, table: str, row: str, line: str) -> None:
    assert row_of(paper, table, row) == line.split()


def test_ours_and_the_papers_go_by_the_same_names() -> None:
    """Columns of the tables whose evaluations exist are names of our values."""
    ours = {
        "questions": {m.name for m in questions.measures([])},
        "answers": {m.name for m in answers.EVALUATION.measures([])},
        "teamwork": {m.name for m in teamwork.measures([])},
    }
    tables = {("answers", "3"), ("answers", "5"), ("teamwork", "1")}
    for number in numbers():
        if number.paper == "questions" or (number.paper, number.table) in tables:
            assert number.column in ours[number.paper], number
        elif number.given.startswith("reference_sets="):
            assert by_metric.scores({number.column: Value(0.0)}), number


def test_tables_7_and_8_of_compguesswhat_stand_beside_the_values_of_questions_too() -> None:
    ours = {m.name for m in questions.measures([])}
    beside = [n for n in published.beside("questions") if n.paper == "grounding"]
    assert {n.table for n in beside} == {"7", "8"}
    assert len(beside) == 2 * 4 * 8
    assert {n.column for n in beside} <= ours
    theirs = [n for n in numbers("grounding") if n.table in {"7", "8"}]
    assert [n.value for n in theirs] == [n.value for n in beside]
    assert [n.note for n in theirs] == [n.note for n in beside]
    assert set(published.beside("questions")) - set(beside) == set(numbers("questions"))
    assert published.beside("belief") == numbers("belief")


def test_a_table_has_as_many_columns_by_any_evaluation() -> None:
    """Else a column of another evaluation would stand over the wrong numbers."""
    for paper in published.papers().values():
        for table in paper.table.values():
            for columns in table.columns_of.values():
                assert len(columns) == len(table.columns)


def test_what_is_known_to_be_wrong_is_noted() -> None:
    def note(paper: str, table: str, row: str, column: str) -> str:
        found: Number = next(
            n for n in numbers(paper) if (n.table, n.row, n.column) == (table, row, column)
        )
        return found.note

    assert "8-question task success" in note("questions", "1", "RL, 5 questions", "task_success")
    assert "repeats the size value" in note("questions", "2", "SL, 8 questions", "type_texture")
    assert "77.96" in note("questions", "sections 3.2 and 4.3", "Humans", "oracle_accuracy")
    assert "special tokens" in note("grounding", "8", "GDSE-SL", "vocabulary_out")
    assert "27.5" in note("grounding", "1", "Random", "f1_location")
    assert "exchanged" in note("grounding", "5", "GDSE-SL", "recall_abstract")
