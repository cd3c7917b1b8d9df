"""A small network that sees Iconworld: six convolutions, and at each place two questions about it.

    [n, 3, H, W] in 0..1 -> conv 3x3 to 16, 32, 64 (each halves the picture), 64, 96 (dilated) -> 1x1 to 128
                         -> [n, 128, H/8, W/8]: what is seen at each place, from 63 pixels around it
    category  Linear 128 -> the kinds that training pictures show, and nothing
    colour    Linear 128 -> the colours

The vector of a picture has the largest over all places of these 128 (brought to length 1 at each place), of
the probability of each kind, and of that of each colour where something is: so that of a crop says what it
holds, and that of a whole scene what is somewhere in it, as class scores (fc8) do for photographs. None
of its numbers is over 1, so that words are not drowned by it. Training shows crops, of which the largest of
the 128 must tell kind and colour, and scenes, of which each place must.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Float
from msgspec import Struct
from torch import Tensor, nn
from torch.nn import functional

KIND = "icons"
BLANK = (240, 240, 240)
"""The colour around a crop that is no square."""
STRIDE = 8
"""How many pixels lie between two places."""
_HALVINGS = 3


class IconConfig(Struct, frozen=True):
    """What the network tells apart, and its sizes."""

    categories: tuple[str, ...]
    colours: tuple[str, ...]
    channels: tuple[int, ...] = (16, 32, 64, 64, 96)
    width: int = 128
    """How many numbers say what is at a place."""
    crop: int = 48
    """The side of the square to which crops are brought."""
    whole: tuple[int, int] = (320, 240)
    """Width and height to which whole pictures are brought."""

    @property
    def vector(self) -> int:
        """How long the vector of a picture is."""
        return self.width + len(self.categories) + len(self.colours)


class IconScores(NamedTuple):
    """Scores before the softmax; the last category is nothing."""

    category: Float[Tensor, "*some category"]
    colour: Float[Tensor, "*some colour"]


class IconCNN(nn.Module):
    """Pictures to vectors, and vectors to what they show."""

    def __init__(self, config: IconConfig) -> None:
        super().__init__()
        self.config = config
        layers: list[nn.Module] = []
        before = 3
        for number, channels in enumerate(config.channels):
            stride = 2 if number < _HALVINGS else 1
            dilation = 1 if number <= _HALVINGS else 2
            layers += [nn.Conv2d(before, channels, 3, stride, dilation, dilation), nn.ReLU()]
            before = channels
        self.body = nn.Sequential(*layers, nn.Conv2d(before, config.width, 1), nn.ReLU())
        for layer in self.body:
            if isinstance(layer, nn.Conv2d):
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
                if layer.bias is not None:
                    nn.init.zeros_(layer.bias)
        self.category = nn.Linear(config.width, len(config.categories) + 1)
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
        """What is seen anywhere: the largest over all places of features, of kinds and of colours."""
        places = self.maps(pictures).flatten(2).transpose(1, 2)
        scores = self.scores(places)
        kinds = scores.category.softmax(dim=-1)
        something = 1 - kinds[..., -1:]
        colours = scores.colour.softmax(dim=-1) * something
        looks = functional.normalize(places, dim=-1)
        return torch.cat([looks, kinds[..., :-1], colours], dim=-1).amax(dim=1)

    def scores(self, seen: Float[Tensor, "*some feature"]) -> IconScores:
        """Of which kind and colour a thing is that looks like this."""
        return IconScores(self.category(seen), self.colour(seen))

    def forward(self, crops: Float[Tensor, "picture 3 height width"]) -> IconScores:
        """Of which kind and colour the things in these crops are."""
        return self.scores(self.maps(crops).amax(dim=(2, 3)))

    def everywhere(
        self, scenes: Float[Tensor, "picture 3 height width"]
    ) -> tuple[
        Float[Tensor, "picture category down across"], Float[Tensor, "picture colour down across"]
    ]:
        """Of which kind and colour what stands at each place is."""
        scores = self.scores(self.maps(scenes).permute(0, 2, 3, 1))
        return scores.category.permute(0, 3, 1, 2), scores.colour.permute(0, 3, 1, 2)


def entering(pixels: Tensor) -> Float[Tensor, "picture 3 height width"]:
    """Pictures [n, height, width, 3] of bytes as the network takes them; colours stay side by side."""
    return pixels.permute(0, 3, 1, 2).to(torch.float32) / 255
