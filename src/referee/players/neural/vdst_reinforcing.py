"""REINFORCE for VDST: it learns from its own games, oracle and guesser being frozen (facts 2.7, 2.5).

Games, rewards and losses are those of `reinforce`. VDST's own are gradient descent with momentum, a
learning rate that is taken down a little now and then, and a baseline of 128 units. How the regions are
weighed learns along, through the words that were said after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor, nn

from referee.players.neural.asking import Stopping
from referee.players.neural.gameplay import Gameplay
from referee.players.neural.reinforce import Policy, ReinforceTask, outcome
from referee.players.neural.selfplay import Asks, Guesses, Table
from referee.players.neural.training import Plan
from referee.players.neural.vdst import VDST


class VDSTPolicy(Policy, frozen=True):
    """The logged run's settings."""

    stop: Stopping = "never"
    baseline: int = 128
    momentum: float = 0.9
    decay: float = 0.99
    """What is left of the learning rate after each `every` epochs."""
    every: int = 25


class VDSTReinforceTask(ReinforceTask):
    """VDST in its own games; chosen by the share of validation games that it wins."""

    def __init__(
        self, asks: Asks, guesses: Guesses, gameplay: Gameplay, policy: VDSTPolicy, batch: int
    ) -> None:
        if not isinstance(asks.model, VDST):
            raise TypeError("this is for VDST")
        super().__init__(asks, guesses, gameplay, policy, batch)
        self._vdst, self._policy = asks.model, policy

    def optimizer(self, plan: Plan) -> torch.optim.Optimizer:
        """Gradient descent with momentum, for policy and baseline alike."""
        momentum = self._policy.momentum
        return torch.optim.SGD(self.module.parameters(), lr=plan.rate, momentum=momentum)

    def rate(self, plan: Plan, epoch: int) -> float:
        """Down by steps."""
        return plan.rate * self._policy.decay ** (epoch // self._policy.every)

    def lost(self, tables: Sequence[Table]) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
        """The summed losses of policy and baseline over some games."""
        games = [table.deal.game for table in tables]
        images = self._images.of([game.scene.id for game in games], [game.id for game in games])
        seen = self._vdst.look(images.to(self.device))
        followed = self._vdst.follow([table.heard for table in tables], seen)
        rewards = self._worth(tables)[followed.games, followed.turns]
        banned = torch.tensor(self._banned, device=self.device)
        logits = self._vdst.next(followed.states).index_fill(1, banned, -torch.inf)
        nats = nn.functional.cross_entropy(logits, followed.words, reduction="none")
        surprise = rewards - self._vdst.baseline(followed.states[None])[0]
        return (nats * surprise.detach()).sum(), (surprise**2).sum()

    def _worth(self, tables: Sequence[Table]) -> Float[Tensor, "game time"]:
        """The reward of each word of a turn, and after the last turn that of what follows."""
        found = [
            torch.tensor(worth, dtype=torch.float32, device=self.device)
            for worth in self._reward.of([outcome(table) for table in tables])
        ]
        return nn.utils.rnn.pad_sequence(found, batch_first=True)


def begun(model: VDST, hidden: int) -> VDST:
    """A VDST that goes on from a supervised one, with a baseline that knows nothing yet."""
    if model.config.baseline == hidden:
        return model
    made = VDST(replace(model.config, baseline=hidden), model.words.num_embeddings)
    known = {
        name: it for name, it in model.state_dict().items() if not name.startswith("baseline.")
    }
    made.load_state_dict(known, strict=False)
    return made
