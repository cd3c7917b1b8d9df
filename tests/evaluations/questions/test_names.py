"""Every value has its name, its unit, its direction and an interval that draws whole pictures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main
from referee.evaluations import evaluation, questions
from referee.games import Transcript

Play = Callable[..., Transcript]

UP, DOWN = True, False
TYPES = (
    *("color", "shape", "size", "texture", "location", "action"),
    *("object", "super_category", "entity", "other", "order"),
    *("location_absolute", "location_relational", "location_number"),
)
NAMES: dict[str, tuple[str, bool | None]] = {
    "task_success": ("%", UP),
    "task_success_unique": ("%", UP),
    "n_questions": ("", None),
    "effectiveness": ("%", UP),
    "effectiveness_success": ("%", UP),
    "effectiveness_failure": ("%", UP),
    "effectiveness_turn_1": ("%", UP),
    "effectiveness_turn_5": ("%", UP),
    "last_effective": ("%", UP),
    "last_referring": ("%", UP),
    "last_referring_in_context": ("%", UP),
    "task_success_last_referring": ("%", UP),
    "task_success_last_not_referring": ("%", UP),
    "removed_target": ("%", DOWN),
    **{f"type_{kind}": ("%", None) for kind in TYPES},
    **{f"oracle_accuracy_{kind}": ("%", UP) for kind in TYPES},
    "lexical_diversity": ("%", UP),
    "question_diversity": ("%", UP),
    "repeated_games": ("%", DOWN),
    "vocabulary": ("count", UP),
    "shift_super_to_object_or_attribute": ("%", None),
    "shift_object_to_attribute": ("%", None),
    "location_turns": ("%", None),
    "information_gain": ("bits", UP),
    "best_gain": ("bits", None),
    "efficiency": ("", UP),
    **{f"redundancy_{kind}": ("%", DOWN) for kind in ("repeated", "paraphrase", "implied")},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of simulated people about some forty pictures, as a run folder."""
    folder = tmp_path_factory.mktemp("names")
    words = ["data", "make", "iconworld", "--out", str(folder / "world"), "--part", "guesswhat"]
    assert main([*words, "--games", "800", "--seed", "1"]) == 0
    games = str(folder / "world" / "guesswhat.valid.jsonl.gz")
    words = ["play", "guesswhat", "--games", games, "--player", "scripted:people"]
    oracle = ["--oracle", "scripted:perfect-oracle", "--max-turns", "0"]
    assert main([*words, *oracle, "--out", str(folder / "run")]) == 0
    return folder / "run"


def test_every_name_is_in_the_results_with_unit_direction_and_interval(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    words = ["evaluate", "questions", "--transcripts", str(run), "--out", str(out)]
    assert main(words) == 0
    found = json.loads((out / "results.json").read_text())["values"]
    assert {name: (found[name]["unit"], found[name]["higher_is_better"]) for name in NAMES} == NAMES
    assert found["task_success"]["n_clusters"] < found["task_success"]["n"]
    empty = set()
    for name in NAMES:
        value = found[name]
        if value["value"] is None:
            empty.add(name)
            continue
        assert value["ci_low"] <= value["value"] <= value["ci_high"], name
        assert 0 < value["n_clusters"] <= found["task_success"]["n_clusters"], name
    # Iconworld's people do not ask about shapes, textures or actions, so none can be answered right.
    assert empty == {f"oracle_accuracy_{kind}" for kind in ("shape", "texture", "action")}
    capsys.readouterr()
    assert main([*words[:-2], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["values"] == found


def test_an_interval_draws_pictures_not_games(play: Play, known: Any) -> None:
    """Ten games about one picture are no better known than one."""
    oracle = known({"a": "yn", "b": "yy"})
    games = [
        play(["a" if image % 2 else "b"], 2, game=f"{image}-{n}", image=str(image))
        for image in range(6)
        for n in range(10)
    ]
    few = evaluation.judge(questions.EVALUATION, games[::10], questions.Options(oracle=oracle))
    many = evaluation.judge(questions.EVALUATION, games, questions.Options(oracle=oracle))
    one, ten = (each.result.values["effectiveness"] for each in (few, many))
    assert (one.ci_low, one.ci_high) == (ten.ci_low, ten.ci_high)
    assert (one.n, ten.n, ten.n_clusters) == (6, 60, 6)


def test_where_pictures_are_not_known_each_game_stands_for_one(play: Play) -> None:
    """As in the effectiveness tools' input; and whether a target came before cannot be said."""
    statuses = ["success", "failure"] * 4
    games = [
        play(["a"], 2, game=str(n), image="", target="", status=status)
        for n, status in enumerate(statuses)
    ]
    judged = evaluation.judge(questions.EVALUATION, games).result
    success = judged.values["task_success"]
    assert (success.value, success.n, success.n_clusters) == (50, 8, 8)
    assert success.ci_low is not None
    assert success.ci_low < 50
    assert judged.values["task_success_unique"].n == 0
    assert judged.notes[-1].startswith("8 games of unknown pictures")
