"""Every file is recognised for what it is, counted, and its problems listed."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest
import typer

from referee.cli.data_check import check as command
from referee.datasets.check import check, formats, recognise
from referee.datasets.counting import shares, split_of
from referee.datasets.formats import Summary
from referee.errors import DataError

DATA = Path(__file__).resolve().parent.parent / "data"
SMALL = DATA / "guesswhat"

REAL: dict[str, tuple[str, dict[str, object]]] = {
    "densevisdial/refs_H_human_val.json": (
        "densevisdial-references",
        {"rounds": 2064, "references": 26_358},
    ),
    "densevisdial/refs_S_human_val.json": (
        "densevisdial-references",
        {"rounds": 2064, "references": 14_800},
    ),
    "densevisdial/refs_M_human_val.json": (
        "densevisdial-references",
        {"rounds": 2064, "references": 24_771},
    ),
    "densevisdial/refs_G_human_val.json": (
        "densevisdial-references",
        {"rounds": 2064, "references": 16_326},
    ),
    "densevisdial/refs_H_human_train.json": (
        "densevisdial-references",
        {"rounds": 1996, "references": 15_317},
    ),
    "densevisdial/gens.json": (
        "densevisdial-generations",
        {"rounds": 20_640, "generations": 20_640},
    ),
    "visdial/visdial_1.0_val_crowdsourced.json": (
        "visdial",
        {
            "dialogues": 97,
            "rounds": 970,
            "questions in the pool": 45_237,
            "answers in the pool": 34_821,
        },
    ),
    "visdial/visdial_1.0_val_dense_annotations_crowdsourced.json": (
        "visdial-dense",
        {"relevance rows": 97},
    ),
    "visdial/visdial_1.0_val_first50.json": ("visdial", {"dialogues": 50, "rounds": 500}),
    "visdial/visdial_1.0_test_first50.json": (
        "visdial",
        {"dialogues": 50, "rounds a dialogue": "1 to 10", "rounds with options": 50},
    ),
    "guesswhat/human_100.jsonl": (
        "plain-dialogues",
        {"turns": 407, "answer No": 223, "answer Yes": 182, "answer N/A": 2, "success": 100},
    ),
    "guesswhat/rl_greedy_100.jsonl": (
        "plain-dialogues",
        {"turns": 500, "success": 60, "failure": 40},
    ),
    "guesswhat/vdst_train_log_1004.txt": (
        "vdst-log",
        {"games": 1004, "turns": 5020, "images": 923, "success %": 56.97},
    ),
    "guesswhat/oracle_answers.csv.gz": (
        "oracle-answers",
        {
            "questions": 99_784,
            "agreement QSpCa %": 77.96,
            "agreement QSpCr %": 74.40,
            "agreement QSp %": 68.27,
            "agreement LXMERT %": 83.94,
        },
    ),
    "guesswhat/history_questions.csv": ("history-questions", {"questions": 204}),
    "guesswhat/gdse_vocab.json": ("gdse-vocabulary", {"words": 4901}),
    "visual_genome/attributes.json": ("visual-genome-graphs", {"images": 5}),
    "visual_genome/objects.json": ("visual-genome-graphs", {"images": 5}),
    "visual_genome/relationships.json": ("visual-genome-graphs", {"images": 5}),
    "visual_genome/image_data.json": ("visual-genome-images", {"images": 5}),
    "visual_genome/region_descriptions.json": ("visual-genome-regions", {"images": 5}),
    "visual_genome/question_answers.json": ("visual-genome-questions", {"images": 5}),
    "coco/annotations/instances_val2017.json": ("coco-instances", {"images": 79, "objects": 624}),
    "coco/annotations/captions_val2017.json": ("coco-captions", {"captions": 395}),
    "coco/annotations/instances_train2017.json": ("coco-instances", {"images": 80, "objects": 739}),
    "coco/annotations/captions_train2017.json": ("coco-captions", {"captions": 400}),
    "guesswhich/pools.json": ("guesswhich-pools", {"pools": 10, "target last": 30}),
    "guesswhich/dialogs_SL-QBOT-ABOT.json": ("qbot", {"dialogues": 80}),
    "guesswhich/dialogs_SL_Div-QBOT-ABOT.json": ("qbot", {"dialogues": 80}),
    "open_images/class-descriptions-boxable.csv": ("open-images-classes", {"classes": 601}),
    "open_images/bbox_labels_600_hierarchy.json": ("open-images-hierarchy", {}),
    "manynames/objects.tsv": ("manynames", {"objects": 25_315}),
}


@pytest.mark.parametrize("name", REAL)
def test_the_real_files_are_recognised_and_hold_what_they_must(shared: Path, name: str) -> None:
    kind, counts = REAL[name]
    (summary,) = check(shared / name)
    assert summary.format == kind
    assert {key: summary.counts.get(key) for key in counts} == counts
    assert summary.problems == []


def test_a_folder_is_its_files_and_what_nobody_knows_is_said(shared: Path) -> None:
    """CompGuessWhat?!, six games a file: 18 of people with 118 objects and 100 turns, 24 with 192."""
    found = list(check(shared / "compguesswhat"))
    totals = Counter[str]()
    for summary in found:
        kind = "zero" if "zero_shot" in str(summary.path) else "human"
        assert summary.format == "compguesswhat-games"
        assert summary.counts["games"] == 6
        for name in ("games", "objects", "turns"):
            count = summary.counts[name]
            assert isinstance(count, int)
            totals[f"{kind} {name}"] += count
    assert totals["human games"] == 18
    assert totals["human objects"] == 118
    assert totals["human turns"] == 100
    assert totals["zero games"] == 24
    assert totals["zero objects"] == 192
    assert {summary.format for summary in check(shared / "golden")} == {""}


def test_every_small_file_of_the_dialogues_is_recognised() -> None:
    kinds = {summary.path.name: summary.format for summary in check(SMALL)}
    assert kinds == {
        "dialogues.jsonl": "plain-dialogues",
        "effectiveness_input.json": "effectiveness-input",
        "effectiveness_output.json": "effectiveness-output",
        "guesswhat.final.new_games.greedy.jsonl": "looper",
        "guesswhat.new.valid.jsonl": "guesswhat-new",
        "guesswhat.valid.jsonl": "guesswhat-old",
        "history_questions.csv": "history-questions",
        "last_turn_output.json": "last-turn-output",
        "oracle_answers.csv": "oracle-answers",
        "referring_output.json": "referring-output",
        "soft_labels.jsonl": "soft-labels",
        "val_GPinference_small.json": "gdse-log",
        "vdst_dialogues.txt": "vdst-text",
        "vdst_log.txt": "vdst-log",
        "vocab.json": "gdse-vocabulary",
    }


def test_the_names_of_formats_are_distinct() -> None:
    names = [known.name for known in formats()]
    assert len(set(names)) == len(names)
    assert all(known.describes for known in formats())


def test_gzip_is_recognised_like_the_plain_file(tmp_path: Path) -> None:
    for path in sorted(SMALL.iterdir()):
        packed = tmp_path / f"{path.name}.gz"
        packed.write_bytes(gzip.compress(path.read_bytes()))
        plain, again = recognise(path), recognise(packed)
        assert plain is not None
        assert again == plain
        (first,), (second,) = check(path), check(packed)
        assert first.counts == second.counts


def test_games_are_counted_with_their_shares() -> None:
    (summary,) = check(SMALL / "guesswhat.valid.jsonl")
    assert summary.counts == {
        "split": "valid",
        "games": 4,
        "turns": 7,
        "objects": 14,
        "images": 2,
        "success": 2,
        "success %": 50.0,
        "failure": 1,
        "failure %": 25.0,
        "incomplete": 1,
        "incomplete %": 25.0,
        "answer Yes": 3,
        "answer Yes %": 42.86,
        "answer No": 3,
        "answer No %": 42.86,
        "answer N/A": 1,
        "answer N/A %": 14.29,
    }


def test_boxes_that_leave_the_picture_are_counted_and_kept(tmp_path: Path) -> None:
    row = json.loads((SMALL / "guesswhat.valid.jsonl").read_text().splitlines()[0])
    row["objects"][0]["bbox"] = [600.0, 10.0, 60.0, 10.0]
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(row))
    (summary,) = check(path)
    assert summary.counts["boxes that leave the picture"] == 1
    assert summary.counts["games"] == 1


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("guesswhat.train.jsonl.gz", "train"),
        ("compguesswhat.nd_valid.jsonl.gz", "nd_valid"),
        ("instances_val2017.json", "val"),
        ("visdial_1.0_test.json", "test"),
        ("validity.json", None),
        ("latest.json", None),
    ],
)
def test_the_split_is_a_word_of_the_name(name: str, split: str | None) -> None:
    assert split_of(Path(name)) == split


def test_shares_are_in_percent_and_in_the_given_order() -> None:
    assert shares(Counter(b=1, a=1, z=2), ("z", "y")) == {
        "z": 2,
        "z %": 50.0,
        "a": 1,
        "a %": 25.0,
        "b": 1,
        "b %": 25.0,
    }
    assert shares(Counter(), ("z",)) == {}


def test_a_file_that_is_broken_as_a_whole_is_a_problem_and_no_error(tmp_path: Path) -> None:
    path = tmp_path / "effectiveness_input.json"
    path.write_bytes((SMALL / path.name).read_bytes()[:-3])
    summary: Summary
    (summary,) = check(path)
    assert summary.format == "effectiveness-input"
    assert [problem.file for problem in summary.problems] == [str(path)]


def test_damaged_gzip_of_which_nothing_is_left_is_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody can say what it was, but it is not passed over."""
    path = tmp_path / "guesswhat.train.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}")[:12])
    (summary,) = check(path)
    assert summary.format == ""
    assert len(summary.problems) == 1
    with pytest.raises(typer.Exit):
        command(path=path)
    assert "cut short" in capsys.readouterr().out


def test_damage_far_into_unknown_gzip_is_a_problem(tmp_path: Path) -> None:
    """A file that nobody knows is read to its end if it is gzip; a whole one is no problem."""
    path = tmp_path / "backup.gz"
    packed = gzip.compress(bytes(range(256)) * 10_000)
    for data, problems in ((packed, 0), (packed[:-3], 1)):
        path.write_bytes(data)
        (summary,) = check(path)
        assert (summary.format, len(summary.problems)) == ("", problems)


def test_a_link_to_nowhere_does_not_end_the_check_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "nowhere")
    (tmp_path / "b.jsonl").write_text((SMALL / "guesswhat.valid.jsonl").read_text())
    first, second = check(tmp_path)
    assert (first.format, len(first.problems)) == ("", 1)
    assert second.format == "guesswhat-old"


def test_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file or folder"):
        list(check(tmp_path / "nothing"))


def test_the_command_prints_a_line_a_count(capsys: pytest.CaptureFixture[str]) -> None:
    """Path and format stand on one line; shares have two decimals, beside their counts or alone."""
    command(path=SMALL / "guesswhat.valid.jsonl")
    said = capsys.readouterr().out
    title, *lines = said.splitlines()
    assert title == f"{SMALL / 'guesswhat.valid.jsonl'}  guesswhat-old"
    assert "  games           4" in lines
    assert "  success         2   50.00 %" in lines
    assert "answer Yes %" not in said
    assert lines[-1] == "1 recognised, 0 problems"
    command(path=SMALL / "oracle_answers.csv")
    said = capsys.readouterr().out
    assert re.search(r"^  agreement large +75\.00 %$", said, re.MULTILINE)
    assert re.search(r"^  agreement small where people say No +100\.00 %$", said, re.MULTILINE)


def test_the_command_ends_with_a_table_of_a_folders_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row a file, under the name of its folder; two lines a row where one would be too narrow."""
    below = tmp_path / "below"
    below.mkdir()
    (tmp_path / "note.md").write_text("nothing")
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    for path in (tmp_path / "guesswhat.valid.jsonl", below / "dialogues.jsonl"):
        path.write_text((SMALL / path.name).read_text())
    expected = {
        "120": [
            ["file", "format", "holds", "problems"],
            ["guesswhat.valid.jsonl", "guesswhat-old", "games", "4,", "turns", "7", "0"],
            ["below/"],
            ["dialogues.jsonl", "plain-dialogues", "games", "2,", "turns", "3", "0"],
        ],
        "60": [
            ["file", "problems"],
            ["guesswhat.valid.jsonl", "0"],
            ["guesswhat-old:", "games", "4,", "turns", "7"],
            ["below/"],
            ["dialogues.jsonl", "0"],
            ["plain-dialogues:", "games", "2,", "turns", "3"],
        ],
    }
    for width, rows in expected.items():
        monkeypatch.setenv("COLUMNS", width)
        command(path=tmp_path)
        lines = capsys.readouterr().out.splitlines()
        words = [line.split() for line in lines]
        start = words.index(rows[0])
        assert words[start:-2] == rows
        assert lines[-1] == "2 recognised, 0 problems; 1 pictures; 1 not recognised: note.md"


def test_a_picture_is_no_table(tmp_path: Path) -> None:
    """Its bytes hold what a text format is known by now and then, and zeros besides."""
    path = tmp_path / "a.png"
    path.write_bytes(b"\x89PNG\0\n\n\n\xff||\t\t\xfe\n")
    assert recognise(path) is None


def test_a_run_folder_is_one_thing() -> None:
    """What was played, by whom, and how it ended."""
    (summary,) = check(DATA / "run")
    assert summary.format == "run"
    assert summary.problems == []
    wanted = {"game": "guesswhat", "games": 4, "turns": 7, "success": 2, "finished": "yes"}
    assert {name: summary.counts[name] for name in wanted} == wanted
    assert summary.counts["guesser"] == "scripted:random-guesser"


def test_a_run_that_was_killed_holds_the_games_that_are_over(tmp_path: Path) -> None:
    """The last line is no game yet; a damaged one before it is a problem, as is a game played twice."""
    (tmp_path / "manifest.json").write_bytes((DATA / "run/manifest.json").read_bytes())
    first, second, third, last = (DATA / "run/transcripts.jsonl").read_bytes().splitlines()
    strange = second.replace(b'"target":"', b'"target":"9')
    log = tmp_path / "transcripts.jsonl"
    log.write_bytes(b"\n".join((first, strange, first, third, last[:-9])))
    (summary,) = check(tmp_path)
    assert summary.counts["games"] == 2
    assert summary.counts["finished"] == "no"
    assert [(problem.record, problem.field) for problem in summary.problems] == [
        (2, "game.target"),
        ("501", None),
    ]


def damaged(tmp_path: Path) -> Path:
    """Games of which the third lacks its target."""
    lines = (SMALL / "guesswhat.valid.jsonl").read_text().splitlines()
    lines[2] = lines[2].replace('"object_id": 22', '"object_id": 99')
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join(lines))
    return path


def test_the_command_lists_each_problem_and_exits_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = damaged(tmp_path)
    with pytest.raises(typer.Exit) as stop:
        command(path=path)
    assert stop.value.exit_code == 1
    said = capsys.readouterr().out
    problem = f"{path}, record 3, field $.object_id: the target 99 is not among the candidates"
    assert f"{problem} (expected the id of one of the 3 objects)" in said
    command(path=path, skip_bad=True)
    assert problem in capsys.readouterr().out


def test_the_command_can_speak_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = damaged(tmp_path)
    (tmp_path / "note.md").write_text("nothing")
    command(path=tmp_path, skip_bad=True, as_json=True)
    said = json.loads(capsys.readouterr().out)
    (file,) = said["files"]
    assert file["format"] == "guesswhat-old"
    assert file["counts"]["games"] == 3
    assert file["problems"] == [
        {
            "message": "the target 99 is not among the candidates",
            "file": str(path),
            "record": 3,
            "field": "$.object_id",
            "expected": "the id of one of the 3 objects",
        }
    ]
    assert said["unrecognised"] == [str(tmp_path / "note.md")]


def test_what_no_reader_knows_gets_two_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "note.md"
    for text in ("nothing that anyone knows", ""):
        path.write_text(text)
        with pytest.raises(typer.Exit) as stop:
            command(path=path)
        assert stop.value.exit_code == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert len(said.err.splitlines()) == 2
        assert str(path) in said.err
