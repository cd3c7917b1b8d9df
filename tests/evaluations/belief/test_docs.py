"""What the page says of options, names and flaws is so."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from referee.cli import evaluate_belief
from referee.evaluations.belief.measuring import ANSWERED, TYPES, means

HERE = Path(__file__).resolve().parent
PAGE = (HERE.parent.parent.parent / "docs" / "belief.md").read_text("utf-8")


def rows(title: str) -> list[list[str]]:
    """The rows of the table under a heading, "" for the first of the page."""
    text = PAGE.partition(f"\n## {title}\n")[2] if title else PAGE
    found = [
        line.strip("| ").split(" | ")
        for line in text.partition("\n## ")[0].splitlines()
        if line[:1] == "|"
    ]
    return found[2:]


def coded(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_the_options_of_the_page_are_those_of_the_command() -> None:
    told = {name.split()[0] for row in rows("") for name in coded(row[0])}
    known = {f"--{name.replace('_', '-')}" for name in evaluate_belief.belief.__annotations__}
    assert told == known - {"--return", "--transcripts", "--games", "--out", "--json"}


def test_the_names_of_the_page_are_those_of_the_values() -> None:
    known = {measure.name for measure in means([1])}
    known |= {f"r_{kind}" for kind in TYPES} | {"ece_turn_1"}
    known |= {f"{name}_std" for name in known if name.startswith("complement")}
    told = set()
    for title in ("The litmus test", "Calibration and entropy"):
        for row in rows(title):
            for name in coded(row[0]):
                told |= {
                    name.replace("_T", f"_{kind}").replace("_A", f"_{answer}").replace("_N", "_1")
                    for kind in TYPES
                    for answer in ANSWERED
                }
    assert told <= known
    rest = {"bayes_gap", "bayes_ignored", "bayes_invented", "leaked_mass"}
    missing = known - told - rest
    assert all(name.startswith("rule_accuracy") or name.endswith("_std") for name in missing)


def test_the_flaws_of_the_page_are_those_of_the_table() -> None:
    table = tomllib.loads((HERE / "signatures.toml").read_text("utf-8"))["flaw"]
    told = {
        coded(row[0])[0]: (coded(row[1])[0], row[1].split()[-1]) for row in rows("Planted flaws")
    }
    assert told == {
        flaw["flaw"]: (flaw["named"], flaw["moves"][flaw["named"]]) for flaw in table.values()
    }
