"""What docs/questions.md says is so: its names, its numbers, its commands' options."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main
from referee.datasets.dialogues import oracle_answers
from referee.evaluations.questions import measures
from referee.evaluations.result import Row

PAGE = Path(__file__).parents[3] / "docs" / "questions.md"
TEXT = PAGE.read_text(encoding="utf-8")
TRUTH = "scripted:perfect-oracle"
Values = dict[str, dict[str, Any]]


def rows(heading: str, table: int = 0) -> list[list[str]]:
    """The rows of a section's n-th table, without its head."""
    section = TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    tables = re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE)
    lines = tables[table].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]


def judged(capsys: pytest.CaptureFixture[str], *words: object) -> Values:
    capsys.readouterr()
    assert main(["evaluate", "questions", *map(str, words), "--json"]) == 0
    found: Values = json.loads(capsys.readouterr().out)["values"]
    return found


def cell(value: dict[str, Any], digits: int) -> str:
    low, high = value["ci_low"], value["ci_high"]
    return f"{value['value']:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def number(value: dict[str, Any]) -> str:
    return f"{value['value']:.{1 if value['unit'] == '%' else 3}f}"


def test_every_value_has_a_row_and_every_row_is_of_a_value() -> None:
    turns: list[Row] = [{"turn": 1, "effective": True}]
    ours = {measure.name for measure in measures(turns)}
    told = {name for first, _ in rows("The names") for name in re.findall(r"[a-z_0-9<>]+", first)}
    by_type = {name for name in ours if name.startswith("oracle_accuracy_")}
    assert told - {"oracle_accuracy_<type>"} == ours - by_type
    for name in by_type:
        kind = name.removeprefix("oracle_accuracy")
        assert f"type{kind}" in ours or kind in ("_yes", "_no", "_na")


def test_every_option_of_the_table_is_one_of_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["evaluate", "questions", "--help"]) == 0
    text = capsys.readouterr().out
    options = re.findall(r"^\| `(--[a-z-]+)", TEXT, re.MULTILINE)
    assert len(options) == 9
    assert [name for name in options if f"{name} " not in text] == []


def test_the_numbers_of_the_real_files(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = rows("On the real files")
    for file in {row[0] for row in table}:
        found = judged(capsys, "--transcripts", shared / "guesswhat" / file)
        for _, name, ours, _ in (row for row in table if row[0] == file):
            assert cell(found[name], 2) == ours, (file, name)


def test_the_published_numbers_are_those_of_table_2() -> None:
    from referee.report import published

    row_of = {"vdst": "VDST, 5 questions", "human": "Humans", "rl": "RL, 8 questions"}
    printed = {
        (each.row, each.column): each.printed
        for each in published.numbers("questions")
        if each.table == "2"
    }
    for file, name, _, theirs in rows("On the real files"):
        assert printed.get((row_of[file.partition("_")[0]], name), "-") == theirs


def test_the_oracles_agree_with_people_as_printed(shared: Path) -> None:
    answers = list(oracle_answers.read(shared / "guesswhat" / "oracle_answers.csv.gz"))
    found = [oracle_answers.agreement(answers, human) for human in (None, "Yes", "No", "N/A")]
    printed = {name: cells for name, *cells in rows("On the real files", 1)}
    assert {name: [f"{each[name]:.2f}" for each in found] for name in found[0]} == printed


@pytest.mark.slow
def test_the_numbers_of_the_world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the planted errors, one column; the others are made alike."""
    world = tmp_path / "world"
    words = ["data", "make", "iconworld", "--out", str(world), "--part", "guesswhat"]
    assert main([*words, "--games", "8000", "--seed", "11"]) == 0
    people = ("--transcripts", world / "guesswhat.train.jsonl.gz", "--oracle", TRUTH)
    paper, code = (judged(capsys, *people, "--variant", name) for name in ("paper", "code"))
    for name, ours, theirs, _ in rows("On the real files", 2):
        assert (cell(paper[name], 1), cell(code[name], 1)) == (ours, theirs), name
    quick = ("--intervals", "resamples=1")
    test = ("--transcripts", world / "guesswhat.test.jsonl.gz", *quick, "--oracle")
    right = judged(capsys, *test, TRUTH)
    noisy = ("scripted:noisy-oracle?accuracy=0.95", "--oracle-accuracy", "0.95")
    found = judged(capsys, *test, *noisy)
    for name, truth, _, printed, *_ in rows("When the oracle errs"):
        assert number(right[name]) == truth
        assert f"{number(found[name])} → {number(found[f'{name}_corrected'])}" == printed, name
