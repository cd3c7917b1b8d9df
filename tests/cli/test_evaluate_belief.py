"""`referee evaluate belief`, from the files that there are to its results and figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main

GUESSER = "scripted:flawed-guesser?accuracy=0.97"
ORACLE = "scripted:perfect-oracle"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("belief")
    words = ["data", "make", "iconworld", "--out", str(folder / "world"), "--part", "guesswhat"]
    assert main([*words, "--games", "600", "--seed", "1"]) == 0
    return folder / "world"


@pytest.fixture(scope="module")
def people(world: Path) -> str:
    """People's games, without beliefs."""
    return str(world / "guesswhat.test.jsonl.gz")


@pytest.fixture(scope="module")
def run(world: Path, people: str) -> str:
    """A run with beliefs."""
    out = str(world.parent / "run")
    seats = ["--questioner", "scripted:people", "--oracle", ORACLE, "--guesser", GUESSER]
    assert main(["play", "guesswhat", "--games", people, *seats, "--beliefs", "--out", out]) == 0
    return out


def results(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["evaluate", "belief", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_guesser_is_fed_peoples_games(people: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = results(capsys, "--transcripts", people, "--guesser", GUESSER, "--oracle", ORACLE)
    options, values = found["options"], found["values"]
    assert (options["guesser"], options["status"]) == (GUESSER, "success")
    kinds = ("category", "object", "cq", "spatial", "colour")
    names = {f"r_{kind}{end}" for kind in kinds for end in ("", "_per_game")} | {
        f"{name}_{kind}_{answer}"
        for name in ("grounded_rs", "grounded_cs", "complement_probability")
        for kind in kinds
        for answer in ("yes", "no")
    }
    names |= {
        f"{name}_turn_{turn}" for name in ("nll", "brier", "ece", "entropy") for turn in (1, 2)
    }
    names |= {"task_accuracy", "bayes_gap", "bayes_ignored", "bayes_invented", "leaked_mass"}
    names |= {f"rule_accuracy_{rule}" for rule in ("r1", "r2", "r3", "r1_r2", "r1_r3", "r2_r3")}
    assert names <= set(values)
    for name, value in values.items():
        if value["value"] is not None and value["ci_low"] is not None:
            assert value["ci_low"] <= value["value"] <= value["ci_high"], name
    assert values["r_cq"]["n_clusters"] < values["r_cq"]["n"]
    assert values["complement_probability_cq_yes"]["std"] > 0


def test_a_run_is_judged_by_its_own_beliefs(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With the oracle who played as the one that an ideal observer goes by."""
    found = results(capsys, "--transcripts", run)
    assert found["options"]["guesser"] is None
    assert (found["options"]["oracle"], found["options"]["status"]) == (ORACLE, "all")
    assert found["values"]["bayes_gap"]["value"] < 5
    again = results(capsys, "--transcripts", run)
    assert again == found


def test_results_come_with_figures_and_the_papers_rows(
    people: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    words = ["--transcripts", people, "--guesser", GUESSER, "--oracle", ORACLE, "--out", str(out)]
    assert main(["evaluate", "belief", *words]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for text in ("this run beside belief, Table 2", "LXMERT", "no union can be", "MTL-KL"):
        assert text in said
    for name in ("threshold_sweep.svg", "reliability.svg", "entropy.svg"):
        assert (out / name).read_text("utf-8").startswith("<?xml")
    table = (out / "table.md").read_text("utf-8")
    assert "grounded_cs_spatial_no" in table.replace(" ", "_")


def test_other_thresholds_do_not_stand_beside_table_3(
    people: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["evaluate", "belief", "--transcripts", people, "--guesser", GUESSER]
    assert main([*words, "--theta-cs", "0.05"]) == 0
    said = capsys.readouterr().out
    assert "Table 3, reference set" in said
    assert "Table 3, complement set" not in said


def test_labels_can_come_from_a_file(
    people: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that the rules wrote into a file are those that the rules make."""
    labels = str(tmp_path / "labels.jsonl")
    assert main(["annotate", "soft-labels", "--games", people, "--out", labels]) == 0
    words = ["--transcripts", people, "--guesser", GUESSER]
    ours = results(capsys, *words)
    theirs = results(capsys, *words, "--soft-labels", labels)
    assert theirs["values"].keys() == ours["values"].keys()
    for name, value in ours["values"].items():
        assert theirs["values"][name]["value"] == pytest.approx(value["value"]), name


def test_two_guessers_fed_the_same_games_can_be_compared(
    people: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = []
    for name, flaw in (("sound", ""), ("deaf", "&ignores_no=true")):
        folders.append(str(tmp_path / name))
        words = ["--transcripts", people, "--guesser", f"{GUESSER}{flaw}", "--out", folders[-1]]
        assert main(["evaluate", "belief", *words]) == 0
    capsys.readouterr()
    assert main(["compare", *folders, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["differences"]
    lower = found["complement_probability_cq_no"]
    assert lower["ci_high"] < 0
    assert lower["p_permutation"] < 0.01
    assert found["complement_probability_cq_yes"]["difference"] == 0


GDSE = {
    "gen_dialogue": "<start> is it a dog ? <yes>",
    "image": "COCO_val2014_000000000010.jpg",
    "target_id": 0,
    "guess_id": 0,
    "all_guess_probs": [[0.25] * 4 + [0.0] * 16, [0.5, 0.2, 0.05, 0.05, *[0.0125] * 16]],
}


def test_slots_of_a_log_that_hold_no_candidate_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    objects = [
        {
            "id": n,
            "category": kind,
            "category_id": 18,
            "bbox": [n, 0, 9, 9],
            "area": 81,
            "segment": [],
        }
        for n, kind in enumerate(("dog", "dog", "cat", "car"), start=1)
    ]
    image = {"id": 10, "width": 100, "height": 100, "file_name": GDSE["image"]}
    game = {"id": 1, "image": image | {"coco_url": "", "flickr_url": ""}, "objects": objects}
    game |= {"object_id": 1, "status": "success", "qas": [], "questioner_id": 1, "timestamp": ""}
    (tmp_path / "games.jsonl").write_text(json.dumps(game) + "\n")
    (tmp_path / "log.json").write_text(json.dumps({"1": GDSE}))
    words = ["--transcripts", str(tmp_path / "log.json"), "--games", str(tmp_path / "games.jsonl")]
    found = results(capsys, *words)
    assert any("MASS LEAKS: the file gives 10 %" in note for note in found["notes"])
    assert found["values"]["complement_probability_cq_yes"]["value"] == pytest.approx(6.25)


def test_people_without_a_guesser_have_nothing_to_judge(
    people: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "belief", "--transcripts", people]) == 2
    assert "--guesser" in capsys.readouterr().err


@pytest.fixture
def broken(run: str, tmp_path: Path) -> Path:
    """A run that somebody may edit."""
    folder = tmp_path / "run"
    folder.mkdir()
    for file in Path(run).iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def spoil(run: Path, probability: float) -> str:
    """Changes the first number of the first belief of the fourth game, whose name this gives."""
    log = run / "transcripts.jsonl"
    lines = log.read_text().splitlines()
    row = json.loads(lines[3])
    event = next(each for each in row["events"] if each["event"] == "believe")
    event["belief"]["probabilities"][0] += probability
    lines[3] = json.dumps(row)
    log.write_text("\n".join(lines) + "\n")
    return str(row["game"]["id"])


def test_bad_beliefs_are_named_or_counted(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sum that is off by a hundredth."""
    game = spoil(broken, 0.01)
    assert main(["evaluate", "belief", "--transcripts", str(broken)]) == 1
    assert f"game {game}, turn 1" in capsys.readouterr().err
    found = results(capsys, "--transcripts", str(broken), "--skip-bad")
    assert any("1 turn is bad" in note for note in found["notes"])


def test_nan_in_a_belief_is_named_or_its_game_counted(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """JSON has no NaN, so that the whole game cannot be read."""
    game = spoil(broken, float("nan"))
    assert main(["evaluate", "belief", "--transcripts", str(broken)]) == 1
    said = capsys.readouterr().err
    assert f"game {game}, turn 1" in said
    assert "NaN" in said
    found = results(capsys, "--transcripts", str(broken), "--skip-bad")
    assert found["values"]["task_accuracy"]["n_failed"] == 1
    assert any("1 bad record was left out" in note for note in found["notes"])
