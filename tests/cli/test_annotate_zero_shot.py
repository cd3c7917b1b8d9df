"""`referee annotate zero-shot` on Iconworld's boxes, and games played on what it writes."""

from __future__ import annotations

import inspect
import json
import re
import shlex
from pathlib import Path

import pytest

from referee.cli import main
from referee.cli.annotate_zero_shot import zero_shot
from referee.datasets.iconworld.making import make
from referee.datasets.iconworld.world import Plan
from referee.report import figures

PAGE = Path(__file__).resolve().parent.parent.parent / "docs/zero-shot.md"
SPLITS = ("nd_valid", "od_valid", "nd_test", "od_test")


@pytest.fixture(scope="module")
def nocaps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    world = tmp_path_factory.mktemp("zero-shot") / "world"
    make(world, Plan(games=10, scenes=10, zero_shot=6, seed=4), ["zero-shot"])
    return world / "nocaps"


def run(nocaps: Path, out: Path, *more: object) -> int:
    words = [
        *("--boxes", nocaps / "boxes.csv"),
        *("--classes", nocaps / "class-descriptions-boxable.csv"),
        *("--valid", nocaps / "nocaps_val_image_info.json"),
        *("--test", nocaps / "nocaps_test_image_info.json"),
        *("--out", out),
    ]
    return main(["annotate", "zero-shot", *map(str, (*words, *more))])


def test_games_table_and_figures(
    nocaps: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The counts are printed beside Table 6's and stand in zero_shot.json with the options."""
    pytest.importorskip("matplotlib")
    out = tmp_path / "games"
    assert run(nocaps, out, "--per-image", 3) == 0
    said = capsys.readouterr().out
    assert "near-domain, validation        6    18" in said
    assert "5343" in said
    assert "pictures are listed" in said
    games = {f"compguesswhat.{split}.jsonl.gz" for split in SPLITS}
    texts = {"table.md", "table.tex", "zero_shot.json", "figure_4.svg", "figure_5.svg"}
    assert {path.name for path in out.iterdir()} == games | texts
    record = json.loads((out / "zero_shot.json").read_text())
    assert record["splits"] == {split: {"images": 6, "games": 18} for split in SPLITS}
    assert record["options"]["per_image"] == 3
    assert run(nocaps, out) == 2
    assert "nothing is ever overwritten" in capsys.readouterr().err


def test_without_matplotlib_it_is_said_how_to_have_the_figures(
    nocaps: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(figures, "available", lambda: False)
    assert run(nocaps, tmp_path / "games") == 0
    assert "without Figures 4 and 5: matplotlib is not installed" in capsys.readouterr().err
    assert not list(tmp_path.glob("games/*.svg"))


def test_json_alone(nocaps: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(nocaps, tmp_path / "games", "--json", "--unseen-only", "--seed", 7) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["options"]["unseen_only"]
    assert record["options"]["seed"] == 7
    assert record == json.loads((tmp_path / "games/zero_shot.json").read_text())


def test_bad_rows_are_an_error_or_left_out(
    nocaps: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is left behind by a call that fails."""
    bad = tmp_path / "bad.csv"
    text = (nocaps / "boxes.csv").read_text()
    bad.write_text(
        text + text.splitlines()[1].replace("xclick", "x").replace("/m/icon", "/m/no") + "\n"
    )
    assert run(nocaps, tmp_path / "out", "--boxes", bad) == 1
    assert "bad.csv" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"bad.csv"}
    assert run(nocaps, tmp_path / "out", "--boxes", bad, "--skip-bad") == 0
    assert "no known class" in capsys.readouterr().err


def test_what_it_writes_is_played(
    nocaps: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By simulated people, who win more often than by chance, and judged."""
    assert run(nocaps, tmp_path / "games") == 0
    for split in ("nd_valid", "od_test"):
        seats = ("scripted:people", "scripted:perfect-oracle", "scripted:bayes-guesser")
        words = [
            *("--games", tmp_path / f"games/compguesswhat.{split}.jsonl.gz"),
            *("--questioner", seats[0], "--oracle", seats[1], "--guesser", seats[2]),
            *("--out", tmp_path / split),
        ]
        assert main(["play", "guesswhat", *map(str, words)]) == 0
    capsys.readouterr()
    judged = ["evaluate", "questions", "--transcripts", str(tmp_path / "od_test"), "--json"]
    assert main([*judged, "--intervals", "resamples=100"]) == 0
    values = json.loads(capsys.readouterr().out)["values"]
    assert values["task_success"]["n"] > 20
    assert values["task_success"]["value"] > 40


def test_the_docs_print_what_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's second call, on the world that it makes."""
    make(tmp_path / "world", Plan(games=1000, scenes=300), ["zero-shot"])
    _, commands, said, *_ = re.findall(r"```\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    making, annotating = commands.replace("\\\n", " ").splitlines()
    assert making == "referee data make iconworld --out world --scenes 300"
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(annotating)[1:]) == 0
    printed = {line.strip() for line in capsys.readouterr().out.splitlines()}
    assert {line.strip() for line in said.splitlines()} <= printed


def test_the_docs_name_every_option() -> None:
    offered = set(re.findall(r"`(--[a-z-]+)", PAGE.read_text("utf-8")))
    known = {f"--{name.replace('_', '-')}" for name in inspect.signature(zero_shot).parameters}
    assert offered <= known
    assert known - offered <= {"--boxes", "--classes", "--out", "--json"}


@pytest.mark.parametrize("split", SPLITS)
def test_people_play_the_released_games(
    shared: Path, tmp_path: Path, split: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """They have no words for most of Open Images' classes, and ask for places instead."""
    games = shared / f"compguesswhat/compguesswhat-zero_shot/0.2.0/compguesswhat.{split}.jsonl.gz"
    words = ["play", "guesswhat", "--games", games, "--questioner", "scripted:people"]
    words += ["--oracle", "scripted:perfect-oracle", "--guesser", "scripted:bayes-guesser"]
    assert main([*map(str, words), "--out", str(tmp_path / "run")]) == 0
    assert "6 games, " in capsys.readouterr().out
