"""VDST: a questioner that keeps account of the regions it asks about (Pang and Wang 2020, facts 2.7).

    o_i = swish(W region_i)                    p_0 = 1/n          the regions of an image, and their state
    x_i = p_t(i) o_i                                              the regions as the state weighs them
    v_t = V [sum_i a_ki x_i]_k                                    what is looked at, in two glimpses k
          a_k = softmax_i (<W_k, (x_i (x_i - x_j))_j> + b_k) / sqrt(d)
    h   = LSTM [word; v_t] over the mark of the last answer and the words of a question
    p_(t+1) ~ p_t softmax_i(<w, tanh(A x_i) tanh(B [h; answer])> / sqrt(k)) + 1e-5

A region is told from all others by its differences to them, number by number; that is why how many there
are is part of the configuration. It learns no <stop_dialogue>: in the code that mark is scored from a
state of zeros, so that nothing but its frequency is learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from referee.errors import UsageError
from referee.players.neural.batches import Categories, Heard, Objects, texts
from referee.players.neural.decoding import Memory
from referee.players.neural.qgen import Baseline
from referee.players.neural.tracking import LEAST
from referee.players.neural.vocabulary import START

Regions = Float[Tensor, "game region feature"]


@dataclass(frozen=True)
class VDSTConfig:
    """The published sizes."""

    regions: int = 36
    """The regions of an image."""
    region: int = 2056
    """The length of a region's features: what it shows, and eight numbers of where it is."""
    word: int = 512
    hidden: int = 512
    visual: int = 300
    """What is made of a region, and what stands beside each word."""
    joint: int = 300
    """Where a region and what was said of it meet."""
    glimpses: int = 2
    turns: int = 11
    """The questions of a game that are learned from, the first ones."""
    gain: float = 1.0
    """How many times larger than in the code those first weights are that read weighed regions.

    As each of 36 regions has 1/36 of the weight at first, what is seen begins so much weaker than what is
    said. Long training makes up for it; a short one begins with as much gain as there are regions.
    """
    baseline: int = 0
    """The hidden units of REINFORCE's baseline, 128 in the code; 0 for one that is only supervised."""


class Difference(nn.Module):
    """What is looked at: regions by how they differ from the others (object-difference attention)."""

    def __init__(self, config: VDSTConfig) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(config.regions, config.visual, config.glimpses))
        self.bias = nn.Parameter(torch.zeros(config.glimpses))
        self.join = nn.Linear(config.glimpses * config.visual, config.visual)

    def forward(self, weighed: Float[Tensor, "game region visual"]) -> Float[Tensor, "game visual"]:
        """What is looked at in each game.

        The sum over j of <W_j, x_i (x_i - x_j)> is <sum W_j, x_i x_i> - <sum W_j x_j, x_i>: the table of
        all differences, as large as the square of the regions, need not be made.
        """
        own = weighed.square() @ self.weight.sum(dim=0)
        others = weighed @ torch.einsum("grv,rvk->gvk", weighed, self.weight)
        shares = ((own - others + self.bias) / sqrt(weighed.shape[2])).softmax(dim=1)
        glimpses = torch.einsum("grk,grv->gkv", shares, weighed)
        found: Tensor = self.join(glimpses.flatten(1))
        return found


class Matching(nn.Module):
    """Which regions fit what was said last: a product of low rank between the two (cross-modal matching)."""

    def __init__(self, config: VDSTConfig) -> None:
        super().__init__()
        self.seen = nn.Linear(config.visual, config.joint, bias=False)
        self.said = nn.Linear(config.hidden + config.word, config.joint, bias=False)
        self.score = nn.Linear(config.joint, 1)

    def forward(
        self, weighed: Float[Tensor, "game region visual"], said: Float[Tensor, "game said"]
    ) -> Float[Tensor, "game region"]:
        """The share of each region."""
        met = torch.tanh(self.seen(weighed)) * torch.tanh(self.said(said))[:, None]
        logits: Tensor = self.score(met)[:, :, 0]
        return (logits / sqrt(met.shape[2])).softmax(dim=1)


@dataclass(frozen=True)
class Followed:
    """Some dialogues, followed to their last answers: games in their order, words in that of the turns."""

    states: Float[Tensor, "word hidden"]
    """The LSTM's state before each word of the questions."""
    words: Int[Tensor, " word"]
    games: Int[Tensor, " word"]
    """The game in which each word is said."""
    turns: Int[Tensor, " word"]
    """The turn in which it is said."""
    hidden: Float[Tensor, "game hidden"]
    """The LSTM's state after the last word of the last question; zeros before the first."""
    cell: Float[Tensor, "game hidden"]
    chances: Float[Tensor, "game time region"]
    """The state of the regions before the first turn and after each; the last stays where turns end."""


@dataclass(frozen=True)
class Standing:
    """How some dialogues stand after their last answers."""

    hidden: Float[Tensor, "game hidden"]
    """The LSTM's state when it has heard the answer."""
    visual: Float[Tensor, "game visual"]
    """What is looked at now."""
    chances: Float[Tensor, "game region"]
    """The state of the regions."""


class VDST(nn.Module):
    """Asks about the regions that the answers so far have left likely."""

    stops = False
    """It is played for a given number of questions."""

    def __init__(self, config: VDSTConfig, words: int) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Embedding(words, config.word)
        self.image = nn.Linear(config.region, config.visual)
        self.difference = Difference(config)
        self.matching = Matching(config)
        self.lstm = nn.LSTM(config.word + config.visual, config.hidden, batch_first=True)
        self.next = nn.Linear(config.hidden, words)
        if config.baseline:
            self.baseline = Baseline(config.hidden, config.baseline)
        self._begin()

    @property
    def categories(self) -> Categories:
        """Of the candidates it sees nothing but the regions."""
        return Categories()

    def look(self, regions: Regions) -> Float[Tensor, "game region visual"]:
        """What is made of each region, whatever is said."""
        return nn.functional.silu(self.image(regions))

    def open(
        self, dialogues: Sequence[Heard], objects: Objects, images: Tensor | None
    ) -> tuple[Int[Tensor, " row"], Memory]:
        """The mark of each last answer, and h, c and what is looked at before it."""
        del objects
        if images is None:
            raise UsageError("VDST sees regions of the image: give their features")
        marks, memory, _ = self._ready(dialogues, images)
        return marks, memory

    def standing(self, dialogues: Sequence[Heard], regions: Regions) -> Standing:
        """How each dialogue stands after its last answer, or before the first question."""
        marks, memory, chances = self._ready(dialogues, regions)
        _, (hidden, _, visual) = self.step(marks, memory)
        return Standing(hidden, visual, chances)

    def step(
        self, words: Int[Tensor, " row"], memory: Memory
    ) -> tuple[Float[Tensor, "row word"], Memory]:
        """The scores of the words after these, and the memory."""
        hidden, cell, visual = memory
        entering = torch.cat([self.words(words), visual], dim=1)[:, None]
        _, (hidden, cell) = self.lstm(entering, (hidden[None], cell[None]))
        return self.next(hidden[0]), (hidden[0], cell[0], visual)

    def follow(
        self, dialogues: Sequence[Heard], seen: Float[Tensor, "game region visual"]
    ) -> Followed:
        """Hears some dialogues turn by turn."""
        # With the longest dialogues first, those that go on are the first rows at every turn.
        order = sorted(range(len(dialogues)), key=lambda place: -len(dialogues[place].turns))
        back = torch.tensor(order, dtype=torch.long, device=seen.device).argsort()
        told = [dialogues[place].turns for place in order]
        seen = seen[torch.tensor(order, dtype=torch.long, device=seen.device)]
        hidden = cell = seen.new_zeros((len(told), self.config.hidden))
        chances = seen.new_full(seen.shape[:2], 1 / seen.shape[1])
        every = [chances]
        states = [hidden[:0]]
        words: list[tuple[int, int, int]] = []
        for turn in range(len(told[0]) if told else 0):
            going = sum(turn < len(turns) for turns in told)
            asked = [turns[turn][0] for turns in told[:going]]
            before = [turns[turn - 1][1] if turn else START for turns in told[:going]]
            weighed = _weighed(seen[:going], chances[:going])
            read, new_hidden, new_cell = self._read(
                asked, before, self.difference(weighed), (hidden[:going], cell[:going])
            )
            answers = torch.tensor([turns[turn][1] for turns in told[:going]], device=seen.device)
            said = torch.cat([new_hidden, self.words(answers)], dim=1)
            moved = chances[:going] * self.matching(weighed, said) + LEAST
            moved = moved / moved.sum(dim=1, keepdim=True)
            hidden = torch.cat([new_hidden, hidden[going:]])
            cell = torch.cat([new_cell, cell[going:]])
            chances = torch.cat([moved, chances[going:]])
            every.append(chances)
            states.append(read)
            words += [(word, order[row], turn) for row, each in enumerate(asked) for word in each]
        said = torch.tensor(words, dtype=torch.long, device=seen.device).reshape(-1, 3)
        return Followed(
            torch.cat(states),
            said[:, 0],
            said[:, 1],
            said[:, 2],
            hidden[back],
            cell[back],
            torch.stack(every, dim=1)[back],
        )

    def _ready(
        self, dialogues: Sequence[Heard], regions: Regions
    ) -> tuple[Int[Tensor, " row"], Memory, Float[Tensor, "row region"]]:
        """The mark of each last answer, the memory before it, and the state of the regions."""
        seen = self.look(regions)
        followed = self.follow(dialogues, seen)
        last = [heard.turns[-1][1] if heard.turns else START for heard in dialogues]
        marks = torch.tensor(last, dtype=torch.long, device=seen.device)
        chances = followed.chances[:, -1]
        visual = self.difference(_weighed(seen, chances))
        return marks, (followed.hidden, followed.cell, visual), chances

    def _read(
        self,
        asked: Sequence[Sequence[int]],
        before: Sequence[int],
        visual: Float[Tensor, "game visual"],
        memory: tuple[Tensor, Tensor],
    ) -> tuple[Float[Tensor, "word hidden"], Tensor, Tensor]:
        """The state before each word of some questions, and h and c after the last words.

        `before` is the mark that each question follows: <start>, or that of the last answer.
        """
        rows = [[mark, *question] for mark, question in zip(before, asked, strict=True)]
        told = texts(rows, visual.device)
        beside = visual[:, None].expand(-1, told.tokens.shape[1], -1)
        packed = nn.utils.rnn.pack_padded_sequence(
            torch.cat([self.words(told.tokens), beside], dim=2),
            told.lengths,
            batch_first=True,
            enforce_sorted=False,
        )
        read, (hidden, cell) = self.lstm(packed, (memory[0][None], memory[1][None]))
        states, _ = nn.utils.rnn.pad_packed_sequence(read, batch_first=True)
        places = torch.arange(states.shape[1], device=states.device)
        inside = places < (told.lengths.to(states.device) - 1)[:, None]
        return states[inside], hidden[0], cell[0]

    def _begin(self) -> None:
        """The first weights, drawn as in the code: Xavier's, and an LSTM that keeps what it knows."""
        nn.init.uniform_(self.words.weight, -0.08, 0.08)
        nn.init.xavier_uniform_(self.difference.weight.flatten(0, 1).detach())
        for layer in (self.image, self.next, self.difference.join):
            _unit(layer)
        nn.init.xavier_uniform_(self.matching.seen.weight)
        _unit(self.matching.said)
        _unit(self.matching.score)
        gain = self.config.gain
        self.difference.join.weight.detach().mul_(gain)
        self.matching.seen.weight.detach().mul_(gain)
        # What is read there is a product of two regions.
        self.difference.weight.detach().mul_(gain**2)
        size = self.config.hidden
        bound = sqrt(6 / (self.lstm.input_size + size + 4 * size))
        for name, weights in self.lstm.named_parameters():
            reach = bound if name.startswith("weight") else 0.0
            nn.init.uniform_(weights, -reach, reach)
            if name == "bias_ih_l0":
                weights.detach()[size : 2 * size] = 1


def _weighed(
    seen: Float[Tensor, "game region visual"], chances: Float[Tensor, "game region"]
) -> Float[Tensor, "game region visual"]:
    """The regions as their state weighs them."""
    return seen * chances[:, :, None]


def _unit(layer: nn.Linear) -> None:
    """Weights that leave the scale of what enters: uniform, of variance 1/inputs, and no bias."""
    bound = sqrt(3 / layer.in_features)
    nn.init.uniform_(layer.weight, -bound, bound)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
