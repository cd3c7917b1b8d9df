"""A world of people's games, and attributes planted on its things: each true or not by a lot of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.datasets import compguesswhat, dialogue_states, guesswhat
from referee.datasets.compguesswhat import Attributes, Names
from referee.datasets.iconworld import making
from referee.datasets.iconworld.world import Plan
from referee.evaluations.grounding.references import HUMAN
from referee.games import GuessWhat, Transcript
from referee.metrics.boxes import LOCATIONS

NAMES = Names(
    tuple(f"abstract {place}" for place in range(10)),
    (*(f"situated {place}" for place in range(5)), *LOCATIONS),
)
SHARES = np.where(np.arange(20) % 3 == 0, 0.85, 0.3)
"""How often each attribute is true; what is true of most things is what a guess without a state says."""

Rows = NDArray[np.float32]


@dataclass(frozen=True)
class Planted:
    """The files, and of each won game by split what is true of its target."""

    world: Path
    attributes: Path
    truth: dict[str, tuple[list[str], NDArray[np.uint8]]]

    def write(self, path: Path, columns: NDArray[np.intp], width: int = 24) -> Path:
        """States in which these columns of the truth stand, turned at random, and noise in the rest."""
        draws = np.random.default_rng(5)
        turned = np.linalg.qr(draws.normal(size=(width, width)))[0]
        splits = {}
        for split, (ids, truth) in self.truth.items():
            rows = draws.normal(size=(len(ids), width)).astype(np.float32)
            rows[:, : len(columns)] = 2.0 * truth[:, columns] - 1
            splits[split] = (ids, (rows @ turned).astype(np.float32))
        dialogue_states.write(path, splits)
        return path


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    folder = tmp_path_factory.mktemp("planted")
    world = folder / "world"
    plan = Plan(games=1200, dialogues=0, pools=0, zero_shot=60, seed=3)
    making.make(world, plan, ["guesswhat", "attributes", "zero-shot"])
    attributes = folder / "attributes"
    attributes.mkdir()
    compguesswhat.write_names(attributes, NAMES)
    draws = np.random.default_rng(1)
    truth = {}
    for split in HUMAN:
        truth[split] = _write(world, attributes, split, draws)
    return Planted(world, attributes, truth)


def _write(
    world: Path, attributes: Path, split: str, draws: np.random.Generator
) -> tuple[list[str], NDArray[np.uint8]]:
    """Writes the vectors of a split's pictures, and gives those of the won games' targets."""
    (attributes / split).mkdir()
    rows: dict[tuple[str, str], NDArray[np.uint8]] = {}
    won = list(_won(world / f"guesswhat.{split}.jsonl.gz"))
    for game in {game.image: game for game in won}.values():
        things = tuple(thing.id for thing in game.scene.things)
        drawn = (draws.random((len(things), 20)) < SHARES).astype(np.uint8)
        vectors = Attributes(things, drawn[:, :10], drawn[:, 10:])
        compguesswhat.write_attributes(attributes / split / f"{game.image}.npz", vectors)
        rows |= {(game.image, thing): row for thing, row in zip(things, drawn, strict=True)}
    return [game.id for game in won], np.stack([rows[game.image, game.target] for game in won])


def _won(path: Path) -> list[GuessWhat]:
    return [game for transcript in guesswhat.read(path) if (game := _game(transcript)) is not None]


def _game(transcript: Transcript) -> GuessWhat | None:
    won = transcript.status == "success"
    return transcript.game if won and isinstance(transcript.game, GuessWhat) else None
