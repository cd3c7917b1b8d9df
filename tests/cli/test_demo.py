"""The demo goes the whole way, the same for the same seed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from referee.cli import main
from referee.evaluations import registry


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "demo"
    assert main(["demo", "--quick", "--out", str(folder)]) == 0
    return folder


def test_it_ends_with_one_page_that_shows_all_that_was_judged(demo: Path) -> None:
    page = (demo / "report.html").read_text("utf-8")
    for name in ("Questions", "Belief", "Grounding", "Answers", "Teamwork"):
        assert f"<h2>{name}</h2>" in page
    assert page.count('class="game"') > 6
    assert "sha256:" in page


def test_a_signature_stands_under_every_table(demo: Path) -> None:
    """Those of the papers' numbers too; a table's is the nearest one after it."""
    page = (demo / "report.html").read_text("utf-8")
    tables = page.split("</table>")[1:]
    assert len(tables) > 5
    for after in tables:
        assert "| data=sha256:" in after.partition("<h3>")[0]


def test_every_value_has_an_interval_around_it(demo: Path) -> None:
    found = 0
    for file in (demo / "results").glob("*/results.json"):
        for name, value in json.loads(file.read_text())["values"].items():
            if value["value"] is not None and (value["n_clusters"] or value["n"]) > 1:
                assert value["ci_low"] <= value["value"] <= value["ci_high"], name
                found += 1
    assert found > 20


def test_the_headlines_are_of_values_that_were_judged(demo: Path) -> None:
    """METEOR alone is not: it needs an extra."""
    for file in (demo / "results").glob("*/results.json"):
        result = json.loads(file.read_text())
        evaluation = registry.load(result["evaluation"])
        absent = set(evaluation.headline) - set(result["values"])
        assert absent <= {"meteor", "meteor_k5"}
        assert evaluation.headline


def test_who_knows_the_scene_ranks_every_right_answer_first(demo: Path) -> None:
    values = json.loads((demo / "results/scene-graph/results.json").read_text())["values"]
    assert values["ndcg"]["value"] == pytest.approx(1)


def test_the_same_seed_gives_the_same_bytes(demo: Path, tmp_path: Path) -> None:
    again = tmp_path / "demo"
    assert main(["demo", "--quick", "--out", str(again)]) == 0
    for name in ("results/people/results.json", "runs/people/transcripts.jsonl"):
        assert (again / name).read_bytes() == (demo / name).read_bytes()


def test_a_folder_that_exists_is_left_alone(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--out", str(demo)]) == 2
    assert "nothing is ever overwritten" in capsys.readouterr().err


def test_the_report_command_makes_a_page_of_the_same_results(demo: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    arguments = ["report", str(demo / "results/people"), "--out", str(out)]
    run = ["--transcripts", str(demo / "runs/people"), "--pictures", str(demo / "world/images")]
    assert main([*arguments, *run, "--games", "2"]) == 0
    assert out.read_text("utf-8").count('class="game"') == 2


def test_a_folder_without_results_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(tmp_path), "--out", str(tmp_path / "r.html")]) == 1
    assert "no results here" in capsys.readouterr().err


def test_a_folder_of_pictures_that_is_not_there_is_named(
    demo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["report", str(demo / "results/people"), "--out", str(tmp_path / "page.html")]
    assert main([*words, "--pictures", str(tmp_path / "pictures")]) == 1
    assert "pictures: there is no such folder" in capsys.readouterr().err


def test_without_the_extra_the_demo_says_so_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert main(["demo", "--out", str(tmp_path / "demo")]) == 2
    said = capsys.readouterr().err
    assert said == "referee: jinja2 is not installed: pip install 'referee[report]'\n"
    assert not (tmp_path / "demo").exists()
