"""How the LXMERT guesser learns: AdamW, a rate that climbs and falls step by step (facts 2.8)."""

from __future__ import annotations

import torch

from referee.players.neural.guesser_learning import GuesserTask
from referee.players.neural.training import Plan

WEIGHT_DECAY = 0.01
WARM_UP = 0.1
"""The share of all steps in which the learning rate climbs to its peak; then it falls to nothing."""


class LxmertTask(GuesserTask):
    """A guesser's task with LXMERT's optimiser."""

    planned = True

    def optimizer(self, plan: Plan) -> torch.optim.Optimizer:
        """Adam with decoupled weight decay."""
        parameters = self.module.parameters()
        return torch.optim.AdamW(parameters, lr=plan.rate, weight_decay=WEIGHT_DECAY)

    def rate_at(self, plan: Plan, epoch: int, done: float) -> float:
        """The learning rate where so much of an epoch is done."""
        share = (epoch + done) / plan.epochs
        return plan.rate * min(share / WARM_UP, (1 - share) / (1 - WARM_UP))
