"""What the training commands refuse: each time in one line, which names the file, the game or the turn."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee.cli import main

pytest.importorskip("torch")

import torch

from referee.datasets import features
from referee.players.neural import checkpoint

if TYPE_CHECKING:
    from tests.cli.conftest import Trainable

Capture = pytest.CaptureFixture[str]
Refused = Callable[[list[str], int], str]
BAD_DATA, NO_SENSE = 1, 2
NOTE = re.compile(r"referee: (reading|epoch \d+:|\d+ (games|images) to) ")
"""What a command says before anything goes wrong."""


@pytest.fixture
def refused(capsys: Capture) -> Callable[[list[str], int], str]:
    """Calls a command that must fail with this exit code; its complaint, which must be one line."""

    def call(words: list[str], code: int) -> str:
        capsys.readouterr()
        assert main(words) == code, capsys.readouterr().err
        *before, complaint = capsys.readouterr().err.splitlines()
        assert all(NOTE.match(line) for line in before)
        assert not NOTE.match(complaint)
        return complaint

    return call


def replaced(words: list[str], option: str, value: object) -> list[str]:
    """A command with another value of an option."""
    found = list(words)
    found[found.index(option) + 1] = str(value)
    return found


@pytest.mark.parametrize(
    ("kind", "option", "other", "expected"),
    [
        ("rl", "--questioner", "guesser", "qgen"),
        ("rl", "--oracle", "qgen", "oracle"),
        ("qgen", "--guesser", "oracle", "guesser"),
        ("gdse-cl", "--from", "qgen", "gdse"),
        ("gdse-cl", "--oracle", "guesser", "oracle"),
    ],
)
def test_a_checkpoint_of_another_model(
    trainable: Trainable,
    tmp_path: Path,
    refused: Refused,
    kind: str,
    option: str,
    other: str,
    expected: str,
) -> None:
    """The line names the file, what it is, and what it should be."""
    folder = trainable.models / other
    words = replaced(trainable.command(kind, "--out", tmp_path / "out"), option, folder)
    complaint = refused(words, BAD_DATA)
    assert f"{folder}/model.json, field kind: is a {other} (expected {expected})" in complaint
    assert not (tmp_path / "out").exists()


def test_a_guesser_that_is_none(trainable: Trainable, tmp_path: Path, refused: Refused) -> None:
    words = [
        *trainable.command("rl", "--out", tmp_path / "out"),
        "--guesser",
        trainable.models / "oracle",
    ]
    assert "is a oracle (expected guesser)" in refused(list(map(str, words)), BAD_DATA)


def test_weights_of_another_vocabulary(
    trainable: Trainable, tmp_path: Path, refused: Refused
) -> None:
    """A description with fewer words than the weights know names the array that does not fit."""
    folder = tmp_path / "qgen"
    shutil.copytree(trainable.models / "qgen", folder)
    file = folder / "model.json"
    described = json.loads(file.read_text("utf-8"))
    size = len(described["words"])
    described["words"] = described["words"][:-1]
    file.write_text(json.dumps(described), "utf-8")
    words = replaced(trainable.command("rl", "--out", tmp_path / "out"), "--questioner", folder)
    complaint = refused(words, BAD_DATA)
    assert "model.safetensors, field words.weight: has the shape" in complaint
    assert f"[{size}, 32] (expected [{size - 1}, 32]" in complaint


def test_a_run_is_not_resumed_with_another_vocabulary(
    trainable: Trainable, tmp_path: Path, refused: Refused
) -> None:
    words = trainable.command("oracle", "--epochs", 1, "--out", tmp_path / "out")
    assert main(words) == 0
    marks = ["<padding>", "<start>", "<stop>", "<stop_dialogue>", "<unk>", "<yes>", "<no>", "<n/a>"]
    file = tmp_path / "dict.json"
    numbers = {word: number for number, word in enumerate([*marks, "is", "it", "?"])}
    file.write_text(json.dumps({"word2i": numbers}), "utf-8")
    complaint = refused([*words, "--resume", "--vocabulary", str(file)], BAD_DATA)
    assert "state.safetensors: belongs to a run with other settings or other data" in complaint


@pytest.mark.parametrize(
    "kind", ["oracle-image", "guesser-vlstm", "guesser-gdse", "qgen", "gdse-sl", "gdse-cl", "rl"]
)
def test_an_image_without_features_is_named_with_a_game(
    trainable: Trainable, tmp_path: Path, refused: Refused, kind: str
) -> None:
    """Also where it is a game that the network plays itself."""
    file = tmp_path / "few.h5"
    few(trainable, file)
    words = trainable.command(kind, "--out", tmp_path / "out", "--epochs", 1)
    words = replaced(words, "--features", file)
    complaint = refused(words, BAD_DATA)
    assert "needs features of" in complaint
    assert str(file) in complaint
    assert "the game " in complaint


def few(world: Trainable, path: Path) -> None:
    """Features of the first three images of the world only, of the right length."""
    import h5py
    import numpy as np

    with h5py.File(world.features) as stored:
        ids, size = stored["idx2img"][:3].tolist(), stored["features"].shape[1]
    features.write_devries(path, ids, np.ones((3, size), np.float32))


@pytest.mark.parametrize("kind", ["guesser-vlstm", "qgen", "gdse-sl", "rl"])
def test_a_model_that_sees_needs_features(
    trainable: Trainable, tmp_path: Path, refused: Refused, kind: str
) -> None:
    words = trainable.command(kind, "--out", tmp_path / "out")
    place = words.index("--features")
    assert "give --features F" in refused(words[:place] + words[place + 2 :], NO_SENSE)


def test_features_of_another_length(trainable: Trainable, tmp_path: Path, refused: Refused) -> None:
    import numpy as np

    file = tmp_path / "long.h5"
    features.write_devries(file, [1, 2], np.ones((2, 7), np.float32))
    words = replaced(trainable.command("rl", "--out", tmp_path / "out"), "--features", file)
    complaint = refused(words, BAD_DATA)
    assert f"{file}: has vectors of 7 numbers (expected 91, as " in complaint


@pytest.mark.parametrize(
    ("model", "words"),
    [("qgen", "the next word"), ("oracle", "the oracle"), ("guesser", "guesser")],
)
def test_scores_that_are_no_numbers_name_game_and_turn(
    trainable: Trainable, tmp_path: Path, refused: Refused, model: str, words: str
) -> None:
    """Weights so large that their products are infinite; NaN in a file is refused when it is read."""
    folder = tmp_path / model
    shutil.copytree(trainable.models / model, folder)
    file = folder / "model.safetensors"
    weights = checkpoint.load_tensors(file)
    checkpoint.save_tensors(
        file, {name: it / it.abs().max() * 1e38 for name, it in weights.items()}
    )
    option = {"qgen": "--questioner", "oracle": "--oracle"}.get(model)
    called = trainable.command("rl", "--out", tmp_path / "out", "--epochs", 1)
    called = replaced(called, option, folder) if option else [*called, "--guesser", str(folder)]
    complaint = refused(called, NO_SENSE)
    assert words in complaint
    assert "no numbers" in complaint
    assert complaint.startswith("referee: game ")
    assert ", turn " in complaint
    spoiled = next(iter(weights))
    weights[spoiled][0] = torch.nan
    checkpoint.save_tensors(file, weights)
    complaint = refused(called, BAD_DATA)
    assert f"{file}, field {spoiled}: holds NaN or infinity" in complaint


def spoilt(world: Trainable, path: Path, change: Callable[[dict[str, Any]], None]) -> set[str]:
    """The training games with those about one image spoilt; how they may be called.

    By the line, the image (where a game about it is played anew) or the game.
    """
    with gzip.open(world.world / "guesswhat.train.jsonl.gz", "rt", encoding="utf-8") as stream:
        games = [json.loads(line) for line in stream]
    image = next(game for game in games if game["status"] == "success")["image"]["id"]
    wrong = [game for game in games if game["image"]["id"] == image]
    for game in wrong:
        change(game)
    path.write_text("".join(json.dumps(game) + "\n" for game in games), "utf-8")
    line = str(games.index(wrong[0]) + 1)
    return {line, str(image), *(str(game["id"]) for game in wrong)}


def _unknown(game: dict[str, Any]) -> None:
    for thing in game["objects"]:
        thing["category_id"] = 999


def _boxless(game: dict[str, Any]) -> None:
    del game["objects"][0]["bbox"]


def _maybe(game: dict[str, Any]) -> None:
    game["qas"][0]["answer"] = "Maybe"


@pytest.mark.parametrize("kind", ["oracle", "guesser", "guesser-tracking", "qgen", "gdse-sl", "rl"])
@pytest.mark.parametrize(
    ("change", "field"),
    [(_unknown, "category_id"), (_boxless, "bbox"), (_maybe, "answer")],
    ids=["unknown category", "no box", "no answer"],
)
def test_a_game_that_cannot_be_learned_from_is_named(
    trainable: Trainable,
    tmp_path: Path,
    refused: Refused,
    kind: str,
    change: Callable[[dict[str, Any]], None],
    field: str,
) -> None:
    """An object of a category that the table does not have, or without a box; an answer that is none."""
    file = tmp_path / "games.jsonl"
    names = spoilt(trainable, file, change)
    words = trainable.command(kind, "--out", tmp_path / "out", "--epochs", 1)
    words = replaced(words, "--games", file)
    if (kind, field) in {("rl", "answer"), ("qgen", "category_id")}:
        pytest.skip("it does not look there")
    complaint = refused(words, BAD_DATA)
    assert any(f"record {name}" in complaint for name in names)
    assert re.search(rf"field \S*\b{field}:", complaint)


@pytest.mark.parametrize(
    ("kind", "more", "said"),
    [
        ("rl", ["--reward", "victory"], "there is no reward 'victory'"),
        ("rl", ["--oracle", "nobody"], "nobody"),
        ("rl", ["--questioner", "nobody"], "neural:nobody: no such player, and no such folder"),
        ("oracle", ["--rate", "0"], "teaches nothing"),
        ("oracle", ["--epochs", "0"], "--epochs"),
        ("guesser", ["--encoder", "bert"], "--encoder"),
        ("guesser", ["--loss", "increase"], "the tracking guesser's"),
        ("gdse-sl", ["--from", "x"], "--from belongs to --mode cl"),
        ("gdse-cl", ["--mask", "code"], "--mask is settled by the model of --from"),
        ("qgen", ["--guesser", "nobody"], "neural:nobody: no such player, and no such folder"),
    ],
)
def test_options_that_make_no_sense(
    trainable: Trainable, tmp_path: Path, refused: Refused, kind: str, more: list[str], said: str
) -> None:
    assert said in refused([*trainable.command(kind, "--out", tmp_path / "out"), *more], NO_SENSE)


@pytest.mark.parametrize("device", ["meta", "abacus"])
def test_a_device_that_is_not_here_is_refused(
    trainable: Trainable, tmp_path: Path, refused: Refused, device: str
) -> None:
    """In training and in play; every machine lacks these two."""
    out = ["--out", str(tmp_path / "out")]
    said = f"there is no device '{device}' here"
    assert said in refused(trainable.command("oracle", *out, "--device", device), NO_SENSE)
    oracle = f"neural:{trainable.models / 'oracle'}?device={device}"
    games = ["--games", str(trainable.world / "guesswhat.valid.jsonl.gz")]
    words = ["play", "guesswhat", *games, "--player", "scripted:people", "--oracle", oracle, *out]
    assert said in refused(words, NO_SENSE)


def test_a_questioner_without_a_guesser_needs_one(
    trainable: Trainable, tmp_path: Path, refused: Refused
) -> None:
    words = trainable.command("qgen", "--epochs", 1, "--out", tmp_path / "qgen")
    place = words.index("--guesser")
    assert main(words[:place] + words[place + 2 :]) == 0
    learning = trainable.command("rl", "--out", tmp_path / "rl")
    complaint = refused(replaced(learning, "--questioner", tmp_path / "qgen"), NO_SENSE)
    assert "takes no guesser along: give --guesser" in complaint
