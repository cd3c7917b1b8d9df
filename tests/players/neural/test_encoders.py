"""The state of dialogue and image."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch
from torch import Tensor

from referee.games import Box, GuessWhat, Scene, Thing, Transcript
from referee.players.neural import presets
from referee.players.neural.batches import texts
from referee.players.neural.encoders import StateEncoder
from referee.players.neural.examples import Played
from referee.players.neural.guesser import GuesserConfig
from referee.players.neural.images import ImageFeatures, unit_scale

WORDS, IMAGE = 20, 128
TINY = presets.guesser("tiny", "gdse").config


def encoder(config: GuesserConfig) -> StateEncoder:
    torch.manual_seed(0)
    made = StateEncoder(
        WORDS, config.word, config.hidden, IMAGE, config.state, scale=config.image_scale
    )
    return made.eval()


def icons(games: int) -> Tensor:
    """Vectors like those of the icons: nowhere negative, and about 65 long."""
    draws = torch.randn(games, IMAGE, generator=torch.Generator().manual_seed(0))
    return (4.6 + 3.0 * draws).clamp(min=0)


def games(count: int) -> list[Played]:
    """One game about each of so many pictures."""
    found = []
    for place in range(count):
        thing = Thing("1", "dog", 18, Box(0, 0, 10, 10))
        game = GuessWhat(f"g{place}", Scene(str(place), 320, 240, (thing,)), "1")
        found.append(Played(game, Transcript(game, ())))
    return found


def stored(path: Path, vectors: Tensor) -> ImageFeatures:
    """The vectors of those pictures in a file as de Vries et al. have it."""
    with h5py.File(path, "w") as file:
        file["features"] = vectors.numpy()
        file["idx2img"] = np.arange(len(vectors), dtype=np.int32)
    return ImageFeatures(str(path))


def states(config: GuesserConfig, images: Tensor) -> Tensor:
    told = texts([[word % WORDS] for word in range(1, len(images) + 1)], torch.device("cpu"))
    with torch.inference_mode():
        found: Tensor = encoder(config)(told, images)
    return found


def test_the_scale_multiplies_the_image() -> None:
    """Half the scale is half the features."""
    config = replace(TINY, image_scale=0.1)
    seen = icons(4)
    halved = states(replace(config, image_scale=0.05), seen)
    assert torch.allclose(halved, states(config, seen / 2), atol=1e-6)
    assert not torch.allclose(halved, states(config, seen), atol=1e-3)


def test_long_images_drown_the_words_of_a_tiny_guesser_unless_scaled(tmp_path: Path) -> None:
    """Scaled to be one long on average they leave the tanh room for what is said."""
    seen = icons(50)
    images = stored(tmp_path / "features.h5", seen)
    scale = unit_scale(images, games(50))
    assert scale * seen.norm(dim=1).mean().item() == pytest.approx(1, rel=1e-5)
    drowned = states(TINY, seen).abs() > 0.9
    scaled = states(replace(TINY, image_scale=scale), seen).abs() > 0.9
    assert drowned.float().mean() > 0.5
    assert scaled.float().mean() < 0.05


def test_images_of_nothing_but_zeros_stay_as_they_are(tmp_path: Path) -> None:
    """There is no length to divide by."""
    images = stored(tmp_path / "features.h5", torch.zeros(3, IMAGE))
    assert unit_scale(images, games(3)) == 1
