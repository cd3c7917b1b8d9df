"""The oracle: answers a question about a thing with yes, no or not applicable (facts 2.2).

    p(answer) = softmax MLP [LSTM(question); category; place; image?; crop?]

De Vries' network and GDSE's differ in the layers of the MLP, in the order of the classes and in how much
of a question they read. The first layer is a sum of a part that sees the question and a part that sees
the thing, so that each is worked out once for each distinct question and each thing, not for each pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import linear

from referee.players.neural.batches import Categories, Texts
from referee.players.neural.classes import AnswerScores, ClassOrder
from referee.players.neural.encoders import TextEncoder
from referee.players.neural.products import product
from referee.players.neural.reading import read
from referee.players.neural.spatial import SIZE
from referee.players.neural.vocabulary import PADDING

_ORDERS = {"devries": ClassOrder.DEVRIES, "gdse": ClassOrder.GDSE}
_UNIFORM = 0.08


@dataclass(frozen=True)
class OracleConfig:
    """De Vries' sizes; GDSE's are `GDSE_ORACLE`."""

    variant: Literal["devries", "gdse"] = "devries"
    """The order of the classes, and how the weights begin."""
    word: int = 300
    hidden: int = 512
    category: int = 512
    """The length of a category's vector; 0 for an oracle that sees no categories."""
    place: bool = True
    layers: tuple[int, ...] = (512,)
    longest: int | None = None
    """The words of a question that are read; all by default."""
    image: int = 0
    """The length of the whole image's features; 0 for none."""
    crop: int = 0
    """The length of the features of the thing cut out; 0 for none."""
    most_category: int = 90

    @property
    def categories(self) -> Categories:
        """The rows of the category table."""
        return Categories(self.most_category)

    @property
    def thing(self) -> int:
        """The length of what is known of a thing."""
        return self.category + SIZE * self.place + self.image + self.crop

    @property
    def order(self) -> ClassOrder:
        """The order of the classes."""
        return _ORDERS[self.variant]


GDSE_ORACLE = OracleConfig("gdse", layers=(1024, 128), longest=15)
"""The oracle of GDSE and of the effectiveness paper."""


@dataclass(frozen=True)
class Things:
    """Things as the oracle takes them; features only where the model reads them."""

    categories: Int[Tensor, " thing"]
    spatial: Float[Tensor, "thing 8"]
    image: Float[Tensor, "thing image"] | None = None
    crop: Float[Tensor, "thing crop"] | None = None

    def to(self, device: torch.device) -> Things:
        """The same on a device."""
        image = None if self.image is None else self.image.to(device)
        crop = None if self.crop is None else self.crop.to(device)
        return Things(self.categories.to(device), self.spatial.to(device), image, crop)


class Oracle(nn.Module):
    """Question encoder, category table and MLP; scores before the softmax, with their class order."""

    def __init__(self, config: OracleConfig, words: int) -> None:
        super().__init__()
        self.config = config
        self.text = TextEncoder(words, config.word, config.hidden)
        self.categories = (
            nn.Embedding(config.categories.rows, config.category, padding_idx=PADDING)
            if config.category
            else None
        )
        widths = (config.hidden + config.thing, *config.layers, len(config.order.value))
        self.layers = nn.ModuleList(nn.Linear(wide, narrow) for wide, narrow in pairwise(widths))
        if config.variant == "devries":
            for module in self.modules():
                if isinstance(module, nn.Embedding):
                    nn.init.uniform_(module.weight, -_UNIFORM, _UNIFORM)

    def forward(self, questions: Texts, things: Things) -> AnswerScores:
        """The scores of each question about the thing in its row."""
        return self.judge(self.read(questions) + self.look(things))

    def read(self, questions: Texts) -> Float[Tensor, "question first"]:
        """What the first layer makes of each question."""
        return linear(self.text(questions), self._of_texts, self._first.bias)

    def read_many(self, questions: Sequence[Sequence[int]]) -> Float[Tensor, "question first"]:
        """The same for many questions at once, without gradients: each beginning is read once."""
        with torch.no_grad():
            return product(read(self.text, questions), self._of_texts, self._first.bias)

    def look(self, things: Things) -> Float[Tensor, "thing first"]:
        """What the first layer makes of each thing."""
        known = self._beside_category(things)
        if self.categories is not None:
            known = torch.cat([self.categories(things.categories), known], dim=1)
        return linear(known, self._of_things)

    def look_many(self, things: Things) -> Float[Tensor, "thing first"]:
        """The same for many things at once, without gradients: each category is looked at once."""
        weight = self._of_things
        with torch.no_grad():
            found = product(self._beside_category(things), weight[:, self.config.category :])
            if self.categories is not None:
                kinds = product(self.categories.weight, weight[:, : self.config.category])
                found += kinds[things.categories]
        return found

    def judge(self, both: Float[Tensor, "pair first"]) -> AnswerScores:
        """The scores of pairs, from the sum of what the first layer made of question and thing."""
        hidden = both
        for layer in self.layers[1:]:
            hidden = layer(torch.relu(hidden))
        return AnswerScores(hidden, self.config.order)

    def _beside_category(self, things: Things) -> Float[Tensor, "thing rest"]:
        place = things.spatial[:, : SIZE * self.config.place]
        return torch.cat([place, *(it for it in (things.image, things.crop) if it is not None)], 1)

    @property
    def first(self) -> int:
        """The width of the first layer."""
        return self._first.out_features

    @property
    def _of_texts(self) -> Float[Tensor, "first hidden"]:
        return self._first.weight[:, : self.config.hidden]

    @property
    def _of_things(self) -> Float[Tensor, "first thing"]:
        return self._first.weight[:, self.config.hidden :]

    @property
    def _first(self) -> nn.Linear:
        first = self.layers[0]
        assert isinstance(first, nn.Linear)  # noqa: S101 (a list of modules forgets their type)
        return first
