"""A world's files are compared with what its manifest tells of them."""

from __future__ import annotations

from pathlib import Path

from referee.datasets.check import check
from referee.datasets.iconworld.making import make
from referee.datasets.iconworld.world import Plan


def test_a_world_is_whole_until_a_file_changes(tmp_path: Path) -> None:
    """A changed file and one that is not there are problems, each under its name."""
    make(tmp_path / "world", Plan(games=3, zero_shot=4, pools=2), ("guesswhat", "knowledge"))
    manifest = tmp_path / "world/manifest.json"
    (summary,) = check(manifest)
    assert summary.format == "iconworld"
    assert summary.problems == []
    assert summary.counts["games"] == 3
    assert summary.counts["date"] == "2026-01-01"
    (tmp_path / "world/visa.jsonl").write_text("{}")
    (tmp_path / "world/guesswhat.valid.jsonl.gz").unlink()
    (summary,) = check(manifest)
    assert {problem.record for problem in summary.problems} == {
        "visa.jsonl",
        "guesswhat.valid.jsonl.gz",
    }


def test_a_manifest_names_files_of_its_world_only(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "data/world/manifest.json").read_text()
    path = tmp_path / "manifest.json"
    for name in ("../visa.jsonl", "/visa.jsonl", "visa\\u0000.jsonl"):
        path.write_text(text.replace('"visa.jsonl"', f'"{name}"'))
        (summary,) = check(path)
        (problem,) = summary.problems
        assert problem.field == "files"
