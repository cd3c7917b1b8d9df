"""GDSE: one dialogue state from which to ask and to guess (Shekhar et al. 2019; facts 2.4, 2.6).

    state = tanh(W [LSTM(dialogue); image])
    guess   p(o) = softmax_o <state, ReLU MLP [category; place]>
    ask     LSTM with h_0 = state, c_0 = 0 over [word; ReLU(V image)], then a linear layer to the words

Encoder and guesser are those of `guesser`, with their names in the weights; what is new is the QGen, whose
word vectors are its own. Whether to ask or to guess is not decided by the model (-no_decider) unless its
configuration has a decider. Dropout falls on the image's vector alone, once for the encoder and once for
the QGen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from referee.errors import UsageError
from referee.players.neural.batches import Categories, Heard, Objects, Texts, texts
from referee.players.neural.decoding import Memory
from referee.players.neural.encoders import StateEncoder, log_probabilities, scores
from referee.players.neural.guesser import GUESSERS, DialogueGuesser, GuesserConfig, Images
from referee.players.neural.vocabulary import PADDING, START

Prefix = tuple[int, int]
"""The place of a dialogue, and how many of its turns are heard."""

GDSE_GUESSER = replace(GUESSERS["gdse"], decider=False)
"""GDSE's encoder and guesser, without the decider."""


@dataclass(frozen=True)
class GDSEConfig:
    """The published sizes."""

    guesser: GuesserConfig = GDSE_GUESSER
    """Encoder, guesser and, where there is one, decider."""
    word: int = 512
    """The QGen's word vectors."""
    visual: int = 512
    """What the QGen makes of the image."""
    longest: int = 30
    """The words of a question that are learned from."""
    turns: int = 10
    """The most questions of a game that is learned from."""


class QGen(nn.Module):
    """Asks the next question from the dialogue state, word by word, with the image beside each word."""

    def __init__(self, config: GDSEConfig, words: int) -> None:
        super().__init__()
        size = config.guesser.state
        self.words = nn.Embedding(words, config.word, padding_idx=PADDING)
        self.dropout = nn.Dropout(config.guesser.dropout)
        self.image = nn.Linear(config.guesser.image, config.visual)
        self.lstm = nn.LSTM(config.word + config.visual, size, batch_first=True)
        self.next = nn.Linear(size, words)

    def look(self, images: Float[Tensor, "row image"]) -> Float[Tensor, "row visual"]:
        """What stands beside each word."""
        return torch.relu(self.image(self.dropout(images)))

    def nats(
        self,
        states: Float[Tensor, "question size"],
        images: Float[Tensor, "question image"],
        questions: Texts,
    ) -> Float[Tensor, " word"]:
        """The cross entropy of every word of some questions, the words before it being given."""
        tokens = questions.tokens
        starts = torch.full_like(tokens[:, :1], START)
        before = torch.cat([starts, tokens[:, :-1]], dim=1)
        visual = self.look(images)[:, None].expand(-1, tokens.shape[1], -1)
        entering = torch.cat([self.words(before), visual], dim=2)
        hidden, _ = self.lstm(entering, (states[None], torch.zeros_like(states)[None]))
        real = questions.mask
        return nn.functional.cross_entropy(self.next(hidden[real]), tokens[real], reduction="none")

    def remember(
        self, states: Float[Tensor, "row size"], images: Float[Tensor, "row image"]
    ) -> Memory:
        """What is remembered before the first word: h, c, and what is seen."""
        return states, torch.zeros_like(states), self.look(images)

    def step(
        self, words: Int[Tensor, " row"], memory: Memory
    ) -> tuple[Float[Tensor, "row word"], Memory]:
        """The scores of the words after the last ones, and the memory."""
        hidden, cell, visual = memory
        entering = torch.cat([self.words(words), visual], dim=1)[:, None]
        read, (hidden, cell) = self.lstm(entering, (hidden[None], cell[None]))
        return self.next(read[:, 0]), (hidden[0], cell[0], visual)


class GDSE(nn.Module):
    """The questioner that is its own guesser."""

    stops = False
    """It never learned to say <stop_dialogue>."""

    def __init__(self, config: GDSEConfig, words: int) -> None:
        super().__init__()
        self.config = config
        self.guesser = DialogueGuesser(config.guesser, words)
        self.qgen = QGen(config, words)

    @property
    def encoder(self) -> StateEncoder:
        """What makes the dialogue state."""
        encoder = self.guesser.dialogue
        assert isinstance(encoder, StateEncoder)  # noqa: S101 (a config without an image is refused)
        return encoder

    @property
    def categories(self) -> Categories:
        """The rows of the category table."""
        return self.config.guesser.categories

    def open(
        self, dialogues: Sequence[Heard], objects: Objects, images: Tensor | None
    ) -> tuple[Int[Tensor, " row"], Memory]:
        """<start>, and the memory with which the next question of each dialogue begins."""
        if images is None:
            raise UsageError("GDSE sees the image: give its features")
        states = self.guesser.state(dialogues, objects, images)
        first = torch.full((len(dialogues),), START, device=states.device)
        return first, self.qgen.remember(states, images)

    def step(
        self, words: Int[Tensor, " row"], memory: Memory
    ) -> tuple[Float[Tensor, "row word"], Memory]:
        """The scores of the words after these, and the memory."""
        return self.qgen.step(words, memory)

    def states(
        self, dialogues: Sequence[Heard], prefixes: Sequence[Prefix], images: Images
    ) -> Float[Tensor, "prefix size"]:
        """The state after each prefix; each dialogue is read once for all of its prefixes."""
        rows, ends = told(dialogues, prefixes, self.config.guesser.longest)
        read = texts(rows, images.device)
        text = self.encoder.text
        after, _ = text.lstm(text.words(read.tokens))
        places = torch.tensor(ends, device=images.device).reshape(-1, 2)
        return self.encoder.join(after[places[:, 0], places[:, 1]], images)

    def guess(
        self, states: Float[Tensor, "game size"], objects: Objects
    ) -> Float[Tensor, "game object"]:
        """The log probability of each candidate in some states; padding gets -inf."""
        config = self.config.guesser
        logits = scores(states, self.guesser.objects(objects))
        return log_probabilities(logits, objects.mask, config.mask, config.slots)


def told(
    dialogues: Sequence[Heard], prefixes: Sequence[Prefix], longest: int | None
) -> tuple[list[list[int]], list[tuple[int, int]]]:
    """The texts to read, and for each prefix in which of them it ends, at which word.

    Prefixes of one dialogue end within one text. One that is longer than `longest` words has lost its
    first words, so that it is a text of its own.
    """
    rows: list[list[int]] = []
    shared: dict[int, int] = {}
    ends = []
    for place, turns in prefixes:
        words = Heard(dialogues[place].turns[:turns]).words(end=False)
        if longest is not None and len(words) > longest:
            words = Heard(dialogues[place].turns[:turns]).words(end=False, longest=longest)
            rows.append(words)
            ends.append((len(rows) - 1, len(words) - 1))
            continue
        row = shared.setdefault(place, len(rows))
        if row == len(rows):
            rows.append(words)
        elif len(words) > len(rows[row]):
            rows[row] = words
        ends.append((row, len(words) - 1))
    return rows, ends
