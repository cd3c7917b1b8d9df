"""The guessers: which candidate fits the dialogue (facts 2.3, 2.8).

    p(o) = softmax_o <state(dialogue), ReLU MLP [category; place]>

The state is that of an LSTM over the dialogue (`lstm`, de Vries et al.), or GDSE's, which sees the image
too (`vlstm`; as `gdse` with dropout on the image). `tracking` has its own file.

Parameters with GDSE's vocabulary of 4,901 words: `lstm` 5.03 M, `vlstm` with its decider 10.95 M, as
published (ours have 256 more: a category vector for what COCO does not name).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from referee.players.neural.batches import Categories, Heard, Objects, texts
from referee.players.neural.encoders import (
    SLOTS,
    Decider,
    Mask,
    ObjectEncoder,
    StateEncoder,
    TextEncoder,
    log_probabilities,
    scores,
)

Images = Float[Tensor, "game *image"]
"""A vector for each image, or one for each region of it."""


@dataclass(frozen=True, kw_only=True)
class CandidateConfig:
    """What weighs the candidates is the same for every guesser; GDSE's sizes."""

    state: int = 512
    """The dialogue state and each candidate's vector; without an image it is the LSTM's state."""
    category: int = 256
    object: int = 512
    """The first layer over a candidate."""
    decider: bool = False
    mask: Mask = "paper"
    slots: int = SLOTS
    """The slots for candidates, which matter to the flawed mask alone."""
    most_category: int = 90

    @property
    def categories(self) -> Categories:
        """The rows of the category table."""
        return Categories(self.most_category)


@dataclass(frozen=True, kw_only=True)
class GuesserConfig(CandidateConfig):
    """De Vries' sizes; those of the other encoders are in `GUESSERS`."""

    encoder: Literal["lstm", "vlstm", "gdse", "tracking"] = "lstm"
    word: int = 512
    hidden: int = 512
    """The state of the LSTM."""
    image: int = 0
    """The length of the image's features; 0 for none."""
    dropout: float = 0.0
    image_scale: float = 1.0
    """What the image's features are multiplied by; the preset `tiny` makes them one long on average."""
    end: bool = True
    """Whether <stop_dialogue> ends the text."""
    longest: int | None = None
    """The words of a dialogue that are read, the last ones; all by default."""
    joint: int = 300
    """tracking: where question and candidate meet."""
    mix: float = 0.7
    """tracking: the share of the cross entropy in the loss."""
    rise: float = 1.1
    """tracking: c of the loss -log(p_t - p_(t-1) + c)."""


GUESSERS = {
    "lstm": GuesserConfig(),
    "vlstm": GuesserConfig(
        encoder="vlstm", hidden=1024, image=2048, decider=True, end=False, longest=200
    ),
    "gdse": GuesserConfig(
        encoder="gdse", hidden=1024, image=2048, dropout=0.5, decider=True, end=False, longest=200
    ),
    "tracking": GuesserConfig(encoder="tracking"),
}
"""The published sizes of each encoder."""


class Guesser(nn.Module, ABC):
    """Gives each candidate a log probability, for dialogues of any length (also none)."""

    config: CandidateConfig

    @abstractmethod
    def forward(
        self, dialogues: Sequence[Heard], objects: Objects, images: Images | None = None
    ) -> Float[Tensor, "game object"]:
        """Log probabilities; padding gets -inf."""

    @abstractmethod
    def state(
        self, dialogues: Sequence[Heard], objects: Objects, images: Images | None = None
    ) -> Float[Tensor, "game size"]:
        """What is known after each dialogue, as one vector."""

    def cost(
        self,
        dialogues: Sequence[Heard],
        objects: Objects,
        targets: Int[Tensor, " game"],
        images: Images | None = None,
    ) -> Float[Tensor, " game"]:
        """The cross entropy of each game's target."""
        found: Tensor = self(dialogues, objects, images)
        return -found.gather(1, targets[:, None])[:, 0]


class RecurrentGuesser(Guesser):
    """Reads the dialogue with an LSTM."""

    config: GuesserConfig


class DialogueGuesser(RecurrentGuesser):
    """One LSTM over the whole dialogue; the dot product with each candidate's vector."""

    def __init__(self, config: GuesserConfig, words: int) -> None:
        super().__init__()
        self.config = config
        self.dialogue: TextEncoder | StateEncoder
        if config.image:
            self.dialogue = StateEncoder(
                words,
                config.word,
                config.hidden,
                config.image,
                config.state,
                dropout=config.dropout,
                scale=config.image_scale,
            )
        else:
            # Nothing projects the LSTM's state: it must be as long as a candidate's vector.
            self.dialogue = TextEncoder(words, config.word, config.state)
        self.objects = ObjectEncoder(
            config.categories, config.category, config.object, config.state
        )
        if config.decider:
            self.decider = Decider(config.state)

    def forward(
        self, dialogues: Sequence[Heard], objects: Objects, images: Images | None = None
    ) -> Float[Tensor, "game object"]:
        """Log probabilities; padding gets -inf."""
        logits = scores(self.state(dialogues, objects, images), self.objects(objects))
        return log_probabilities(logits, objects.mask, self.config.mask, self.config.slots)

    def state(
        self, dialogues: Sequence[Heard], objects: Objects, images: Images | None = None
    ) -> Float[Tensor, "game size"]:
        """The dialogue state, which knows nothing of the candidates."""
        config = self.config
        rows = [heard.words(end=config.end, longest=config.longest) for heard in dialogues]
        told = texts(rows, objects.mask.device)
        state: Tensor = self.dialogue(told) if images is None else self.dialogue(told, images)
        return state


def make(config: GuesserConfig, words: int) -> RecurrentGuesser:
    """The guesser of a configuration, with fresh weights."""
    if config.encoder == "tracking":
        from referee.players.neural.tracking import TrackingGuesser

        return TrackingGuesser(config, words)
    return DialogueGuesser(config, words)


def parameters(module: nn.Module) -> int:
    """How many numbers a module learns."""
    return sum(parameter.numel() for parameter in module.parameters() if parameter.requires_grad)


def best(found: Float[Tensor, "game object"]) -> Int[Tensor, " game"]:
    """The likeliest candidate of each game, the first of equals."""
    return torch.argmax(found, dim=1)
