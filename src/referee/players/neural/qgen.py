"""The QGen of de Vries et al.: one LSTM reads the whole dialogue and says its next word (facts 2.4).

    x_t = [word vector; W image]        h_t = LSTM(x_1 … x_t)        p(next word) = softmax V h_t

W has no activation, and the image stands beside every word, also those of the answers. With `baseline`
the network also guesses, from the state at each word, what reward the game will bring (facts 2.5): that
is what REINFORCE subtracts, and play makes no use of it.

Its state is h after the last answer. There is none of the text alone: words and image enter one LSTM.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from referee.players.neural.batches import Categories, Heard, Objects, Texts, texts
from referee.players.neural.decoding import Memory
from referee.players.neural.vocabulary import PADDING

State = tuple[Tensor, Tensor]
"""An LSTM's h and c, each [row, hidden]."""


@dataclass(frozen=True)
class QGenConfig:
    """De Vries' sizes."""

    word: int = 512
    hidden: int = 1024
    image: int = 1000
    """The length of the image's features."""
    visual: int = 512
    """What of the image stands beside each word."""
    baseline: int = 0
    """The hidden units of REINFORCE's baseline, 100 in the paper; 0 for a QGen that is only supervised."""


_EXPECTED = 0.2
"""What the baseline expects at first: a game of which nothing is known is won about as often."""


class Baseline(nn.Module):
    """The reward to expect at each word: 100 ReLU, then 1 ReLU, without a gradient into the QGen.

    It begins with one number for every state, above 0: a ReLU that gives 0 to all would never learn.
    """

    def __init__(self, state: int, hidden: int) -> None:
        super().__init__()
        last = nn.Linear(hidden, 1)
        nn.init.zeros_(last.weight)
        nn.init.constant_(last.bias, _EXPECTED)
        self.layers = nn.Sequential(nn.Linear(state, hidden), nn.ReLU(), last)

    def forward(self, states: Float[Tensor, "text time hidden"]) -> Float[Tensor, "text time"]:
        """One number a word."""
        found: Tensor = self.layers(states.detach())
        return torch.relu(found)[:, :, 0]


class QGen(nn.Module):
    """Word vectors, the image's projection, the LSTM, and the scores of the next word."""

    stops = True

    def __init__(self, config: QGenConfig, words: int) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Embedding(words, config.word, padding_idx=PADDING)
        self.image = nn.Linear(config.image, config.visual)
        self.lstm = nn.LSTM(config.word + config.visual, config.hidden, batch_first=True)
        self.next = nn.Linear(config.hidden, words)
        if config.baseline:
            self.baseline = Baseline(config.hidden, config.baseline)

    @property
    def categories(self) -> Categories:
        """Of the candidates it sees nothing."""
        return Categories()

    def read(
        self, told: Texts, images: Float[Tensor, "text image"]
    ) -> Float[Tensor, "text time hidden"]:
        """The state after each word; those of padding mean nothing."""
        states, _ = self.lstm(self._entering(told.tokens, self.image(images)))
        found: Tensor = states
        return found

    def forward(
        self, told: Texts, images: Float[Tensor, "text image"]
    ) -> Float[Tensor, "text time word"]:
        """The scores of the word after each word."""
        found: Tensor = self.next(self.read(told, images))
        return found

    def open(
        self, dialogues: Sequence[Heard], objects: Objects, images: Tensor | None
    ) -> tuple[Int[Tensor, " row"], Memory]:
        """The last word of each dialogue, and h, c and what is seen before it."""
        del objects
        if images is None:
            raise TypeError("this network sees images")
        device = self.next.weight.device
        rows = [told.words(end=False) for told in dialogues]
        visual = self.image(images)
        # The last word is the first that `step` is given; a dialogue of no turns is <start> alone.
        hidden, cell = self._after([row[:-1] for row in rows], visual)
        last = torch.tensor([row[-1] for row in rows], dtype=torch.long, device=device)
        return last, (hidden, cell, visual)

    def step(
        self, words: Int[Tensor, " row"], memory: Memory
    ) -> tuple[Float[Tensor, "row word"], Memory]:
        """The scores of the words after these, and the memory."""
        hidden, cell, visual = memory
        entering = self._entering(words[:, None], visual)
        _, (hidden, cell) = self.lstm(entering, (hidden[None], cell[None]))
        return self.next(hidden[0]), (hidden[0], cell[0], visual)

    def state(
        self, dialogues: Sequence[Heard], images: Float[Tensor, "row image"]
    ) -> Float[Tensor, "row hidden"]:
        """The state after the last answer of each dialogue."""
        rows = [told.words(end=False) for told in dialogues]
        return self._after(rows, self.image(images))[0]

    def _entering(
        self, words: Int[Tensor, "text time"], visual: Float[Tensor, "text visual"]
    ) -> Float[Tensor, "text time input"]:
        beside = visual[:, None].expand(-1, words.shape[1], -1)
        return torch.cat([self.words(words), beside], dim=2)

    def _after(self, rows: Sequence[Sequence[int]], visual: Float[Tensor, "row visual"]) -> State:
        """What the LSTM holds after each row; zeros after a row of no words."""
        told = texts([row or [PADDING] for row in rows], visual.device)
        packed = nn.utils.rnn.pack_padded_sequence(
            self._entering(told.tokens, visual),
            told.lengths,
            batch_first=True,
            enforce_sorted=False,
        )
        _, (hidden, cell) = self.lstm(packed)
        some = torch.tensor([bool(row) for row in rows], device=visual.device)[:, None]
        return hidden[0] * some, cell[0] * some
