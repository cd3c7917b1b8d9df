"""`referee annotate attributes` from a world's raw files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from referee.annotate.attributes import wordnet_files
from referee.cli import main
from referee.datasets.check import check
from referee.datasets.iconworld.making import make
from referee.datasets.iconworld.world import HUMAN, Plan

PLAN = Plan(games=12, scenes=6, zero_shot=0, dialogues=0, pools=0)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "world"
    make(folder, PLAN, ("guesswhat", "visual-genome", "knowledge"))
    return folder


def run(world: Path, out: Path, *words: str, known: str = "none") -> int:
    games = [("--games", str(world / f"guesswhat.{split}.jsonl.gz")) for split in HUMAN]
    files = {"visual-genome": "visual_genome", "visa": "visa.jsonl", "imsitu": "imsitu"}
    named = [(f"--{option}", str(world / name)) for option, name in files.items()]
    asked = [word for pair in (*games, *named) for word in pair]
    return main(["annotate", "attributes", *asked, "--wordnet", known, "--out", str(out), *words])


def test_what_is_written_is_recognised_and_told(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder has the released layout, and the tables stand beside the paper's."""
    out = tmp_path / "out"
    assert run(world, out, "--least-abstract", "1") == 0
    said = capsys.readouterr().out
    assert "train, published" in said
    assert "46794" in said
    assert "mapped by overlap" in said
    (summary,) = check(out)
    assert summary.format == "compguesswhat-attributes-folder"
    assert summary.counts["images of test"] == 1
    assert not summary.problems
    graph = next((out / "scene_graphs/by-id").iterdir())
    assert [each.format for each in check(graph)] == ["visual-genome-graph"]
    assert [each.format for each in check(out / "mapping.jsonl")] == ["visual-genome-mapping"]
    assert (out / "table.md").is_file()
    assert run(world, out) == 2
    assert "exists" in capsys.readouterr().err


def test_json_is_the_report_with_every_choice_as_resolved(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A variant sets all choices; one that is given wins."""
    assert run(world, tmp_path / "out", "--variant", "code", "--frame", "own", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    chosen = {name: report["how"][name] for name in ("variant", "rule", "frame", "unmapped")}
    assert chosen == {"variant": "code", "rule": "code", "frame": "own", "unmapped": "location"}
    assert report["wordnet"] == "none"


def test_no_wordnet_and_no_reader_of_it(
    world: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Either is said in a line with what to do, before anything is made."""
    monkeypatch.setattr(wordnet_files, "places", lambda: iter(()))
    assert run(world, tmp_path / "out", known="auto") == 2
    assert "wordnet-base" in capsys.readouterr().err
    folder = tmp_path / "dict"
    folder.mkdir()
    for name in wordnet_files.FILES:
        (folder / name).write_text("")
    for name in [each for each in sys.modules if each.partition(".")[0] == "nltk"] or ["nltk"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "nltk.data", None)
    assert run(world, tmp_path / "out", known=str(folder)) == 2
    assert "pip install 'referee[wordnet]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
