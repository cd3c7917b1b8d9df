"""`referee evaluate grounding --columns`: the score of seven numbers, and whose published row they are."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.cli import main


def results(capsys: pytest.CaptureFixture[str], columns: str) -> dict[str, Any]:
    assert main(["evaluate", "grounding", "--columns", columns, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize(
    ("columns", "score"),
    [
        ("41.5,46.8,39.1,48.5,42.7,31.3,28.4", 38.5),
        ("49.1%, 59.9, 47.6, 60.1, 48.3, 29.8, 22.3", 43.0),
        ("59.8,59.5,47.6,59.8,48.1,43.42,29.83", 50.1),
        ("53.5,45.2,38.9,47.2,43.5,43.9,38.7", 46.2),
        ("15.81,15.1,0.1,7.8,2.8,16.9,18.6", 13.3),
    ],
)
def test_seven_numbers_have_the_score_that_the_paper_prints(
    columns: str, score: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """DeVries-RL's with the location F1 of Table 5, GDSE-CL's with the accuracies of Tables 7 and 8."""
    found = results(capsys, columns)
    assert round(found["values"]["grolla"]["value"], 1) == score


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (
            "53.5,45.2,38.9,47.2,42.5,43.9,38.7",
            "where 46.2 is printed, which is of the location F1",
        ),
        ("15.81,15.1,0.1,7.8,2.8,16.9,18.6", "with that of Table 5 it would be 15.4"),
        ("59.8,59.5,47.6,59.8,48.1,43.4,29.8", "GDSE-CL of Table 1, where 50.1 is printed"),
        ("41.5,46.8,39.1,48.5,42.7,31.3,28.4", "DeVries-SL of Table 1, where 38.5 is printed"),
        ("1,2,3,4,5,6,7", None),
    ],
)
def test_seven_numbers_of_a_published_row_are_known(
    columns: str, said: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = results(capsys, columns)["notes"]
    assert said in "".join(notes) if said else notes == []
