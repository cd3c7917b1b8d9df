"""`referee features extract` and `referee train icons`, as a user calls them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from referee.cli import main

pytest.importorskip("torch")

from referee.datasets import features, guesswhat
from referee.datasets.features_writing import region_paths

Capture = pytest.CaptureFixture[str]
Extract = Callable[..., int]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world, and a network of icons that was trained for a moment."""
    folder = tmp_path_factory.mktemp("features") / "world"
    parts = [word for part in ("guesswhat", "coco", "pictures") for word in ("--part", part)]
    few = ["--games", "30", "--dialogues", "0", "--pools", "0", "--zero-shot", "0"]
    assert main(["data", "make", "iconworld", "--out", str(folder), *few, *parts]) == 0
    training = ["--scenes", "8", "--epochs", "1", "--device", "cpu"]
    assert main(["train", "icons", "--out", str(folder / "icons"), *training]) == 0
    return folder


@pytest.fixture
def extract(world: Path, tmp_path: Path) -> Extract:
    """Extracts from the world's pictures to a file of this name."""

    def call(out: str, *words: object, images: Path | None = None, model: str = "") -> int:
        command = ["features", "extract", "--images", str(images or world / "images")]
        named = ["--model", model or str(world / "icons"), "--out", str(tmp_path / out)]
        return main([*command, *named, "--device", "cpu", *map(str, words)])

    return call


def test_training_says_what_the_network_sees(tmp_path: Path, world: Path, capsys: Capture) -> None:
    """From a world too; and the next command."""
    words = ["--out", str(tmp_path / "m"), "--world", str(world), "--epochs", "1"]
    assert main(["train", "icons", *words, "--device", "cpu"]) == 0
    told = capsys.readouterr().out
    assert "next: referee features extract --images" in told
    assert "things of scenes held out: kind" in told
    assert "things of unseen kinds: colour" in told
    assert main(["train", "icons", *words, "--scenes", "9"]) == 2


def test_whole_pictures(extract: Extract, tmp_path: Path, world: Path, capsys: Capture) -> None:
    """Every image of the games has its row; the file is one that `data check` knows."""
    assert extract("icons.h5") == 0
    assert "rows of 202 numbers from" in capsys.readouterr().out
    found = features.open_devries(tmp_path / "icons.h5")
    for split in ("train", "valid", "test"):
        games = guesswhat.games(world / f"guesswhat.{split}.jsonl.gz")
        assert all(game.scene.id in found for game in games)
    assert main(["data", "check", str(tmp_path / "icons.h5")]) == 0


def test_objects_regions_and_splits(extract: Extract, tmp_path: Path, world: Path) -> None:
    train = world / "guesswhat.train.jsonl.gz"
    assert extract("crops.h5", "--boxes", train) == 0
    assert extract("regions.npy", "--boxes", train, "--grid", "6x6") == 0
    coco = world / "annotations/instances_train.json"
    assert extract("vdst.npy", "--boxes", coco, "--grid", "4x3", "--layout", "vdst") == 0
    splits = [
        f"--games={split}={world / f'guesswhat.{split}.jsonl.gz'}" for split in ("train", "test")
    ]
    assert extract("gdse.h5", *splits, "--layout", "gdse") == 0
    assert extract("targets.h5", "--games", train, "--layout", "targets") == 0
    (game, *_) = guesswhat.games(train)
    regions = features.open_regions(
        tmp_path / "regions.npy", *region_paths(tmp_path / "regions.npy")
    )
    crops = features.open_devries(tmp_path / "crops.h5").of([it.id for it in game.scene.things])
    shown = regions.of([game.scene.id]).features[0]
    assert np.allclose(shown[: len(crops)], crops[:36], atol=1e-5)
    (targets,) = features.open_layout(tmp_path / "targets.h5")
    assert np.allclose(targets.of([game.id])[0], crops[game.target_index], atol=1e-5)
    assert [len(each) > 0 for each in features.open_layout(tmp_path / "gdse.h5")] == [True, True]


def test_features_serve_a_guesser(
    extract: Extract, tmp_path: Path, world: Path, capsys: Capture
) -> None:
    """GDSE's file is read by name in training; without features the command to make them is named."""
    games = {split: world / f"guesswhat.{split}.jsonl.gz" for split in ("train", "valid")}
    splits = [f"--games={split}={path}" for split, path in games.items()]
    assert extract("gdse.h5", *splits, "--layout", "gdse") == 0
    words = ["train", "guesser", "--encoder", "gdse", "--games", str(games["train"])]
    words += ["--valid", str(games["valid"]), "--epochs", "1", "--device", "cpu"]
    out = str(tmp_path / "m")
    assert main([*words, "--features", str(tmp_path / "gdse.h5"), "--out", out]) == 0
    assert main([*words, "--out", str(tmp_path / "n")]) == 2
    assert "'referee features extract' makes it" in capsys.readouterr().err


def test_missing_and_broken_pictures(
    extract: Extract, tmp_path: Path, world: Path, capsys: Capture
) -> None:
    """They are named; with --skip-broken the others are done, and it is said how many are not."""
    images = tmp_path / "images"
    images.mkdir()
    paths = sorted((world / "images").iterdir())
    for path in paths[1:]:
        (images / path.name).write_bytes(path.read_bytes())
    (images / paths[1].name).write_bytes(paths[1].read_bytes()[:300])
    games = [
        word
        for split in ("train", "valid", "test")
        for word in ("--games", f"{world}/guesswhat.{split}.jsonl.gz")
    ]
    assert extract("f.h5", *games, images=images) == 1
    assert f"{paths[0].name}: there is no such picture" in capsys.readouterr().err
    (images / paths[0].name).write_bytes(paths[0].read_bytes())
    assert extract("f.h5", *games, images=images) == 1
    told = capsys.readouterr().err
    assert paths[1].name in told
    assert "--skip-broken leaves it out" in told
    assert extract("f.h5", *games, "--skip-broken", images=images) == 0
    assert "1 picture is left out" in capsys.readouterr().err
    assert len(features.open_devries(tmp_path / "f.h5")) == len(paths) - 1


def test_boxes_of_pictures_that_are_absent(
    extract: Extract, world: Path, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "few").mkdir()
    (path, *_) = sorted((world / "images").iterdir())
    (tmp_path / "few" / path.name).write_bytes(path.read_bytes())
    boxes = world / "annotations/instances_train.json"
    assert extract("f.h5", "--boxes", boxes, images=tmp_path / "few") == 1
    assert "pictures are missing or broken" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--grid", "6by6"], 2, "is an .npy file, not"),
        (["--layout", "targets"], 2, "needs --games"),
        (["--boxes", "absent.jsonl"], 1, "no such file"),
        (["--model", "vgg16"], 2, "there is no vision model 'vgg16'"),
        (["--model", "hf:./absent"], 1, "there is no such folder"),
    ],
)
def test_calls_that_make_no_sense(
    extract: Extract, capsys: Capture, words: list[str], code: int, said: str
) -> None:
    capsys.readouterr()
    assert extract("f.h5", *words) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_a_folder_without_pictures_and_a_file_that_is_there(
    extract: Extract, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "empty").mkdir()
    assert extract("f.h5", images=tmp_path / "empty") == 1
    assert "holds no pictures" in capsys.readouterr().err
    (tmp_path / "f.h5").touch()
    assert extract("f.h5") == 2
    assert "nothing is overwritten" in capsys.readouterr().err
