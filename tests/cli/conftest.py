"""What the training commands' tests share: a small world with features, and models that know little."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from referee.cli import main
from referee.datasets import features, guesswhat
from referee.datasets.iconworld import making
from referee.datasets.iconworld.world import Plan
from referee.games import Scene

SPLITS = ("train", "valid", "test")


def make_world(folder: Path, games: int, seed: int = 1) -> Path:
    """A world's GuessWhat?! games, and features that count what is in each picture."""
    pytest.importorskip("torch")
    plan = Plan(games=games, dialogues=0, pools=0, zero_shot=0, seed=seed)
    making.make(folder, plan, ["guesswhat"])
    scenes: dict[str, Scene] = {
        game.scene.id: game.scene
        for split in SPLITS
        for game in guesswhat.games(folder / f"guesswhat.{split}.jsonl.gz")
    }
    rows = np.zeros((len(scenes), 91), np.float32)
    for row, scene in zip(rows, scenes.values(), strict=True):
        for thing in scene.things:
            row[thing.category_id] += 1
    features.write_devries(folder / "features.h5", [int(number) for number in scenes], rows)
    return folder


@dataclass(frozen=True)
class Trainable:
    """The files to learn from, and where the models are."""

    world: Path
    models: Path

    @property
    def games(self) -> list[str]:
        """Training and validation games."""
        return [
            "--games",
            str(self.world / "guesswhat.train.jsonl.gz"),
            "--valid",
            str(self.world / "guesswhat.valid.jsonl.gz"),
        ]

    @property
    def features(self) -> str:
        """The features of all its images."""
        return str(self.world / "features.h5")

    def command(self, kind: str, *more: object) -> list[str]:
        """What trains a kind of model; `{m}` and `{f}` in it are the models and the features."""
        words = [word.format(m=self.models, f=self.features) for word in KINDS[kind]]
        return ["train", *words, *self.games, "--device", "cpu", *map(str, more)]


KINDS: dict[str, tuple[str, ...]] = {
    "oracle": ("oracle",),
    "oracle-gdse": ("oracle", "--variant", "gdse"),
    "oracle-image": ("oracle", "--features", "{f}"),
    "guesser": ("guesser",),
    "guesser-vlstm": ("guesser", "--encoder", "vlstm", "--features", "{f}"),
    "guesser-gdse": ("guesser", "--encoder", "gdse", "--features", "{f}"),
    "guesser-tracking": ("guesser", "--encoder", "tracking"),
    "qgen": ("qgen", "--features", "{f}", "--guesser", "{m}/guesser"),
    "gdse-sl": ("gdse", "--features", "{f}"),
    "gdse-cl": (
        *("gdse", "--mode", "cl", "--features", "{f}", "--from", "{m}/gdse-sl"),
        *("--oracle", "{m}/oracle", "--questions", "3"),
    ),
    "rl": (
        *("rl", "--features", "{f}", "--questioner", "{m}/qgen", "--oracle", "{m}/oracle"),
        *("--reward", "success,effective:0.1,referring:0.1", "--questions", "3"),
    ),
}
"""Every model and way to train it, as the command's own words."""

BASES = ("oracle", "guesser", "qgen", "gdse-sl")
"""Those that the others go on from."""


@pytest.fixture(scope="session")
def trainable(tmp_path_factory: pytest.TempPathFactory) -> Trainable:
    """A world of 150 games, and the models that others go on from, after two epochs each."""
    folder = tmp_path_factory.mktemp("trainable")
    found = Trainable(make_world(folder / "world", 150), folder / "models")
    for kind in BASES:
        out = str(found.models / kind)
        assert main([*found.command(kind, "--epochs", 2, "--out", out)]) == 0
    return found
