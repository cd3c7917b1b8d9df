"""`evaluate answers` as a person calls it: on generations, on runs, and on the metrics themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main
from referee.datasets.iconworld import making
from referee.datasets.iconworld.world import Plan

WORDS = ("--metrics", "cider,bleu,rouge_l")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Iconworld with dialogues and relevance."""
    folder = tmp_path_factory.mktemp("world") / "world"
    making.make(folder, Plan(games=240, pools=0, seed=3), ("coco", "visdial"))
    return folder


@pytest.fixture(scope="module")
def dialogues(world: Path) -> tuple[str, ...]:
    folder = world / "visdial"
    dense = folder / "visdial_1.0_val_dense_annotations.json"
    return ("--visdial", str(folder / "visdial_1.0_val.json"), "--dense", str(dense))


@pytest.fixture(scope="module")
def run(world: Path, dialogues: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scene graph's answers, three a question, and its scores of the options."""
    out = tmp_path_factory.mktemp("played") / "run"
    things = str(world / "annotations" / "instances_val.json")
    words = ["--answerer", "scripted:scene-graph", "--scenes", things, "--generate", "5", "--rank"]
    assert main(["play", "visdial", *dialogues, *words, "--out", str(out)]) == 0
    return out


def found(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["evaluate", "answers", *map(str, words), "--json"]) == 0
    loaded: dict[str, Any] = json.loads(capsys.readouterr().out)
    return loaded


def test_a_run_with_texts_and_scores_has_both_kinds_of_values(
    run: Path, dialogues: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a file of references, H comes from the relevance; what is true there is right."""
    result = found(capsys, "--transcripts", run, *dialogues, *WORDS)
    values = result["values"]
    assert result["options"]["reference_sets"] == "H"
    assert values["ndcg"]["value"] == pytest.approx(1)
    assert values["bleu_1_gamma"]["value"] > 0.9
    assert values["bleu_1_bound_mu"]["value"] == pytest.approx(1)
    assert values["cider_1"]["n"] == values["ndcg"]["n"]


def test_reference_sets_that_annotate_makes_give_the_same_values(
    run: Path, dialogues: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sets = tmp_path / "refs_H_human_val.json"
    assert (
        main(["annotate", "reference-sets", *dialogues, "--method", "H", "--out", str(sets)]) == 0
    )
    of_file = found(capsys, "--transcripts", run, "--references", sets, *WORDS)
    of_relevance = found(capsys, "--transcripts", run, *dialogues, *WORDS)
    names = [name for name in of_file["values"] if name.startswith(("cider", "bleu", "rouge"))]
    assert len(names) >= 27
    for name in names:
        assert of_file["values"][name]["value"] == of_relevance["values"][name]["value"]


def test_the_metrics_are_judged_by_relevance(
    dialogues: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    values = found(capsys, "--meta", *dialogues, *WORDS)["values"]
    assert 0.2 < values["spearman_cider_1"]["value"] <= 1
    assert values["kendall_cider_1"]["ci_low"] < values["kendall_cider_1"]["value"]


def test_the_real_rounds_judge_the_metrics(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three of the 97 rounds have the same relevance wherever a score is: H is one answer there."""
    folder = shared / "visdial"
    files = ("visdial_1.0_val_crowdsourced", "visdial_1.0_val_dense_annotations_crowdsourced")
    given = [folder / f"{name}.json" for name in files]
    words = ("--meta", "--visdial", given[0], "--dense", given[1])
    values = found(capsys, *words, *WORDS)["values"]
    assert (values["spearman_cider_1"]["n"], values["spearman_cider_1"]["n_failed"]) == (94, 3)
    assert values["spearman_cider_1"]["ci_low"] > values["spearman_bleu_4"]["ci_high"]


def test_the_folder_holds_tables_figures_and_examples(
    run: Path, dialogues: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["evaluate", "answers", "--transcripts", str(run), *dialogues, *WORDS, "--k", "1,2"]
    first, second = tmp_path / "first", tmp_path / "second"
    assert main([*words, "--out", str(first)]) == 0
    assert main([*words, "--profile", "clean", "--out", str(second), "--beside", str(first)]) == 0
    capsys.readouterr()
    assert {"against_k.svg", "ranks.svg", "examples.md"} <= {one.name for one in first.iterdir()}
    assert "reference set:" in (first / "examples.md").read_text("utf-8")
    drawn = [(folder / "against_k.svg").read_text("utf-8") for folder in (first, second)]
    assert drawn[0].startswith("<?xml")
    assert len(drawn[1]) > len(drawn[0])
    table = (first / "table.md").read_text("utf-8")
    assert "profile paper" in table
    assert "sigma within" in table


def test_generations_need_references_of_some_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gens.json").write_text("[]", "utf-8")
    assert main(["evaluate", "answers", "--generations", str(tmp_path / "gens.json")]) == 2
    assert "--generations needs --references" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give one of --ranks, --generations and --transcripts"),
        (("--ranks", "r.json"), "--ranks needs --visdial"),
        (("--meta", "--visdial", "v.json"), "--meta judges metrics"),
        (("--ranks", "r", "--visdial", "v", "--references", "f"), "hold no texts"),
    ],
)
def test_files_that_do_not_go_together_are_refused(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "answers", *words]) == 2
    assert message in capsys.readouterr().err


GENERATION = {"image_id": 1, "round_id": 0, "generations": ["yes"]}
REFERENCE = {
    "image_id": 1,
    "round_id": 0,
    "in_cluster_idxs": [1] + [0] * 99,
    "refs": ["yes"],
    "question": "is it?",
    "gt_answer": "yes",
}


@pytest.mark.parametrize(
    ("generation", "reference", "message"),
    [
        ({"generations": "yes"}, {}, "generations"),
        ({"generations": [1]}, {}, "expected str"),
        ({"generations": []}, {}, "has no generation"),
        ({"round_id": 10}, {}, "round_id"),
        ({}, {"refs": [], "in_cluster_idxs": [0] * 100}, "the reference set is empty"),
        ({}, {"in_cluster_idxs": [1] * 3}, "has 3 marks"),
        ({}, {"gt_answer": "no"}, "lacks the ground truth"),
        ({"image_id": 2}, {}, "nothing was generated for any round"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(
    generation: dict[str, object],
    reference: dict[str, object],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    gens, refs = tmp_path / "gens.json", tmp_path / "refs.json"
    gens.write_text(json.dumps([GENERATION | generation]), "utf-8")
    refs.write_text(json.dumps([REFERENCE | reference]), "utf-8")
    words = ["evaluate", "answers", "--generations", str(gens), "--references", str(refs)]
    assert main([*words, *WORDS]) == 1
    assert message in capsys.readouterr().err


def test_bad_rows_that_are_left_out_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gens, refs = tmp_path / "gens.json", tmp_path / "refs.json"
    gens.write_text(json.dumps([GENERATION, GENERATION | {"image_id": 2, "generations": 3}]))
    refs.write_text(json.dumps([REFERENCE, REFERENCE | {"image_id": 3, "refs": []}]))
    words = ("--generations", gens, "--references", refs, *WORDS, "--skip-bad")
    result = found(capsys, *words)
    assert any("2 bad records were left out" in note for note in result["notes"])


def test_any_file_in_which_somebody_answered_is_judged(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """People's own answers are A_gt, and generations are the same under either option."""
    refs = shared / "densevisdial" / "refs_H_human_val.json"
    given = ("--references", refs, "--metrics", "bleu")
    people = shared / "visdial" / "visdial_1.0_val_crowdsourced.json"
    values = found(capsys, "--transcripts", people, *given)["values"]
    assert (values["bleu_1"]["n"], values["missing"]["value"]) == (97, 1967)
    assert values["bleu_1"]["value"] > 0.99
    gens = shared / "densevisdial" / "gens.json"
    under = [found(capsys, name, gens, *given) for name in ("--transcripts", "--generations")]
    assert under[0] == under[1]
