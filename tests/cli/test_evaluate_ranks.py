"""`referee evaluate answers --ranks` on bad files: each fault is named, or left out and counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main

DATA = Path(__file__).resolve().parent.parent / "data" / "visdial"
FILES = {"ranks": "ranks.json", "dense": "dense_val.json", "visdial": "val.json"}

Change = Callable[[Any], object]


def judged(tmp_path: Path, which: str, change: Change, *options: str) -> int:
    """The exit code on the small files with a change in one of them."""
    content = json.loads((DATA / FILES[which]).read_bytes())
    change(content)
    bad = tmp_path / FILES[which]
    bad.write_text(json.dumps(content))
    paths = {name: DATA / file for name, file in FILES.items()} | {which: bad}
    arguments = [text for name, path in paths.items() for text in (f"--{name}", str(path))]
    return main(["evaluate", "answers", *arguments, "--json", *options])


BAD: dict[str, tuple[str, Change, str]] = {
    "no permutation": (
        "ranks",
        lambda rows: rows[1].update(ranks=[1, 1, *range(3, 101)]),
        "gives one rank to several options",
    ),
    "99 ranks": ("ranks", lambda rows: rows[1]["ranks"].pop(), "has 99 ranks"),
    "ranks from 0": (
        "ranks",
        lambda rows: rows[1].update(ranks=list(range(100))),
        "has a rank out of range",
    ),
    "rounds from 0": (
        "ranks",
        lambda rows: rows[0].update(round_id=0),
        "the server's rounds count from 1",
    ),
    "a round twice": ("ranks", lambda rows: rows.append(rows[0]), "image 4101, round 0 (from 0)"),
    "ranks of an unknown image": (
        "ranks",
        lambda rows: rows[0].update(image_id=1),
        "no dialogue has this round",
    ),
    "99 relevances": ("dense", lambda rows: rows[0]["gt_relevance"].pop(), "has 99 numbers"),
    "negative relevance": (
        "dense",
        lambda rows: rows[0]["gt_relevance"].__setitem__(3, -0.2),
        "gt_relevance[3]",
    ),
    "relevance that is no number": (
        "dense",
        lambda rows: rows[0]["gt_relevance"].__setitem__(3, float("nan")),
        "gt_relevance[3]: NaN or Infinity",
    ),
    "relevance of an unknown image": (
        "dense",
        lambda rows: rows[0].update(image_id=1),
        "no dialogue has this round",
    ),
    "gt_index out of range": (
        "visdial",
        lambda file: file["data"]["dialogs"][2]["dialog"][0].update(gt_index=100),
        "is 100, beyond the options",
    ),
    "99 options": (
        "visdial",
        lambda file: file["data"]["dialogs"][2]["dialog"][0]["answer_options"].pop(),
        "has 99 options",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_fault_is_an_error_or_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """With --skip-bad the notes of the result say how many records were left out, and the first."""
    which, change, message = BAD[name]
    assert judged(tmp_path, which, change) == 1
    said = capsys.readouterr()
    assert message in said.err
    assert str(tmp_path / FILES[which]) in said.err
    assert not said.out
    assert judged(tmp_path, which, change, "--skip-bad") == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert any("left out" in note and message in note for note in notes)


@pytest.mark.parametrize("ties", ["stable", "expected", "optimistic", "pessimistic"])
def test_ranks_have_no_ties_to_choose_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ties: str
) -> None:
    assert judged(tmp_path, "ranks", lambda _: None, "--ties", ties) == 0
    values = json.loads(capsys.readouterr().out)["values"]
    assert judged(tmp_path, "ranks", lambda _: None) == 0
    assert json.loads(capsys.readouterr().out)["values"] == values
