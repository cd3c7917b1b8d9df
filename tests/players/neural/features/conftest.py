"""A world of few scenes, and a network of icons that has learned nothing but is there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.datasets.iconworld import making, world
from referee.players.neural import checkpoint
from referee.players.neural.examples import fresh
from referee.players.neural.features import Extractor, open_extractor
from referee.players.neural.icon_cnn import IconCNN
from referee.players.neural.icon_training import config, description


@dataclass(frozen=True)
class Seen:
    """A world's folder, and a model to see it with."""

    world: Path
    icons: Path

    @property
    def images(self) -> Path:
        """The pictures."""
        return self.world / "images"

    @property
    def games(self) -> Path:
        """The training games."""
        return self.world / "guesswhat.train.jsonl.gz"

    @property
    def model(self) -> Extractor:
        """The network."""
        return open_extractor(str(self.icons), "cpu")


@pytest.fixture(scope="session")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """36 games, their pictures, and weights as they are drawn."""
    folder = tmp_path_factory.mktemp("seen")
    plan = world.Plan(games=36, scenes=24, zero_shot=0, dialogues=0, pools=0)
    making.make(folder / "world", plan, parts=("guesswhat", "pictures", "coco"))
    net = fresh(0, lambda: IconCNN(config()))
    checkpoint.save(folder / "icons", net, description(config(), {}))
    return Seen(folder / "world", folder / "icons")
