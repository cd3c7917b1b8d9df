"""The evaluation that the docs write in one file judges, compares and is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.cli import main

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = ROOT / "tests/data/guesswhat/guesswhat.valid.jsonl"


def test_the_page_s_own_evaluation_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs/evaluations.md").read_text("utf-8")
    own = page.partition("\n## Your own\n")[2]
    (block,) = re.findall(r"^```python\n(.*?)^```$", own, re.MULTILINE | re.DOTALL)
    calls = re.findall(r"^referee (.*)$", own, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(block, "utf-8")
    assert len(calls) == 2
    for call in calls:
        assert main(call.replace("RUN", str(GAMES)).split()) == 0, call
    assert main(["report", "judged", "--out", "report.html"]) == 0
    shown = capsys.readouterr().out
    assert "n_turns" in shown
    assert "colours %" in shown
    assert "<h2>Colours</h2>" in Path("report.html").read_text("utf-8")
