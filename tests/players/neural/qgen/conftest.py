"""A small world in numbers, and networks that have learned nothing but say many things."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest
import torch
from torch import Tensor, nn

from referee.errors import DataError
from referee.games import Box, GuessWhat, Scene, Thing
from referee.players.neural.guesser import Guesser, GuesserConfig, make
from referee.players.neural.oracle import Oracle, OracleConfig
from referee.players.neural.qgen import QGen, QGenConfig
from referee.players.neural.vocabulary import Vocabulary
from referee.randomness import Stream, key

M = TypeVar("M", bound=nn.Module)

SAID = ["is it a dog on the left?", "is it the red cat in front?", "a big bus?"]


class Pictures:
    """Features that follow from the image's id."""

    size = 4

    def of(self, ids: Sequence[str], games: Sequence[str]) -> Tensor:
        """A row for each image but that of the id "lost"."""
        rows = []
        for image, game in zip(ids, games, strict=True):
            if image == "lost":
                raise DataError(f"the game {game} needs features of lost", record=image)
            draw = Stream(key("picture", image))
            rows.append([2 * draw.random() - 1 for _ in range(self.size)])
        return torch.tensor(rows)


class World:
    """Scenes of two to six things, a game about each, and networks that fit them."""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary.counted(SAID, least=1)
        self.pictures = Pictures()
        self.games = [self._game(number) for number in range(40)]

    def _game(self, number: int) -> GuessWhat:
        draw = Stream(key("scene", number))
        things = tuple(
            Thing(
                f"{number}-{place}",
                "thing",
                1 + draw.below(90),
                Box(draw.below(200), draw.below(200), 20 + draw.below(60), 20 + draw.below(60)),
            )
            for place in range(2 + draw.below(5))
        )
        scene = Scene(str(number), 320, 320, things)
        return GuessWhat(f"g{number}", scene, draw.choice(things).id)

    def qgen(self, seed: int = 0, vocabulary: Vocabulary | None = None, baseline: int = 0) -> QGen:
        """A QGen."""
        config = QGenConfig(8, 16, Pictures.size, 4, baseline)
        return _loud(seed, lambda: QGen(config, len(vocabulary or self.vocabulary)))

    def oracle(self, seed: int = 0, vocabulary: Vocabulary | None = None) -> Oracle:
        """An oracle."""
        config = OracleConfig(word=8, hidden=16, category=8, layers=(16,))
        return _loud(seed, lambda: Oracle(config, len(vocabulary or self.vocabulary)))

    def guesser(self, seed: int = 0, vocabulary: Vocabulary | None = None) -> Guesser:
        """A guesser."""
        config = GuesserConfig(word=8, hidden=16, state=16, category=8, object=16)
        return _loud(seed, lambda: make(config, len(vocabulary or self.vocabulary)))


def _loud(seed: int, build: Callable[[], M]) -> M:
    torch.manual_seed(seed)
    model = build()
    with torch.no_grad():
        for weights in model.parameters():
            weights.mul_(3)
    return model


@pytest.fixture(scope="session")
def world() -> World:
    """The world; nothing of it is changed by a test."""
    return World()
