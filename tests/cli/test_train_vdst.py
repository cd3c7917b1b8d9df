"""`referee train vdst`, as a user calls it, and what was trained as a player by its folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("lightning_fabric")

from referee.cli import main
from referee.datasets import guesswhat
from referee.datasets.features_writing import info, info_path
from referee.games import GuessWhat, Scene
from referee.players.neural import checkpoint, spatial
from referee.players.recorded import transcripts

REGIONS = 12


@dataclass(frozen=True)
class World:
    """Games, the regions of their pictures, and a guesser."""

    games: Path
    valid: Path
    features: Path
    guesser: Path


def regions(scene: Scene) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """What each thing is, in numbers that follow from its category, and where; then nothing."""
    rows = np.zeros((REGIONS, 16 + spatial.SIZE), np.float32)
    things = scene.things[:REGIONS]
    for row, thing in zip(rows, things, strict=False):
        row[:16] = np.random.default_rng(thing.category_id).normal(size=16)
    boxes = [thing.box for thing in things]
    rows[: len(things), 16:] = spatial.spatial(boxes, scene.width, scene.height)
    return rows


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A small Iconworld without pictures, whose regions are told by hand."""
    folder = tmp_path_factory.mktemp("train-vdst")
    making = ["data", "make", "iconworld", "--out", str(folder / "world"), "--games", "150"]
    assert main([*making, "--no-pictures", "--part", "guesswhat"]) == 0
    games, valid = (
        folder / "world" / f"guesswhat.{split}.jsonl.gz" for split in ("train", "valid")
    )
    scenes = {
        game.scene.id: game.scene for path in (games, valid) for game in guesswhat.games(path)
    }
    features = folder / "regions.npy"
    np.save(features, np.stack([regions(scene) for scene in scenes.values()]))
    sizes = [(int(scene.width), int(scene.height)) for scene in scenes.values()]
    info_path(features).write_text(json.dumps(info(list(scenes), sizes)))
    guesser = folder / "guesser"
    training = ["train", "guesser", "--games", str(games), "--valid", str(valid)]
    assert main([*training, "--device", "cpu", "--epochs", "1", "--out", str(guesser)]) == 0
    return World(games, valid, features, guesser)


def train(world: World, out: Path, *options: str) -> int:
    given = ["--games", str(world.games), "--valid", str(world.valid), "--device", "cpu"]
    given += ["--features", str(world.features), "--out", str(out)]
    return main(["train", "vdst", *given, *options])


def test_it_trains_says_how_it_went_and_plays(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "vdst"
    assert train(world, out, "--epochs", "2") == 0
    said = capsys.readouterr()
    assert "epoch 2: loss" in said.err
    assert f"model: {out}" in said.out
    assert "referee play guesswhat" in said.out
    found = checkpoint.load(out).require("vdst")
    assert found.description.config["regions"] == REGIONS
    assert found.description.config["region"] == 16 + spatial.SIZE
    training = found.description.training
    assert training["features_digest"]
    assert training["restarts"]["first"] >= 1
    player = f"neural:{out}?features={world.features}&guesser={world.guesser}"
    seats = ["--player", player, "--oracle", "scripted:perfect-oracle", "--max-turns", "3"]
    run = tmp_path / "run"
    playing = ["play", "guesswhat", "--games", str(world.valid), *seats, "--out", str(run)]
    assert main(playing) == 0
    for told in transcripts(run):
        assert len(told.turns) == 3
        assert isinstance(told.game, GuessWhat)
        assert told.guess in {thing.id for thing in told.game.scene.things}


def test_a_stopped_run_goes_on_to_the_same_weights(world: World, tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    assert train(world, whole, "--epochs", "2") == 0
    assert train(world, stopped, "--epochs", "1") == 0
    assert train(world, stopped, "--epochs", "2") != 0  # nothing is overwritten
    assert train(world, stopped, "--epochs", "2", "--resume") == 0
    assert checkpoint.load(whole).version == checkpoint.load(stopped).version


def test_it_goes_on_by_what_it_wins(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the guesser that the supervised one takes along, which then plays along, too."""
    taught, out = tmp_path / "sl", tmp_path / "rl"
    assert train(world, taught, "--epochs", "1", "--guesser", str(world.guesser)) == 0
    more = ["--mode", "rl", "--from", str(taught), "--oracle", "scripted:perfect-oracle"]
    more += ["--questions", "2", "--reward", "success,effective:0.1", "--epochs", "1"]
    assert train(world, out, *more) == 0
    assert "success" in capsys.readouterr().out
    told = checkpoint.load(out).require("vdst").description
    assert told.config["baseline"] == told.training["policy"]["baseline"] > 0
    assert told.training["policy"]["questions"] == 2
    assert told.training["from"] == str(taught)
    player = f"neural:{out}?features={world.features}"
    seats = ["--player", player, "--oracle", "scripted:perfect-oracle", "--max-turns", "2"]
    playing = ["play", "guesswhat", "--games", str(world.valid), *seats]
    assert main([*playing, "--out", str(tmp_path / "run")]) == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--mode", "rl"), "--mode rl goes on from a trained model: give --from and --oracle"),
        (("--reward", "success"), "--reward belongs to --mode rl"),
        (("--questions", "3"), "--questions belongs to --mode rl"),
    ],
)
def test_options_of_the_other_mode_are_refused(
    world: World,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    said: str,
) -> None:
    assert train(world, tmp_path / "vdst", *options) == 2
    assert said in capsys.readouterr().err


def test_without_a_guesser_nothing_can_be_won(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taught = tmp_path / "sl"
    assert train(world, taught, "--epochs", "1") == 0
    more = ["--mode", "rl", "--from", str(taught), "--oracle", "scripted:perfect-oracle"]
    assert train(world, tmp_path / "rl", *more) == 2
    assert "takes no guesser along: give --guesser" in capsys.readouterr().err


def test_a_model_of_another_kind_is_no_beginning(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--mode", "rl", "--from", str(world.guesser), "--oracle", "scripted:perfect-oracle"]
    assert train(world, tmp_path / "rl", *more) == 1
    said = capsys.readouterr().err
    assert f"{world.guesser}/model.json" in said
    assert "is a guesser (expected vdst)" in said


def test_without_regions_it_says_so(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--games", str(world.games), "--out", str(tmp_path / "vdst")]
    assert main(["train", "vdst", *given]) == 2
    assert "VDST sees regions of the image: give --features F" in capsys.readouterr().err


def test_regions_of_too_few_pictures_name_the_game(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = tmp_path / "few.npy"
    np.save(few, np.zeros((1, REGIONS, 5), np.float32))
    info_path(few).write_text(json.dumps(info(["nowhere"], [(4, 4)])))
    broken = World(world.games, world.valid, few, world.guesser)
    assert train(broken, tmp_path / "vdst", "--epochs", "1") == 1
    said = capsys.readouterr().err
    assert "the game" in said
    assert "needs the regions of" in said
    assert str(few) in said
