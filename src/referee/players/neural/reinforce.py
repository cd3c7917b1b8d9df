"""REINFORCE: the QGen learns from its own games, while oracle and guesser stay as they are (facts 2.5).

    policy    mean over games of   sum over words   -log p(word) (G - b)
    baseline                       sum over words   (G - b)^2

G is the reward of a word (`rewards`), b what the baseline expects at it; neither loss moves what the other
one trains. Words are those that the questioner said: the answers have no part in either sum, nor has
what follows <stop_dialogue>. The last word of a dialogue has the reward 0, as in the code: to stop is
never rewarded (where a dialogue was not stopped, its last word is an answer).

log p is of the words as they are drawn, the marks that are never said left out of the softmax. The sum of
the second loss is over a batch of the plan's size: a last batch of fewer games weighs as a full one, as in
the code, which fills it with games played again.

An epoch has a game about each image, with a target drawn anew and questions drawn from the policy; chosen is
the epoch that wins most of the validation games, also by drawn questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Bool, Float
from msgspec import Struct
from torch import Tensor, nn

from referee.games.guesswhat import Rules
from referee.players.decoding import Decode
from referee.players.neural.asking import Pictures, Stopping, limits
from referee.players.neural.batches import Texts, texts
from referee.players.neural.gameplay import Gameplay
from referee.players.neural.qgen import QGen
from referee.players.neural.qgen_learning import asked
from referee.players.neural.rewards import KINDS, Outcome, Reward, judged
from referee.players.neural.selfplay import Asks, Guesses, SelfPlay, Table
from referee.players.neural.training import Cost, Plan, Task


class Policy(Struct, frozen=True):
    """How long games are, and what they are worth."""

    questions: int = 5
    words: int = 12
    """Words after which a question is cut."""
    stop: Stopping = "dialogue"
    reward: str = "success"
    baseline: int = 100
    """The hidden units of the baseline."""
    baseline_weight: float = 1.0
    """What the baseline's loss is multiplied by. At a rate fifty times the published one its steps would
    be so long that the ReLU at its end is never positive again."""


@dataclass(frozen=True)
class Trajectories:
    """Dialogues as they were spoken: words, images, and the reward of the word after each word."""

    told: Texts
    images: Float[Tensor, "game image"]
    rewards: Float[Tensor, "game time"]

    @property
    def spoken(self) -> Bool[Tensor, "game time"]:
        """Which of the words after each word the questioner said."""
        return asked(self.told.tokens[:, 1:])


def begun(model: QGen, hidden: int, words: int) -> QGen:
    """A QGen that goes on from a supervised one, with a baseline that knows nothing yet."""
    if model.config.baseline == hidden:
        return model
    made = QGen(replace(model.config, baseline=hidden), words)
    known = {
        name: it for name, it in model.state_dict().items() if not name.startswith("baseline.")
    }
    made.load_state_dict(known, strict=False)
    return made


def losses(
    model: QGen, played: Trajectories, banned: Sequence[int]
) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
    """The summed losses of policy and baseline over some games."""
    words = played.told.tokens
    read = model.read(Texts(words[:, :-1], played.told.lengths - 1), played.images)
    spoken = played.spoken
    states, said = read[spoken], words[:, 1:][spoken]
    logits = model.next(states).index_fill(1, torch.tensor(banned, device=words.device), -torch.inf)
    nats = nn.functional.cross_entropy(logits, said, reduction="none")
    surprise = played.rewards[spoken] - model.baseline(read)[spoken]
    return (nats * surprise.detach()).sum(), (surprise**2).sum()


def rewarded(table: Table, worth: Sequence[float]) -> list[float]:
    """The reward of each word of a dialogue but <start>: those of its turn, and 0 for the last word."""
    found: list[float] = []
    for (question, _), reward in zip(table.turns, worth, strict=False):
        found += [reward] * len(question)
        found.append(0.0)  # the answer
    found += [worth[-1]] * len(table.unfinished)
    if found:
        found[-1] = 0.0
    return found


def outcome(table: Table) -> Outcome:
    """What a game's rewards follow from."""
    return Outcome(table.won, table.deal.game.target_index, table.about, len(table.turns))


class ReinforceTask(Task):
    """DeVries-RL, and what others change of it; chosen by the share of validation games that it wins."""

    watch = "success"
    highest = True
    losses = 2

    def __init__(
        self, asks: Asks, guesses: Guesses, gameplay: Gameplay, policy: Policy, batch: int
    ) -> None:
        if not isinstance(asks.model, nn.Module) or asks.images is None:
            raise TypeError("REINFORCE is for a network that sees images")
        self.module = asks.model
        self._images: Pictures = asks.images
        self._guesser = guesses.model
        self._gameplay, self._batch = gameplay, batch
        self._baseline_weight = policy.baseline_weight
        self._reward = Reward.parse(policy.reward)
        self._banned = limits(asks.model, asks.vocabulary, policy.words, policy.stop).banned
        self._playing = SelfPlay(
            replace(asks, how=Decode("sample"), longest=policy.words, stop=policy.stop),
            gameplay.oracle,
            guesses,
            Rules(policy.questions),
            everything=self._reward.everything,
        )

    def optimizer(self, plan: Plan) -> torch.optim.Optimizer:
        """Plain gradient descent, for policy and baseline alike."""
        return torch.optim.SGD(self.module.parameters(), lr=plan.rate)

    def begin(self, epoch: int) -> None:
        """Oracle and guesser go where the model is."""
        del epoch
        self._gameplay.move(self.device)
        if isinstance(self._guesser, nn.Module):
            self._guesser.to(self.device)

    @property
    def device(self) -> torch.device:
        """Where the questioner is."""
        return next(self.module.parameters()).device

    def items(self, epoch: int) -> int:
        """The images."""
        del epoch
        return len(self._gameplay.stage.scenes)

    def cost(self, places: Sequence[int], epoch: int) -> tuple[Cost, Cost]:
        """Plays about some images; the losses of policy and baseline."""
        tables = self._playing.play([self._gameplay.deal(it, epoch) for it in places])
        policy, baseline = self.lost(tables)
        weighed = baseline * self._baseline_weight
        return Cost(policy, len(tables)), Cost(weighed, len(tables) / self._batch)

    def lost(self, tables: Sequence[Table]) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
        """The summed losses of policy and baseline over some games."""
        if not isinstance(self.module, QGen):
            raise TypeError("another network than the QGen has losses of its own")
        return losses(self.module, self.trajectories(tables), self._banned)

    def trajectories(self, tables: Sequence[Table]) -> Trajectories:
        """Games as they were spoken."""
        device = self.device
        games = [table.deal.game for table in tables]
        worth = self._reward.of([outcome(table) for table in tables])
        told = texts([table.words for table in tables], device)
        rewards = torch.zeros((len(tables), told.tokens.shape[1] - 1), device=device)
        for row, table, each in zip(rewards, tables, worth, strict=True):
            found = rewarded(table, each.tolist())
            row[: len(found)] = torch.tensor(found, device=device)
        images = self._images.of([game.scene.id for game in games], [game.id for game in games])
        return Trajectories(told, images.to(device), rewards)

    def valid_items(self) -> int:
        """The validation games."""
        return len(self._gameplay.stage.valid)

    def score(self, places: Sequence[int]) -> Mapping[str, float]:
        """Games won, their reward, their questions, and the share of questions of each rewarded kind."""
        tables = self._playing.play([self._gameplay.judged(place) for place in places])
        outcomes = [outcome(table) for table in tables]
        found = {
            "success": float(sum(table.won for table in tables)),
            "reward": float(sum(worth[0] for worth in self._reward.of(outcomes))),
            "questions": float(sum(each.turns for each in outcomes)),
        }
        asking = [each for each in outcomes if each.turns]
        for name in KINDS:
            if name in self._reward.weights:
                found[name] = _share(asking, KINDS[name])
        return found


def _share(outcomes: Sequence[Outcome], field: str) -> float:
    """The sum over games of the share of their questions that are of a kind."""
    if not outcomes:
        return 0.0
    flags = getattr(judged(outcomes), field)
    ends = np.cumsum([each.turns for each in outcomes])[:-1]
    return float(sum(part.mean() for part in np.split(flags, ends)))
