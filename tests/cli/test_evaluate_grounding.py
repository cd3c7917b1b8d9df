"""`referee evaluate grounding` and `referee export grolla`, from the files that there are to scores."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.cli import main
from referee.datasets import compguesswhat, guesswhat
from referee.evaluations import store
from referee.evaluations.grounding.measuring import COLUMNS
from referee.players.recorded import digest
from referee.report import published

ORACLE = "scripted:perfect-oracle"
PLAYER = "scripted:people"
GUESSER = "scripted:selective-guesser"
PROBE = ("--probe", "watch=loss", "--beyond", "none")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("grounding") / "world"
    parts = [word for part in ("guesswhat", "attributes", "zero-shot") for word in ("--part", part)]
    words = ["--games", "450", "--seed", "2", *parts]
    assert main(["data", "make", "iconworld", "--out", str(folder), *words]) == 0
    return folder


@pytest.fixture(scope="module")
def files(world: Path) -> list[str]:
    """The three folders, as the command names them."""
    return [
        *("--games", str(world), "--attributes", str(world / "attributes")),
        *("--zero-shot", str(world / "compguesswhat-zero_shot")),
    ]


@pytest.fixture(scope="module")
def states(world: Path) -> str:
    """States that show what is true of the target, a file a game."""
    folder = world.parent / "states"
    names = compguesswhat.read_names(world / "attributes")
    for split in ("train", "valid", "test"):
        (folder / split).mkdir(parents=True)
        for transcript in guesswhat.read(world / f"guesswhat.{split}.jsonl.gz"):
            if transcript.status != "success":
                continue
            game: Any = transcript.game
            vectors = compguesswhat.read_attributes(
                world / "attributes" / split / f"{game.image}.npz", names
            )
            state = 4.0 * np.concatenate(vectors.of(game.target)) - 2
            compguesswhat.write_state(folder / split / f"{game.id}.npy", state.astype(np.float32))
    return str(folder)


@pytest.fixture(scope="module")
def judged(world: Path, files: list[str], states: str) -> Path:
    """What the whole command wrote of a player and states from elsewhere."""
    out = world.parent / "judged"
    seats = ["--player", PLAYER, "--guesser", GUESSER, "--oracle", ORACLE]
    assert main([*COMMAND, *seats, *files, "--states", states, *PROBE, "--out", str(out)]) == 0
    return out


COMMAND = ("evaluate", "grounding")


def results(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*COMMAND, *words, "--json"]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], code: int, *words: str) -> str:
    capsys.readouterr()
    assert main([*COMMAND, *words]) == code
    return capsys.readouterr().err


def test_the_whole_is_played_probed_and_scored(judged: Path) -> None:
    """GROLLA is the mean of three, each with its interval; the games count once for image and target."""
    values = store.read(judged).result.values
    seven = [values[name] for name in COLUMNS]
    numbers = [value.value for value in seven if value.value is not None]
    score = (numbers[0] + sum(numbers[1:5]) / 4 + sum(numbers[5:]) / 2) / 3
    assert values["grolla"].value == pytest.approx(score)
    for value in (*seven, values["grolla"]):
        assert value.ci_low is not None
        assert value.ci_high is not None
        assert value.value is not None
        assert value.ci_low <= value.value <= value.ci_high
    assert values["f1_abstract"].value > 90  # type: ignore[operator]
    for domain in ("near", "out"):
        split = [values[f"zero_shot_{domain}_{split}"] for split in ("valid", "test")]
        assert sum(value.n for value in split) == values[f"zero_shot_{domain}"].n
        for name in ("lexical_diversity", "question_diversity", "repeated_games", "location_turns"):
            assert values[f"{name}_{domain}"].value is not None


def test_the_tables_of_the_paper_stand_beside(judged: Path) -> None:
    """Tables 1, 5, 7 and 8 with every row that the paper has, Random's included."""
    text = (judged / "table.md").read_text("utf-8")
    for number in ("1", "5", "7", "8"):
        assert f"this run beside grounding, Table {number}**" in text
    rows = {number.row for number in published.numbers("grounding") if number.table in "1578"}
    assert "Random" in rows
    assert all(f"| {row} |" in text for row in rows)


def test_attributes_are_listed_one_by_one(judged: Path) -> None:
    text = (judged / "attributes.md").read_text("utf-8")
    assert "| center |" in text
    assert "attributes by what they are about" in text
    assert (judged / "attributes.svg").read_text("utf-8").startswith("<?xml")


def test_a_run_is_judged_as_the_games_are_when_they_are_played_here(
    world: Path, files: list[str], judged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = ["--questioner", PLAYER, "--oracle", ORACLE, "--guesser", GUESSER, "--max-turns", "8"]
    run = str(world.parent / "run")
    games = str(world / "guesswhat.test.jsonl.gz")
    assert main(["play", "guesswhat", "--games", games, *seats, "--out", run]) == 0
    found = results(capsys, "--transcripts", run, *files, "--only", "gameplay")
    here = store.read(judged).result.values["gameplay"]
    assert found["values"]["gameplay"]["value"] == pytest.approx(here.value)
    assert found["values"]["gameplay"]["n"] == here.n


def test_who_played_and_how_is_recorded(judged: Path, tmp_path: Path) -> None:
    """With states from elsewhere too; and a submission made of it says whose it is."""
    options = store.read(judged).result.options
    assert options["player"] == PLAYER
    assert options["played_by"] == f"questioner {PLAYER}, oracle {ORACLE}, guesser {GUESSER}"
    assert (options["max_turns"], options["play_seed"]) == (8, 0)
    classifier = str(options["classifier"])
    assert classifier.startswith("learning_rate=0.001,")
    assert ",epochs=50,patience=5,watch=loss,stop_at=0.75,report_at=0.5," in classifier
    path = tmp_path / "mine.jsonl"
    assert main(["export", "grolla", "--transcripts", str(judged), "--out", str(path)]) == 0
    assert json.loads(path.read_text("utf-8").partition("\n")[0])["player"] == PLAYER


def test_quality_is_null_of_what_was_never_asked_and_absent_where_nothing_was_played(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(
        "class Silent:\n    def ask(self, views):\n        return [None for _ in views]\n"
        "class Short:\n    def ask(self, views):\n"
        "        return [None if view.turns else 'is it red?' for view in views]\n"
    )
    seats = ["--guesser", "scripted:random-guesser", "--oracle", ORACLE, "--only", "dialogue"]
    short, silent = (
        results(capsys, "--player", f"{tmp_path / 'mine.py'}:{name}", *seats, *files)["values"]
        for name in ("Short", "Silent")
    )
    for domain in ("near", "out"):
        name = f"shift_super_to_object_or_attribute_{domain}"
        assert (short[name]["value"], short[name]["n"]) == (None, 0)
        assert short[f"question_diversity_{domain}"]["value"] is not None
        assert name not in silent


def test_each_image_and_target_counts_once(
    world: Path, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two games about one target the first counts."""
    path = world / "guesswhat.test.jsonl.gz"
    first: dict[tuple[str, str], bool] = {}
    for transcript in guesswhat.read(path):
        game: Any = transcript.game
        first.setdefault((game.image, game.target), transcript.status == "success")
    twice = ["--transcripts", str(path), "--transcripts", str(path)]
    found = results(capsys, *twice, *files, "--only", "gameplay")
    value = found["values"]["gameplay"]
    assert value["n"] == len(first)
    assert value["value"] == pytest.approx(100 * sum(first.values()) / len(first))


def test_a_submission_is_scored_as_what_it_was_made_of(
    files: list[str], judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.jsonl.gz"
    assert main(["export", "grolla", "--transcripts", str(judged), "--out", str(path)]) == 0
    assert "the attributes of" in capsys.readouterr().out
    assert main(["data", "check", str(path)]) == 0
    assert "grolla-submission" in capsys.readouterr().out
    found = results(capsys, "--transcripts", str(path), *files)["values"]
    before = store.read(judged).result.values
    for name in (*COLUMNS, "grolla", "recall_location", "lexical_diversity_out"):
        assert found[name]["value"] == pytest.approx(before[name].value), name


def test_what_a_submission_leaves_out_is_not_won(
    files: list[str], judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who sends only the games that were won has not won more; a prediction of no game is counted."""
    path, part = tmp_path / "mine.jsonl", tmp_path / "part.jsonl"
    assert main(["export", "grolla", "--transcripts", str(judged), "--out", str(path)]) == 0
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    won = [line for line in lines if line["kind"] != "game" or line["guess"] == line["target"]]
    won[-1]["game"] = "nobody's"
    part.write_text("".join(json.dumps(line) + "\n" for line in won), "utf-8")
    found = results(capsys, "--transcripts", str(part), *files)
    before = store.read(judged).result.values
    for name in ("gameplay", "zero_shot_near", "zero_shot_out_test"):
        value = found["values"][name]
        assert (value["value"], value["n"]) == (pytest.approx(before[name].value), before[name].n)
    notes = "\n".join(found["notes"])
    assert "reference games of test are not in the submission: not won" in notes
    mine = [line for line in won if line.get("part") != "nd_valid"]
    part.with_name("test.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in mine), "utf-8"
    )
    near = results(capsys, "--transcripts", str(part.with_name("test.jsonl")), *files)["values"]
    assert near["zero_shot_near_valid"]["value"] == 0
    assert near["zero_shot_near"]["n"] == before["zero_shot_near"].n
    assert "1 games with predictions are none that people won in test (such as nobody's)" in notes


def test_a_run_is_exported_as_the_games_of_its_parts(
    world: Path, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = ["--questioner", PLAYER, "--oracle", ORACLE, "--guesser", GUESSER]
    zero = next((world / "compguesswhat-zero_shot").rglob("*od_test*"))
    run, path = str(tmp_path / "run"), str(tmp_path / "mine.jsonl")
    assert main(["play", "guesswhat", "--games", str(zero), *seats, "--out", run]) == 0
    assert (
        main(["export", "grolla", "--transcripts", run, "--out", path, *files[:2], *files[4:]]) == 0
    )
    assert re.search(r"[0-9]+ games of od_test and", capsys.readouterr().out)
    assert main(["export", "grolla", "--transcripts", run, "--out", f"{path}.2"]) == 2
    assert "name the games" in capsys.readouterr().err
    assert main(["export", "grolla", "--transcripts", f"{run}s", "--out", f"{path}.2"]) == 1
    assert "there is no such file" in capsys.readouterr().err


def test_who_shows_no_state_is_asked(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """f1 and grolla are null, with the reason; what was elicited stands apart."""
    player = ["--player", GUESSER, "--only", "attributes"]
    silent = results(capsys, *player, *files)
    assert silent["values"]["f1_abstract"]["value"] is None
    assert any("shows no state" in note and "--elicit" in note for note in silent["notes"])
    asked = results(capsys, *player, *files, "--elicit", "6")
    for task in ("abstract", "situated", "abstract_situated", "location"):
        assert asked["values"][f"f1_{task}"]["value"] is None
        # Half of what is asked is true: who always says yes reaches 67, who knows nothing less.
        assert asked["values"][f"elicited_f1_{task}"]["value"] > 40
    assert asked["values"]["elicited_f1_location"]["value"] > 60
    whole = results(capsys, "--player", PLAYER, "--guesser", GUESSER, "--oracle", ORACLE, *files)
    assert whole["values"]["grolla"]["value"] is None
    assert whole["values"]["gameplay"]["value"] is not None


def test_who_answers_and_guesses_is_asked_about_what_it_points_at(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who is right about every thing and points at the target has nothing wrong but what it cannot parse."""
    (tmp_path / "mine.py").write_text(
        "from referee.players.scripted.oracles import PerfectOracle\n"
        "from referee.players.scripted.guessers import BayesGuesser\n"
        "class Both:\n"
        "    def __init__(self):\n"
        "        self.answer = PerfectOracle().answer\n"
        "        self.believe = BayesGuesser().believe\n"
    )
    player = f"{tmp_path / 'mine.py'}:Both"
    found = results(capsys, "--player", player, "--only", "attributes", "--elicit", "8", *files)
    assert found["values"]["elicited_precision_situated"]["value"] > 60
    silent = ["--player", PLAYER, "--only", "attributes", "--elicit", "8", *files]
    assert "it has no elicit()" in refused(capsys, 2, *silent)
    # before the states are looked at, and classifiers trained
    lacking = str(tmp_path / "lacking.h5")
    (tmp_path / "lacking.h5").write_bytes(b"none")
    assert "it has no elicit()" in refused(capsys, 2, *silent, "--states", lacking)


def test_two_results_are_compared(
    files: list[str], judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever played and whatever the states are; the rest must be alike."""
    out = str(tmp_path / "other")
    seats = ["--player", PLAYER, "--guesser", f"{GUESSER}?hears=categories", "--oracle", ORACLE]
    assert main([*COMMAND, *seats, *files, "--states", "random", *PROBE, "--out", out]) == 0
    capsys.readouterr()
    assert main(["compare", str(judged), out, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["differences"]
    assert found["zero_shot_out"]["difference"] > 10
    assert found["f1_abstract"]["difference"] > 10
    assert found["zero_shot_out"]["p_permutation"] < 0.05


def test_who_trains_no_classifier_is_compared_however_others_are_trained(
    files: list[str], judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A submission says nothing of classifiers; of two that were trained, both in one way."""
    sent, out = str(tmp_path / "mine.jsonl"), tmp_path / "sent"
    assert main(["export", "grolla", "--transcripts", str(judged), "--out", sent]) == 0
    assert main([*COMMAND, "--transcripts", sent, *files, "--out", str(out)]) == 0
    options = store.read(out).result.options
    assert (options["probe"], options["beyond"]) == (None, "none")
    assert options["states"] == f"mine.jsonl {digest(Path(sent))}"
    capsys.readouterr()
    assert main(["compare", str(judged), str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["differences"]
    assert found["f1_situated"]["difference"] == pytest.approx(0)
    other = str(tmp_path / "other")
    words = ["--only", "attributes", "--states", "glove", "--probe", "watch=loss,epochs=2"]
    assert main([*COMMAND, *words, *files, "--beyond", "none", "--out", other]) == 0
    assert main(["compare", str(judged), other]) == 2
    assert "different ways" in (said := capsys.readouterr().err)
    assert "probe (watch=loss and watch=loss,epochs=2)" in said


def test_the_data_of_attributes_alone_are_known_by_their_hash(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody plays, but the dialogues of people and the attributes of their targets are judged."""

    def data(games: Path) -> str:
        words = ["--games", str(games), "--attributes", str(world / "attributes")]
        found = results(capsys, "--states", "random", "--only", "attributes", *words)
        return str(found["options"]["data"])

    other = tmp_path / "world"
    other.mkdir()
    for path in world.glob("guesswhat.*.jsonl.gz"):
        lines = gzip.decompress(path.read_bytes()).decode()
        lines = lines.replace('"question":"', '"question":"so ')
        (other / path.name).write_bytes(gzip.compress(lines.encode()))
    of_nothing = f"sha256:{hashlib.sha256().hexdigest()[:16]}"
    assert len({data(world), data(world), data(other), of_nothing}) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--columns", "1,2,3"], "expected seven percentages"),
        (["--columns", "1,2,3,4,5,6,x"], "could not convert"),
        ([], "name --player, --transcripts or --states"),
        (["--player", PLAYER], "attributes need --games and --attributes"),
        (["--player", PLAYER, "--only", "zero-shot", "--games", "here"], "dialogue --zero-shot"),
        (["--states", "here"], "nothing to judge"),
        (["--transcripts", "here", "--oracle", ORACLE], "--oracle would play"),
        (["--player", PLAYER, "--only", "grammar"], "only must be one of gameplay, attributes"),
        (["--player", PLAYER, "--beyond", "more"], "beyond must be one of control, mdl, curve"),
        (["--player", PLAYER, "--elicit", "1"], "at least 2"),
        (["--player", PLAYER, "--missing", "mean"], "missing must be one of zero, error"),
        (["--player", PLAYER, "--probe", "speed=3"], "expected name=value, of learning_rate"),
        (["--player", PLAYER, "--probe", "batch=many"], "expected a number like 512"),
        (["--player", PLAYER, "--probe", "watch=me"], "watch must be f1 or loss"),
    ],
)
def test_what_makes_no_sense_is_said(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, 2, *words)


def test_attributes_need_the_dialogues_that_they_are_about(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--states", "random", *files[2:4], "--only", "attributes"]
    assert "name these (--games)" in refused(capsys, 2, *words)


def test_states_of_another_width_are_said_with_their_game(
    files: list[str], states: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "states"
    shutil.copytree(states, folder)
    path = sorted((folder / "train").glob("*.npy"))[3]
    compguesswhat.write_state(path, np.zeros(3))
    said = refused(capsys, 1, "--states", str(folder), *files, "--only", "attributes")
    assert f"game {path.stem} (train)" in said
    assert "has 3 numbers" in said
    assert "all must come from one layer of one model" in said


def test_a_missing_state_is_zeros_and_counted_or_an_error(
    files: list[str], states: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "states"
    shutil.copytree(states, folder)
    for path in sorted((folder / "test").glob("*.npy"))[:3]:
        path.unlink()
    words = ["--states", str(folder), *files, "--only", "attributes", *PROBE]
    whole = results(capsys, *(states if word == str(folder) else word for word in words))
    found = results(capsys, *words)
    assert found["options"]["states"] == whole["options"]["states"]
    assert found["options"]["states_data"] != whole["options"]["states_data"]
    assert found["options"]["missing_states"] == 3
    assert "games without a state, which got zeros: 3 of test" in found["notes"]
    said = refused(capsys, 1, *words, "--missing", "error")
    assert "has no state" in said
    assert "--missing zero puts zeros in their place" in said


def test_a_bad_reference_game_is_said_or_left_out_and_noted_once(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether the games are played here or were played before."""
    played, games = world / "guesswhat.test.jsonl.gz", tmp_path / "guesswhat.test.jsonl"
    lines = gzip.decompress(played.read_bytes()).decode().splitlines()
    games.write_text("\n".join([*lines[:9], "{", ""]))
    words = ["--games", str(games), "--only", "gameplay"]
    seats = ["--player", PLAYER, "--guesser", GUESSER, "--oracle", ORACLE]
    for source in (["--transcripts", str(played)], seats):
        assert "record 10: not valid JSON" in refused(capsys, 1, *words, *source)
        notes = results(capsys, *words, *source, "--skip-bad")["notes"]
        assert sum("1 bad record was left out" in note for note in notes) == 1


def test_attributes_that_lack_a_target_are_said_or_left_out(
    world: Path, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "attributes"
    shutil.copytree(world / "attributes", folder)
    game: Any = next(
        each.game
        for each in guesswhat.read(world / "guesswhat.test.jsonl.gz")
        if each.status == "success"
    )
    path = folder / "test" / f"{game.image}.npz"
    held = compguesswhat.read_attributes(path)
    ids = tuple("9" * 9 if i == game.target else i for i in held.objects)
    path.unlink()
    compguesswhat.write_attributes(
        path, compguesswhat.Attributes(ids, held.abstract, held.situated)
    )
    words = ["--states", "random", *files[:2], "--attributes", str(folder), "--only", "attributes"]
    said = refused(capsys, 1, *words)
    assert f"has no attributes of {game.target}" in said
    assert "--skip-bad" in said
    found = results(capsys, *words, "--skip-bad")
    assert any("left out" in note for note in found["notes"])
    path.unlink()
    notes = results(capsys, *words)["notes"]
    assert any("games of pictures without attributes, left out: " in note for note in notes)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--states", "nowhere"], "a folder of <game id>.npy, an HDF5 file, glove"),
        (["--attributes", "nowhere", "--states", "random"], "there is no such folder"),
        (["--zero-shot", "{empty}", "--states", "random"], "holds no zero-shot games"),
        (["--games", "{empty}", "--states", "random"], "there is no test split"),
        (["--states", "{empty}"], "holds no state of any of the"),
    ],
)
def test_files_that_are_not_there_are_said(
    files: list[str],
    words: list[str],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    changed = [word.format(empty=tmp_path) for word in words]
    assert said in refused(capsys, 1, *files, *changed)
