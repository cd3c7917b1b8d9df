"""What the page says of options, names, scores and submissions is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.cli import evaluate_grounding
from referee.datasets import grolla
from referee.evaluations.grounding import measures
from referee.evaluations.grounding.gold import TASKS
from referee.evaluations.grounding.measuring import COLUMNS, DOMAINS
from referee.evaluations.grounding.options import BEYOND, PARTS
from referee.evaluations.grounding.values import of_columns
from referee.metrics.probing import Training
from referee.metrics.probing.settings import UPDATES
from referee.report import published

HERE = Path(__file__).resolve().parent
PAGE = (HERE.parent.parent.parent / "docs" / "grounding.md").read_text("utf-8")


def section(title: str) -> str:
    """What stands under a heading, "" for the first of the page."""
    text = PAGE.partition(f"\n## {title}\n")[2] if title else PAGE
    return text.partition("\n## ")[0]


def rows(title: str) -> list[list[str]]:
    """The rows of the table under a heading."""
    found = [
        line.strip("| ").split(" | ") for line in section(title).splitlines() if line[:1] == "|"
    ]
    return found[2:]


def coded(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_the_options_of_the_page_are_those_of_the_command() -> None:
    told = {name.split()[0] for row in rows("") for name in coded(row[0])}
    known = {f"--{name.replace('_', '-')}" for name in evaluate_grounding.grounding.__annotations__}
    assert told == known - {"--return", "--out", "--json"}


def test_what_an_option_may_be_is_on_the_page() -> None:
    said = {coded(row[0])[0].split()[0]: coded(row[1]) for row in rows("")}
    assert set(PARTS) <= set(said["--only"])
    assert set(BEYOND) <= set(said["--beyond"])


def test_the_names_of_the_page_are_those_of_the_values() -> None:
    """`mdl`, `compression`, `curve` and `grolla` are no means of a column."""
    known = {measure.name for measure in measures([])} | {"grolla"}
    known |= {f"{name}_{task}" for name in ("mdl", "compression") for task in TASKS}
    known |= {f"curve_{task}_7" for task in TASKS}
    told = set()
    for row in rows("The score"):
        for name in coded(row[0]):
            counted = re.sub(r"_N$", "_7", name)
            found = {re.sub(r"_T(?=_|$)", f"_{task}", counted) for task in TASKS}
            found = {re.sub(r"_D(?=_|$)", f"_{each}", n) for n in found for each in DOMAINS}
            told |= found
    assert told == known


def test_the_published_rows_come_out_as_the_page_says() -> None:
    """Each row of Table 1 with its own columns; where another number is needed the page names it."""
    table = {
        (number.row, number.column): float(number.value)
        for number in published.numbers("grounding")
        if number.table == "1"
    }
    other = {("DeVries-RL", "f1_location"): 43.5}
    for name in ("Random", "DeVries-SL", "DeVries-RL", "GDSE-SL", "GDSE-CL"):
        seven = [other.get((name, column), table[name, column]) for column in COLUMNS]
        score = of_columns(seven)["grolla"].value
        assert score == pytest.approx(table[name, "grolla"], abs=0.0501), name
        assert f"{table[name, 'grolla']:g}" in section("The score")
    assert "43.5; Table 1" in section("The score")


def test_the_classifier_is_trained_as_the_page_says() -> None:
    text, how = section("The classifier"), Training()
    for said in (
        f"learning rate {how.learning_rate:g}",
        f"betas {how.betas[0]} and {how.betas[1]}",
        f"batches of {how.batch}",
        f"at most {how.epochs} epochs",
        f"after {how.patience} epochs",
        f"F1 over {how.stop_at}",
        f"more likely than {how.report_at}",
        f"({UPDATES})",
    ):
        assert said in " ".join(text.split()), said


def test_the_submission_of_the_page_is_one(tmp_path: Path) -> None:
    """Line by line, every kind of line once; what it names is there."""
    path = tmp_path / "mine.jsonl"
    example = re.search(r"```\n(.*?)```", section("Submissions"), re.DOTALL)
    assert example is not None
    path.write_text(example[1], encoding="utf-8")
    assert [type(line).__name__ for line in grolla.read(path)] == [
        *("Submission", "Played", "Predicted"),
    ]
    assert f"referee/datasets/{grolla.SCHEMA}" in PAGE
    assert set(grolla.PARTS) <= set(coded("`part`" + section("Submissions").partition("`part`")[2]))
