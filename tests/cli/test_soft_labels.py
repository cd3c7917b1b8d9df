"""The annotate commands about soft labels, on games made here: labels, a sample for people, votes, rules."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import astuple

from referee.cli import main
from referee.datasets import guesswhat, question_sample, soft_labels
from referee.datasets.annotations import Vote, write_votes
from referee.datasets.check import check
from referee.games import Answer, Ask, Box, GuessWhat, Scene, Thing, Transcript
from referee.metrics.belief.rules import PAPER, RULES, extents

SIZE = (200.0, 100.0)
FEW = ("--intervals", "resamples=100")
ASKED = (
    *("is it a dog?", "is it an animal?", "is it red?", "is it on the left?", "on the right side?"),
    *("is it at the top?", "is it in the middle?", "how many are there?"),
)
NAMES = ("dog", "cat", "cup", "person", "dog", "bus")


def run(*words: object) -> int:
    return main(["annotate", *map(str, words)])


def game(number: int) -> Transcript:
    """A scene of six things, a first question of each kind in turn, and what is true of the target."""
    random = np.random.default_rng(number)
    corners = (random.uniform(0, 0.7, (6, 2)) * SIZE).round().tolist()
    sides = (random.uniform(0.1, 0.3, (6, 2)) * SIZE).round().tolist()
    things = tuple(
        Thing(f"{number}0{place}", name, place + 1, Box(*corner, *side))
        for place, (name, corner, side) in enumerate(zip(NAMES, corners, sides, strict=True))
    )
    scene = Scene(str(number), *SIZE, things, file=f"{number}.png")
    events = (Ask(ASKED[number % len(ASKED)]), Answer("Yes" if number % 3 else "No"))
    return Transcript(GuessWhat(str(number), scene, things[number % 6].id), events, "success")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "guesswhat.train.jsonl"
    guesswhat.write(path, [game(number) for number in range(1, 49)])
    return path


@pytest.fixture(scope="module")
def sample(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sample") / "task"
    counts = "category=4,object=4,colour=3,spatial=12"
    assert (
        run("sample-questions", "--games", games, "--counts", counts, "--people", 3, "--out", out)
        == 0
    )
    return out


def like_a_rule(item: question_sample.Item, rule: str) -> list[bool]:
    """Whom a person means who takes places as one of the rules does, and names as all do."""
    place = next((name for name in ("left", "right", "top", "middle") if name in item.question), "")
    if item.type == "spatial":
        edges, _ = extents([astuple(each.box) for each in item.objects], SIZE)
        there: list[bool] = RULES[rule](edges, place, PAPER).tolist()
    else:
        wanted = {"dog", "cat"} if "animal" in item.question else {"dog"}
        there = [each.category in wanted for each in item.objects]
    return there if item.answer == "Yes" else [not each for each in there]


def said(task: question_sample.Task) -> Iterator[tuple[str, question_sample.Item, list[bool]]]:
    """Three people for each question, each of whom is one of the rules."""
    for item in task.items:
        for who, rule in zip(item.annotators, RULES, strict=True):
            yield who, item, like_a_rule(item, rule)


def ballots(task: question_sample.Task) -> Iterator[Vote]:
    for who, item, marks in said(task):
        for each, mark in zip(item.objects, marks, strict=True):
            yield Vote(item.game, item.turn, who, each.id, mark)


def exports(task: question_sample.Task, folder: Path) -> list[str]:
    """The same votes as exports of makesense.ai: tags of pictures, a file an annotator."""
    rows: dict[str, list[tuple[str, str]]] = {}
    for who, item, marks in said(task):
        numbers = [str(each.number) for each, mark in zip(item.objects, marks, strict=True) if mark]
        rows.setdefault(who, []).append((item.picture, f"[{','.join(numbers or ['none'])}]"))
    for who, labels in rows.items():
        with (folder / f"{who}.csv").open("w", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows(labels)
    return [f"{who}={folder / who}.csv" for who in rows]


def test_the_sample_is_all_that_a_person_needs(sample: Path) -> None:
    """Pictures with their questions, labels, a sheet for each person, and the task as a known format."""
    task = question_sample.read(sample / "task.json")
    assert len(task.items) == 23
    assert {
        name: sum(item.type == name for item in task.items) for name in ("object", "spatial")
    } == {
        "object": 4,
        "spatial": 12,
    }
    assert all(item.answer in ("Yes", "No") and len(item.annotators) == 3 for item in task.items)
    assert len(list((sample / "pictures").iterdir())) == 23
    assert (sample / "labels.txt").read_text().split() == ["1", "2", "3", "4", "5", "6", "none"]
    loads = [len(path.read_text().splitlines()) // 6 for path in (sample / "sheets").iterdir()]
    assert len(loads) == 9
    assert max(loads) - min(loads) <= 1
    (summary,) = check(sample / "task.json")
    assert (summary.format, summary.counts["questions"]) == ("question-sample", 23)


def test_the_same_seed_draws_the_same_whatever_the_order(
    games: Path, sample: Path, tmp_path: Path
) -> None:
    """What is drawn depends on the games, not on where they stand in the file; another seed draws others."""
    lines = games.read_text().splitlines()
    turned = tmp_path / games.name
    turned.write_text("".join(f"{line}\n" for line in reversed(lines)))
    words = (
        "sample-questions",
        "--games",
        turned,
        "--counts",
        "category=4,object=4,colour=3,spatial=12",
    )
    assert run(*words, "--out", tmp_path / "again") == 0
    assert (tmp_path / "again/task.json").read_bytes() == (sample / "task.json").read_bytes()
    assert run(*words, "--seed", 1, "--out", tmp_path / "other") == 0
    assert (tmp_path / "other/task.json").read_bytes() != (sample / "task.json").read_bytes()


def test_people_who_are_the_rules_correlate_with_them_fully(
    sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three people who take places as R1, R2 and R3 do give the rules' own soft labels, by any file."""
    task = question_sample.read(sample / "task.json")
    write_votes(tmp_path / "votes.csv", ballots(task))
    table = ("votes", "--task", sample, "--votes", tmp_path / "votes.csv")
    assert run(*table, *FEW, "--out", tmp_path / "votes") == 0
    assert "r_people_spatial" in capsys.readouterr().out
    found = json.loads((tmp_path / "votes" / "results.json").read_text())["values"]
    assert found["r_people_spatial"]["value"] == pytest.approx(1)
    assert found["r_people_object"]["value"] == pytest.approx(1)
    assert found["full_agreement_category"]["value"] == 100
    assert found["alpha_category"]["value"] == 1
    assert found["full_agreement_spatial"]["value"] < 100
    assert 0 < found["alpha_spatial"]["value"] < 1
    labels = list(soft_labels.read(tmp_path / "votes" / "soft_labels.jsonl"))
    assert {row.source for row in labels} == {"3 people"}
    assert "disagreements.md" in {path.name for path in (tmp_path / "votes").iterdir()}
    tags = [word for each in exports(task, tmp_path) for word in ("--makesense", each)]
    assert (
        run("votes", "--task", sample / "task.json", *tags, *FEW, "--out", tmp_path / "tags") == 0
    )
    assert list(soft_labels.read(tmp_path / "tags" / "soft_labels.jsonl")) == labels


def test_votes_go_without_a_task_where_the_games_are_given(
    games: Path, sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table of votes names games, turns and objects, which the dialogues hold."""
    write_votes(tmp_path / "votes.csv", ballots(question_sample.read(sample / "task.json")))
    capsys.readouterr()
    assert run("votes", "--games", games, "--votes", tmp_path / "votes.csv", *FEW, "--json") == 0
    assert json.loads(capsys.readouterr().out)["values"]["r_people_spatial"]["n"] > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["votes", "--votes", "v.csv"], "give what people voted on"),
        (["votes", "--task", "{sample}"], "give people's votes"),
        (["votes", "--task", "{sample}", "--makesense", "p1"], "expected NAME=FILE"),
        (["votes", "--games", "{games}", "--makesense", "p1=x.csv"], "give --task"),
        (["rules"], "give --games"),
        (
            ["sample-questions", "--games", "{games}", "--counts", "size=3", "--out", "{new}"],
            "size=3",
        ),
        (["sample-questions", "--games", "{games}", "--out", "{new}"], "there are only"),
        (
            [
                *("sample-questions", "--games", "{games}", "--people", "4"),
                *("--annotators", "3", "--out", "{new}"),
            ],
            "cannot be had of 3",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(
    games: Path,
    sample: Path,
    tmp_path: Path,
    words: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line says what is missing, and nothing is written."""
    told = [word.format(games=games, sample=sample, new=tmp_path / "new") for word in words]
    assert run(*told) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_bad_votes_are_named_or_counted(
    sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An object that somebody left out, a turn that was not asked, a tag that is no object."""
    task = question_sample.read(sample / "task.json")
    good = list(ballots(task))
    write_votes(tmp_path / "short.csv", good[1:])
    assert run("votes", "--task", sample, "--votes", tmp_path / "short.csv") == 1
    assert "each of the 6 objects" in capsys.readouterr().err
    assert run("votes", "--task", sample, "--votes", tmp_path / "short.csv", "--skip-bad") == 0
    assert "1 bad record was left out" in capsys.readouterr().out
    write_votes(tmp_path / "other.csv", [*good, Vote("999", 1, "p1", "1", vote=True)])
    assert run("votes", "--task", sample, "--votes", tmp_path / "other.csv") == 1
    assert "it was not asked" in capsys.readouterr().err
    (tmp_path / "tags.csv").write_text(f'{task.items[0].picture},"[7]"\n')
    assert run("votes", "--task", sample, "--makesense", f"p1={tmp_path / 'tags.csv'}") == 1
    assert "'7' is no object" in capsys.readouterr().err
    (tmp_path / "tags.csv").write_text('nowhere.png,"[1]"\n')
    assert run("votes", "--task", sample, "--makesense", f"p1={tmp_path / 'tags.csv'}") == 1
    assert "'nowhere.png'" in capsys.readouterr().err


def test_the_rules_are_judged_on_targets(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Accuracies with the paper's beside them, the figures, and the turns behind them."""
    assert run("rules", "--games", games, *FEW, "--out", tmp_path / "rules") == 0
    assert "94.9" in capsys.readouterr().out
    values = json.loads((tmp_path / "rules" / "results.json").read_text())["values"]
    one, other, both = (values[f"rule_accuracy_{name}"]["value"] for name in ("r1", "r2", "r1_r2"))
    assert both >= max(one, other)
    names = {path.name for path in (tmp_path / "rules").iterdir()}
    assert {f"figure_{number}.svg" for number in range(6, 11)} <= names
    assert run("rules", "--out", tmp_path / "figures") == 0
    assert len(list((tmp_path / "figures").iterdir())) == 5


def test_labels_of_first_turns_and_of_all(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Coverage is printed, the file is the format that is read, and what is not covered is not in it."""
    for which in ("first", "all"):
        out = tmp_path / f"{which}.jsonl"
        assert run("soft-labels", "--games", games, "--turns", which, "--out", out) == 0
        assert "of 48 turns of 48 games are read" in capsys.readouterr().out
        assert "how many are there?" not in {row.question for row in soft_labels.read(out)}
    assert (tmp_path / "first.jsonl").read_bytes() == (tmp_path / "all.jsonl").read_bytes()
    assert run("soft-labels", "--games", games, "--rules", "R4", "--out", tmp_path / "x") == 2
    assert "R4" in capsys.readouterr().err


def test_boxes_that_leave_the_picture_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A box outside is cut at the edge, and a line says how many were."""
    things = (
        Thing("1", "dog", 18, Box(10, 50, 60, 70)),
        Thing("2", "cat", 17, Box(150, 20, 80, 50)),
    )
    played = GuessWhat("1", Scene("1", *SIZE, things), "1")
    events = (Ask("is it on the left?"), Answer("Yes"))
    guesswhat.write(tmp_path / "guesswhat.train.jsonl", [Transcript(played, events, "success")])
    words = ("--games", tmp_path / "guesswhat.train.jsonl", "--out", tmp_path / "labels.jsonl")
    assert run("soft-labels", *words) == 0
    assert "2 boxes left their picture" in capsys.readouterr().out
