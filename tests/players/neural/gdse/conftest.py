"""A toy world: which kinds of thing there are decides what people ask, and one Yes decides the game."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from referee.datasets.features import write_devries
from referee.games import Answer, Ask, Box, Event, GuessWhat, Scene, Thing, Transcript
from referee.players.neural.examples import Examples, Played
from referee.players.neural.gdse import GDSE_GUESSER, GDSEConfig
from referee.players.neural.images import ImageFeatures
from referee.players.neural.vocabulary import Vocabulary
from referee.randomness import Stream, key

KINDS = {"dog": 18, "cat": 17, "bus": 6, "cup": 47, "kite": 38}


@dataclass(frozen=True)
class Toys:
    """Games, their words, and a file of features that say what is in each picture."""

    data: Examples
    vocabulary: Vocabulary
    features: str

    @property
    def images(self) -> ImageFeatures:
        """The features."""
        return ImageFeatures(self.features)


def scene(number: int) -> Scene:
    """Three things of different kinds."""
    kinds = sorted(Stream(key("toy", number)).sample(list(KINDS), 3))
    things = tuple(
        Thing(f"{number}{place}", kind, KINDS[kind], Box(100.0 * place, 50, 80, 80))
        for place, kind in enumerate(kinds)
    )
    return Scene(str(number), 320, 240, things)


def played(number: int) -> Played:
    """Asks for each kind that there is, in the order of the alphabet, until the answer is Yes."""
    seen = scene(number)
    target = Stream(key("target", number)).below(3)
    events: list[Event] = []
    for place, thing in enumerate(seen.things[: target + 1]):
        events += [Ask(f"is it a {thing.category} ?"), Answer("Yes" if place == target else "No")]
    game = GuessWhat(f"g{number}", seen, seen.things[target].id)
    return Played(game, Transcript(game, tuple(events), "success"))


@pytest.fixture(scope="session")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Toys:
    """160 games to learn from, 40 to be judged by."""
    games = tuple(map(played, range(1, 201)))
    path = tmp_path_factory.mktemp("toys") / "features.h5"
    rows = np.zeros((len(games), len(KINDS)), np.float32)
    for row, one in zip(rows, games, strict=True):
        row[[list(KINDS).index(thing.category) for thing in one.game.scene.things]] = 1
    write_devries(path, [int(one.game.scene.id) for one in games], rows)
    data = Examples(games[:160], games[160:], {"games": "toys"})
    return Toys(data, data.vocabulary(), str(path))


@pytest.fixture(scope="session")
def small() -> GDSEConfig:
    """Sizes that learn the toys in seconds."""
    guesser = replace(
        GDSE_GUESSER, word=16, hidden=32, state=32, category=16, object=32, image=len(KINDS)
    )
    return GDSEConfig(replace(guesser, dropout=0.0), word=16, visual=16)
