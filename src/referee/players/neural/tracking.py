"""The tracking guesser: a guessing state over the candidates that each answer moves (GST, facts 2.7).

    p_0 = 1/n                      s_t(o) = <tanh(U o), tanh(W [LSTM(q_t); a_t])> / sqrt(k)
    p_t ~ p_(t-1) softmax(s_t) + 1e-5

It is trained at every turn, to hold the target likely and to hold it likelier than the turn before:
loss = mix mean_t -log p_t + (1 - mix) mean_t -log(p_t - p_(t-1) + c), p of the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from referee.players.neural.batches import Heard, Objects, texts
from referee.players.neural.encoders import ObjectEncoder, TextEncoder
from referee.players.neural.guesser import GuesserConfig, Images, RecurrentGuesser

LEAST = 1e-5
"""What every candidate keeps at each turn, so that none is lost for good."""


class TrackingGuesser(RecurrentGuesser):
    """Reads one question at a time, and multiplies what it says of the candidates into their state."""

    def __init__(self, config: GuesserConfig, words: int) -> None:
        super().__init__()
        self.config = config
        self.text = TextEncoder(words, config.word, config.hidden)
        self.objects = ObjectEncoder(
            config.categories, config.category, config.object, config.state
        )
        self.said = nn.Linear(config.hidden + config.word, config.joint)
        self.seen = nn.Linear(config.state, config.joint)

    def forward(
        self, dialogues: Sequence[Heard], objects: Objects, images: Images | None = None
    ) -> Float[Tensor, "game object"]:
        """Log probabilities after the last turn; padding gets -inf."""
        del images
        return self.track(dialogues, objects)[:, -1].log()

    def state(
        self, dialogues: Sequence[Heard], objects: Objects, images: Images | None = None
    ) -> Float[Tensor, "game size"]:
        """The mean candidate, as the guessing state weighs them."""
        del images
        weights = self.track(dialogues, objects)[:, -1]
        vectors: Tensor = self.objects(objects)
        return torch.einsum("go,gos->gs", weights, vectors)

    def cost(
        self,
        dialogues: Sequence[Heard],
        objects: Objects,
        targets: Int[Tensor, " game"],
        images: Images | None = None,
    ) -> Float[Tensor, " game"]:
        """The loss of each game; a game of no turns costs nothing."""
        del images
        states = self.track(dialogues, objects)
        places = targets[:, None, None].expand(-1, states.shape[1], 1)
        held = states.gather(2, places)[:, :, 0]
        turns = torch.tensor([len(heard.turns) for heard in dialogues], device=held.device)
        real = torch.arange(1, states.shape[1], device=held.device) <= turns[:, None]
        now, before = held[:, 1:], held[:, :-1]
        mix = self.config.mix
        costs = -mix * now.log() - (1 - mix) * (now - before + self.config.rise).log()
        return (costs * real).sum(1) / turns.clamp(min=1)

    def track(
        self, dialogues: Sequence[Heard], objects: Objects
    ) -> Float[Tensor, "game time object"]:
        """The guessing state before the first turn and after each; the last stays where turns end."""
        seen = torch.tanh(self.seen(self.objects(objects)))
        said, real = self._said(dialogues, objects.mask.device)
        matches = torch.einsum("gtk,gok->gto", said, seen) / sqrt(self.config.joint)
        fits = matches.masked_fill(~objects.mask[:, None], -torch.inf).softmax(dim=2)
        state = objects.mask / objects.mask.sum(1, keepdim=True)
        states = [state]
        for turn in range(fits.shape[1]):
            moved = (state * fits[:, turn] + LEAST) * objects.mask
            moved = moved / moved.sum(1, keepdim=True)
            state = torch.where(real[:, turn, None], moved, state)
            states.append(state)
        return torch.stack(states, dim=1)

    def _said(
        self, dialogues: Sequence[Heard], device: torch.device
    ) -> tuple[Float[Tensor, "game turn joint"], Bool[Tensor, "game turn"]]:
        """Each question with its answer as a vector, and which of them are there."""
        counts = [len(heard.turns) for heard in dialogues]
        most = max(counts, default=0)
        real = torch.arange(most) < torch.tensor(counts)[:, None]
        padded = torch.zeros((len(dialogues), most, self.config.joint), device=device)
        if not most:
            return padded, real.to(device)
        questions = [question for heard in dialogues for question, _ in heard.turns]
        answers = [answer for heard in dialogues for _, answer in heard.turns]
        marks = self.text.words(torch.tensor(answers, device=device))
        read = self.text(texts(questions, device))
        padded[real.to(device)] = torch.tanh(self.said(torch.cat([read, marks], dim=1)))
        return padded, real.to(device)
