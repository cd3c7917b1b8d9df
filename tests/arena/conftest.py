"""Small worlds to play in."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.datasets.guesswhat import write
from referee.datasets.iconworld.scenes import make_scene
from referee.games import GuessWhat, GuessWhich, Round, Scene, Transcript, VisDial
from referee.randomness import Stream, key

SEATS = {
    "questioner": "scripted:people",
    "oracle": "scripted:noisy-oracle",
    "guesser": "scripted:bayes-guesser",
}


def drawn(number: int) -> Scene:
    """A scene whose numbers are as a file gives them back."""
    scene = make_scene(number, key("scene", number)).scene
    return replace(scene, width=float(scene.width), height=float(scene.height))


@pytest.fixture(scope="session")
def games() -> list[GuessWhat]:
    """Sixty games of GuessWhat?!."""
    scenes = [drawn(number) for number in range(60)]
    return [
        GuessWhat(scene.id, scene, Stream(key("target", scene.id)).choice(scene.things).id)
        for scene in scenes
    ]


@pytest.fixture(scope="session")
def pools(games: list[GuessWhat]) -> list[GuessWhich]:
    """Six pools of ten pictures, the target last, as in the published pools."""
    scenes = [game.scene for game in games]
    return [
        GuessWhich(f"pool {start}", tuple(scenes[start : start + 10]), scenes[start + 9].id)
        for start in range(0, 60, 10)
    ]


@pytest.fixture(scope="session")
def dialogues(games: list[GuessWhat]) -> list[VisDial]:
    """Twenty dialogues of two rounds with three options."""
    rounds = (
        Round("how many things are there", "9", ("9", "none", "a lot"), 0),
        Round("is there a dog", "no", ("yes", "no", "maybe"), 1),
    )
    return [VisDial(game.id, game.scene, "some things", rounds) for game in games[:20]]


@pytest.fixture(scope="session")
def file(games: list[GuessWhat], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sixty games as a file of the old release."""
    path = tmp_path_factory.mktemp("world") / "games.jsonl.gz"
    write(path, map(Transcript, games))
    return path


@pytest.fixture
def seats() -> dict[str, str | object]:
    """Scripted players in GuessWhat?!'s seats."""
    return dict(SEATS)
