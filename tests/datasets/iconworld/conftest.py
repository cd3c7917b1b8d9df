"""Scenes of Iconworld for the tests of what is said about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.datasets.iconworld.making import make
from referee.datasets.iconworld.scenes import Drawn, make_scene
from referee.datasets.iconworld.world import Plan, World
from referee.randomness import key, mix

PLAN = Plan(games=90, scenes=30, zero_shot=5, dialogues=20, pools=2, seed=3)


@pytest.fixture(scope="session")
def drawn_scenes() -> tuple[Drawn, ...]:
    """A hundred scenes, of seen, mixed and unseen kinds."""
    base = key("tests of iconworld")
    domains = ("seen", "near", "out")
    return tuple(
        make_scene(number, mix(base, number), domains[number % 3])  # type: ignore[arg-type]
        for number in range(1, 101)
    )


@pytest.fixture(scope="session")
def world_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small world with everything in it."""
    folder = tmp_path_factory.mktemp("iconworld") / "world"
    make(folder, PLAN)
    return folder


@pytest.fixture(scope="session")
def world() -> World:
    """The same world in memory."""
    return World(PLAN)
