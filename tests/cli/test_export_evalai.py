"""`referee export evalai`, as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.arena.run import manifest
from referee.cli import main
from referee.datasets import evalai

DATA = Path(__file__).resolve().parent.parent / "data" / "visdial"

OWN = '''
class Mine:
    """Likes late options."""

    def score(self, queries):
        return [[float(place % 7) for place in range(len(query.options))] for query in queries]
'''


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A run in which an answerer scored the options of the small validation file."""
    (tmp_path / "mine.py").write_text(OWN)
    arguments = ["play", "visdial", "--visdial", str(DATA / "val.json"), "--rank"]
    arguments += ["--answerer", f"{tmp_path / 'mine.py'}:Mine", "--out", str(tmp_path / "run")]
    assert main(arguments) == 0
    assert manifest(tmp_path / "run")
    capsys.readouterr()
    return tmp_path / "run"


def test_a_run_becomes_a_file_that_the_server_reads(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "ranks.json"
    arguments = ["export", "evalai", "--transcripts", str(run), "--out", str(out)]
    assert main([*arguments, "--visdial", str(DATA / "val.json")]) == 0
    said = capsys.readouterr()
    assert not said.err
    assert "6 rows about 3 images" in said.out
    assert "refused: 3 of 3 images lack a round" in said.out  # the split has ten rounds an image
    rows = json.loads(out.read_bytes())
    assert {row["round_id"] for row in rows} >= {1, 2}
    assert all(sorted(row["ranks"]) == list(range(1, 101)) for row in rows)
    assert rows[0]["ranks"][6] == 1
    assert len(list(evalai.read(out))) == 6


def test_what_a_server_refuses_is_named(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the last rounds of a split that wants them all."""
    arguments = ["export", "evalai", "--transcripts", str(run), "--split", "test"]
    code = main(
        [*arguments, "--out", str(tmp_path / "a.json"), "--visdial", str(DATA / "val.json")]
    )
    assert code == 1
    assert "is not ranked (expected every round of the split)" in capsys.readouterr().err
    assert main([*arguments, "--out", str(tmp_path / "b.json")]) == 1
    assert "refused: 3 images, test has 8000" in capsys.readouterr().out


def test_nothing_is_overwritten(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ranks.json").write_text("mine")
    arguments = ["export", "evalai", "--transcripts", str(run)]
    assert main([*arguments, "--out", str(tmp_path / "ranks.json")]) == 2
    assert "ranks.json" in capsys.readouterr().err
    assert (tmp_path / "ranks.json").read_text() == "mine"
