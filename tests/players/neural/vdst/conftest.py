"""A toy world in regions: the kinds of thing there are decide what people ask, one Yes decides the game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from referee.datasets.features import write_devries
from referee.games import Answer, Ask, Box, Event, GuessWhat, Scene, Thing, Transcript
from referee.players.neural.checkpoint import described
from referee.players.neural.examples import Examples, Played, fresh
from referee.players.neural.guesser import GuesserConfig, make
from referee.players.neural.guesser_learning import GuesserTask
from referee.players.neural.state import State
from referee.players.neural.training import Plan, Run, train
from referee.players.neural.vdst import VDST, VDSTConfig
from referee.players.neural.vdst_learning import Restarts, VDSTTask
from referee.players.neural.vdst_regions import RegionFeatures
from referee.players.neural.vocabulary import Vocabulary
from referee.randomness import Stream, key

KINDS = {"dog": 18, "cat": 17, "bus": 6, "cup": 47, "kite": 38}
REGIONS = 4
"""Three things and a region that shows none."""


@dataclass(frozen=True)
class Toys:
    """Games, their words, a file of what their regions show, and a guesser that knows their world."""

    data: Examples
    vocabulary: Vocabulary
    features: str
    guesser: Path

    @property
    def regions(self) -> RegionFeatures:
        """The regions."""
        return RegionFeatures(self.features)


def scene(number: int) -> Scene:
    """Three things of different kinds."""
    kinds = sorted(Stream(key("toy", number)).sample(list(KINDS), 3))
    things = tuple(
        Thing(f"{number}{place}", kind, KINDS[kind], Box(100.0 * place, 50, 80, 80))
        for place, kind in enumerate(kinds)
    )
    return Scene(str(number), 320, 240, things)


def played(number: int) -> Played:
    """Asks for each kind that there is, in the order of the alphabet, and makes sure of an early Yes."""
    seen = scene(number)
    target = Stream(key("target", number)).below(3)
    events: list[Event] = []
    for place, thing in enumerate(seen.things[: target + 1]):
        events += [Ask(f"is it a {thing.category} ?"), Answer("Yes" if place == target else "No")]
    if target == 0:
        events += [Ask(f"a {seen.things[0].category} , right ?"), Answer("Yes")]
    game = GuessWhat(f"g{number}", seen, seen.things[target].id)
    return Played(game, Transcript(game, tuple(events), "success"))


def shown(one: Played) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """What each region shows: a thing's kind, the things in any order."""
    rows = np.zeros((REGIONS, len(KINDS)), np.float32)
    order = Stream(key("regions", one.game.id)).sample(list(range(REGIONS)), 3)
    for place, thing in zip(order, one.game.scene.things, strict=True):
        rows[place, list(KINDS).index(thing.category)] = 3
    return rows


@pytest.fixture(scope="session")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Toys:
    """160 games to learn from, 40 to be judged by."""
    games = tuple(map(played, range(1, 201)))
    folder = tmp_path_factory.mktemp("vdst-toys")
    path = folder / "regions.h5"
    ids = [int(one.game.scene.id) for one in games]
    write_devries(path, ids, np.stack([shown(one) for one in games]))
    data = Examples(games[:160], games[160:], {"games": "toys"})
    words = data.vocabulary()
    config = GuesserConfig(word=8, hidden=24, state=24, category=8, object=24)
    guesser = fresh(1, lambda: make(config, len(words)))
    run = Run(folder / "guesser", described("guesser", config, words), device="cpu")
    plan = Plan(epochs=8, batch=16, rate=0.02, seed=1)
    train(GuesserTask(guesser, words, data), plan, run)
    return Toys(data, words, str(path), run.out)


@pytest.fixture(scope="session")
def small() -> VDSTConfig:
    """Sizes that learn the toys in seconds."""
    return VDSTConfig(REGIONS, len(KINDS), word=16, hidden=32, visual=24, joint=24)


@dataclass(frozen=True)
class Trained:
    """A VDST that knows the toys: its folder, and how its training went."""

    folder: Path
    state: State


@pytest.fixture(scope="session")
def trained(toys: Toys, small: VDSTConfig, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """Trained once for all tests."""
    out = tmp_path_factory.mktemp("vdst") / "model"
    made = fresh(2, lambda: VDST(small, len(toys.vocabulary)))
    task = VDSTTask(made, toys.vocabulary, toys.data, toys.regions, Restarts(first=14))
    plan = Plan(epochs=14, batch=16, rate=0.02, clip=5.0, seed=1)
    told = described("vdst", small, toys.vocabulary)
    return Trained(out, train(task, plan, Run(out, told, device="cpu")))
