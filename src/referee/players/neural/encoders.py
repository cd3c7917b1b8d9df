"""What oracle, guessers and questioners share: reading a text, looking at the candidates, choosing one."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from referee.players.neural.batches import Categories, Objects, Texts
from referee.players.neural.spatial import SIZE
from referee.players.neural.vocabulary import PADDING

Mask = Literal["paper", "code"]
"""How padded slots are left out of a softmax: as they should be, or as GDSE's code does it."""

SLOTS = 20
"""The slots that GDSE's code has for candidates; the flawed mask knows how many of them are empty."""


class TextEncoder(nn.Module):
    """Word vectors and one LSTM over them; a text is the state after its last word.

    The LSTM begins by forgetting little (a bias of 1, as TensorFlow's cells have it and PyTorch's have not),
    since what was asked first is forty words back.
    """

    def __init__(self, words: int, word: int, hidden: int) -> None:
        super().__init__()
        self.words = nn.Embedding(words, word, padding_idx=PADDING)
        self.lstm = nn.LSTM(word, hidden, batch_first=True)
        with torch.no_grad():
            self.lstm.get_parameter("bias_hh_l0")[hidden : 2 * hidden] = 1

    def forward(self, texts: Texts) -> Float[Tensor, "text hidden"]:
        """The state after the last word of each text."""
        return last_state(self.lstm, self.words(texts.tokens), texts.lengths)


def last_state(
    lstm: nn.LSTM, inputs: Float[Tensor, "text time input"], lengths: Int[Tensor, " text"]
) -> Float[Tensor, "text hidden"]:
    """An LSTM's state after the last real step of each row.

    Rows are read to the end of their padding and the state is taken from where they ended: on a CPU that
    is two to four times as fast as packing them.
    """
    states, _ = lstm(inputs)
    rows = torch.arange(len(inputs), device=inputs.device)
    found: Tensor = states[rows, lengths.to(inputs.device) - 1]
    return found


class ObjectEncoder(nn.Module):
    """A candidate as a vector: its category's and its place's, through two layers (facts 2.3).

    Both layers end in ReLU, the second too: a score is the product with a vector that has no negatives.
    """

    def __init__(self, categories: Categories, category: int, hidden: int, size: int) -> None:
        super().__init__()
        self.categories = nn.Embedding(categories.rows, category, padding_idx=PADDING)
        self.layers = nn.Sequential(
            nn.Linear(category + SIZE, hidden), nn.ReLU(), nn.Linear(hidden, size), nn.ReLU()
        )

    def forward(self, objects: Objects) -> Float[Tensor, "game object size"]:
        """The vector of each candidate; those of padding mean nothing."""
        known = torch.cat([self.categories(objects.categories), objects.spatial], dim=2)
        vectors: Tensor = self.layers(known)
        return vectors


def scores(
    state: Float[Tensor, "game size"], vectors: Float[Tensor, "game object size"]
) -> Float[Tensor, "game object"]:
    """The product of each game's state with each of its candidates."""
    return torch.einsum("gs,gos->go", state, vectors)


def log_probabilities(
    logits: Float[Tensor, "game object"],
    mask: Bool[Tensor, "game object"],
    variant: Mask = "paper",
    slots: int = SLOTS,
) -> Float[Tensor, "game object"]:
    """The log softmax over the real candidates; padding gets -inf.

    `code` multiplies by the mask, as GDSE does: each of the slots that a game leaves empty keeps the
    logit 0, and with it a share of the probability that no candidate has.
    """
    real = logits.masked_fill(~mask, -torch.inf)
    if variant == "paper":
        return real.log_softmax(dim=1)
    empty = (slots - mask.sum(1, keepdim=True)).clamp(min=0).to(logits.dtype)
    return real - torch.logaddexp(real.logsumexp(1, keepdim=True), empty.log())


class StateEncoder(nn.Module):
    """GDSE's dialogue state: tanh(W [LSTM of the dialogue; image]) (Shekhar et al. 2019, facts 2.6).

    Guesser, questioner and decider all read this one state. `dropout` falls on the image vector alone,
    and `scale` multiplies it: a vector far longer than the LSTM's state drowns what was said.
    """

    def __init__(
        self,
        words: int,
        word: int,
        hidden: int,
        image: int,
        size: int,
        *,
        dropout: float = 0.0,
        scale: float = 1.0,
    ) -> None:
        super().__init__()
        self.text = TextEncoder(words, word, hidden)
        self.scale = scale
        self.dropout = nn.Dropout(dropout)
        self.state = nn.Linear(hidden + image, size)

    def forward(
        self, texts: Texts, images: Float[Tensor, "text image"]
    ) -> Float[Tensor, "text size"]:
        """The state after each dialogue."""
        return self.join(self.text(texts), images)

    def join(
        self, read: Float[Tensor, "text hidden"], images: Float[Tensor, "text image"]
    ) -> Float[Tensor, "text size"]:
        """The state where a text has been read."""
        seen = self.dropout(self.scale * images)
        return torch.tanh(self.state(torch.cat([read, seen], dim=1)))


class Decider(nn.Module):
    """Whether to ask or to guess, read off the dialogue state: 512-256-64-16-2 (facts 2.6)."""

    def __init__(self, size: int = 512) -> None:
        super().__init__()
        widths = [size, size // 2, size // 8, size // 32]
        hidden: list[nn.Module] = []
        for wide, narrow in pairwise(widths):
            hidden += [nn.Linear(wide, narrow), nn.ReLU()]
        self.layers = nn.Sequential(*hidden, nn.Linear(widths[-1], 2))

    def forward(self, state: Float[Tensor, "game size"]) -> Float[Tensor, "game 2"]:
        """Scores of asking (0) and guessing (1)."""
        decided: Tensor = self.layers(state)
        return decided
