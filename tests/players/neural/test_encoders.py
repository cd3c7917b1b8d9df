"""The state of dialogue and image."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from referee.players.neural import presets
from referee.players.neural.batches import texts
from referee.players.neural.encoders import StateEncoder
from referee.players.neural.guesser import GuesserConfig

WORDS, IMAGE = 20, 128


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


def states(config: GuesserConfig, images: Tensor) -> Tensor:
    told = texts([[word % WORDS] for word in range(1, len(images) + 1)], torch.device("cpu"))
    with torch.inference_mode():
        found: Tensor = encoder(config)(told, images)
    return found


def test_the_scale_multiplies_the_image() -> None:
    """Half the scale is half the features."""
    config = presets.guesser("tiny", "gdse").config
    seen = icons(4)
    halved = states(replace(config, image_scale=config.image_scale / 2), seen)
    assert torch.allclose(halved, states(config, seen / 2), atol=1e-6)
    assert not torch.allclose(halved, states(config, seen), atol=1e-3)


@pytest.mark.parametrize("tiny", ["gdse", "vlstm"])
def test_icons_do_not_drown_the_words_of_a_tiny_guesser(tiny: str) -> None:
    """The tanh has room for what is said; as published, without a scale, it has none."""
    config = presets.guesser("tiny", tiny).config  # type: ignore[arg-type]
    full = states(config, icons(50)).abs() > 0.9
    drowned = states(replace(config, image_scale=1.0), icons(50)).abs() > 0.9
    assert full.float().mean() < 0.05
    assert drowned.float().mean() > 0.5


def test_published_sizes_take_the_image_as_it_is() -> None:
    """The papers scale nothing."""
    assert presets.guesser("paper", "gdse").config.image_scale == 1.0
    assert presets.gdse("paper").config.guesser.image_scale == 1.0
