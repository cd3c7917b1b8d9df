"""What is played in training, by GDSE-CL and by REINFORCE: about which images, and who answers.

An epoch has one game about each image of the training games, with a target drawn anew; the best epoch is
chosen by the validation games, as they are, also those that people lost (facts 2.5, 2.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import torch

from referee.datasets import guesswhat as reader
from referee.errors import DataError, UsageError
from referee.games import GuessWhat, Scene
from referee.players import neural
from referee.players.neural import checkpoint, oracle_player
from referee.players.neural.answering import Answering, Answers, AnswersOfPlayer
from referee.players.neural.asking import Remembered
from referee.players.neural.checkpoint import Checkpoint
from referee.players.neural.examples import held_out
from referee.players.neural.images import features
from referee.players.neural.selfplay import Deal
from referee.players.resolve import require, resolve
from referee.randomness import Stream, key

M = TypeVar("M", bound=torch.nn.Module)


@dataclass(frozen=True)
class Stage:
    """What is played about: images to learn from, games to choose the best epoch by."""

    scenes: tuple[Scene, ...]
    valid: tuple[GuessWhat, ...]


def stage(games: Path, valid: Path | None = None, *, most: int | None = None) -> Stage:
    """Each image of the training games once, and all validation games, however people did in them.

    Images with more than `most` objects are left out of the first. Without a file of validation games,
    they are those about the images that are held out.
    """
    found = list(reader.games(games))
    if valid is not None:
        judged = list(reader.games(valid))
    else:
        judged = [game for game in found if held_out(game.scene.id)]
        found = [game for game in found if not held_out(game.scene.id)]
    kept = [game.scene for game in found if most is None or len(game.scene.things) <= most]
    scenes = {scene.id: scene for scene in kept if scene.things}
    for part, file in ((scenes, games), (judged, valid or games)):
        if not part:
            raise DataError("too few games to play", file=file, expected="games with objects")
    return Stage(tuple(scenes.values()), tuple(judged))


@dataclass(frozen=True)
class Gameplay:
    """The games that are played in training: about what, who answers, and what targets follow from."""

    stage: Stage
    oracle: Answering
    seed: int = 0

    def deal(self, place: int, epoch: int) -> Deal:
        """An image's game in an epoch."""
        scene = self.stage.scenes[place]
        drawn = key(self.seed, epoch, scene.id)
        return Deal(GuessWhat(scene.id, scene, Stream(drawn).choice(scene.things).id), drawn)

    def judged(self, place: int) -> Deal:
        """A validation game, the same in every epoch."""
        game = self.stage.valid[place]
        return Deal(game, key(self.seed, game.id))

    def move(self, device: torch.device) -> None:
        """A trained oracle goes where the models are."""
        if isinstance(self.oracle, Answers):
            self.oracle.model.to(device)


def answers(found: Checkpoint, files: str | None) -> Answers:
    """A frozen oracle; one that reads whole images reads those of the questioner."""
    model = oracle_player.load(found)
    if model.config.crop:
        raise UsageError(
            f"{found.folder}: an oracle that reads crops is named as a player: "
            f"neural:{found.folder}?crops=F"
        )
    images = features(files, model.config.image, str(found.folder), "--features")
    seen = None if images is None else Remembered(images)
    return Answers(frozen(model), found.vocabulary, seen)


def oracle(name: str, files: str | None) -> tuple[Answering, dict[str, str]]:
    """Who answers, the oracle of a folder, or of a name that ships, or else any player; and its version."""
    rest = name.removeprefix(neural.PREFIX)
    if rest in neural.shipped() or Path(rest).is_dir():
        found = checkpoint.load(neural.folder(rest)).require("oracle")
        return answers(found, files), {"oracle": name, "oracle_digest": found.version}
    player = require(resolve(name), "oracle", ["answer"])
    told = {"oracle": player.name, "oracle_digest": player.version}
    return AnswersOfPlayer(player.who, player.name), told


def frozen(module: M) -> M:
    """The module, which learns nothing any more."""
    return module.requires_grad_(requires_grad=False)
