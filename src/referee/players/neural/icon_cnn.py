"""A small network that sees Iconworld: five convolutions, one vector, two questions about it.

    [n, 3, H, W] in 0..1 -> conv 3x3 to 16, 32, 64, 128 (the first three halve the picture), 1x1 to 128
                         -> [n, 128, H/8, W/8] -> the largest of each of the 128 over all places: the vector
    category  Linear 128 -> the kinds that training pictures show
    colour    Linear 128 -> the colours

The vector of a crop says what the crop holds. Since it is a maximum over places, the vector of a whole
scene says what is somewhere in it; training shows crops and scenes, and asks of a scene which kinds
and colours are among its things.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Float
from msgspec import Struct
from torch import Tensor, nn

KIND = "icons"
BLANK = (240, 240, 240)
"""The colour around a crop that is no square."""


class IconConfig(Struct, frozen=True):
    """What the network tells apart, and its sizes."""

    categories: tuple[str, ...]
    colours: tuple[str, ...]
    channels: tuple[int, ...] = (16, 32, 64, 128)
    width: int = 128
    crop: int = 48
    """The side of the square to which crops are brought."""
    whole: tuple[int, int] = (320, 240)
    """Width and height to which whole pictures are brought."""


class IconScores(NamedTuple):
    """Scores before the softmax (of a crop) or the sigmoid (of a scene)."""

    category: Float[Tensor, "picture category"]
    colour: Float[Tensor, "picture colour"]


class IconCNN(nn.Module):
    """Pictures to vectors, and vectors to what they show."""

    def __init__(self, config: IconConfig) -> None:
        super().__init__()
        self.config = config
        layers: list[nn.Module] = []
        before = 3
        for number, channels in enumerate(config.channels):
            stride = 2 if number < 3 else 1  # noqa: PLR2004 (three halvings)
            layers += [nn.Conv2d(before, channels, 3, stride, 1), nn.ReLU()]
            before = channels
        self.body = nn.Sequential(*layers, nn.Conv2d(before, config.width, 1), nn.ReLU())
        for layer in self.body:
            if isinstance(layer, nn.Conv2d):
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
                if layer.bias is not None:
                    nn.init.zeros_(layer.bias)
        self.category = nn.Linear(config.width, len(config.categories))
        self.colour = nn.Linear(config.width, len(config.colours))
        # pictures come with their colours side by side; weights that lie so too take a third off the time
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def maps(
        self, pictures: Float[Tensor, "picture 3 height width"]
    ) -> Float[Tensor, "picture feature down across"]:
        """What is seen at each place."""
        seen: Tensor = self.body(pictures - 0.5)
        return seen

    def vectors(
        self, pictures: Float[Tensor, "picture 3 height width"]
    ) -> Float[Tensor, "picture feature"]:
        """What is seen anywhere."""
        return self.maps(pictures).amax(dim=(2, 3))

    def scores(self, vectors: Float[Tensor, "picture feature"]) -> IconScores:
        """Of which kind and colour a thing with this vector is."""
        return IconScores(self.category(vectors), self.colour(vectors))

    def forward(self, pictures: Float[Tensor, "picture 3 height width"]) -> IconScores:
        """Of which kind and colour the things in these pictures are."""
        return self.scores(self.vectors(pictures))


def entering(pixels: Tensor) -> Float[Tensor, "picture 3 height width"]:
    """Pictures [n, height, width, 3] of bytes as the network takes them; colours stay side by side."""
    return pixels.permute(0, 3, 1, 2).to(torch.float32) / 255
