"""The oracle's three classes: which column is which answer is said by name, never by position.

De Vries' code numbers them Yes, No, N/A, and GDSE's No, Yes, N/A: weights that are read in the other
order answer the opposite of what they know. So every table of scores carries its `ClassOrder`, a
checkpoint writes it down, and a column is found by the name of its answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import torch
from jaxtyping import Float, Int
from torch import Tensor

from referee.errors import UsageError
from referee.games import ANSWERS


class ClassOrder(Enum):
    """The answers in the order of a model's output columns."""

    DEVRIES = ("Yes", "No", "N/A")
    """The order of the TensorFlow code, and of `referee.games.ANSWERS`."""
    GDSE = ("No", "Yes", "N/A")

    @classmethod
    def named(cls, answers: Sequence[str]) -> ClassOrder:
        """The order in which these names stand."""
        for order in cls:
            if order.value == tuple(answers):
                return order
        known = " or ".join("/".join(order.value) for order in cls)
        raise UsageError(f"the classes {'/'.join(answers)} are in no known order ({known})")

    def column(self, answer: str) -> int:
        """The column of an answer."""
        if answer not in self.value:
            raise UsageError(f"the answer {answer!r} is none of {', '.join(ANSWERS)}")
        return self.value.index(answer)

    def columns(self, answers: Sequence[str]) -> Int[Tensor, " answer"]:
        """The column of each answer, the targets of a cross entropy."""
        return torch.tensor([self.column(answer) for answer in answers], dtype=torch.long)


@dataclass(frozen=True)
class AnswerScores:
    """Scores of the three answers before the softmax, and the order of their columns."""

    logits: Float[Tensor, "question 3"]
    order: ClassOrder

    def to(self, order: ClassOrder) -> AnswerScores:
        """The same scores with their columns in another order."""
        if order is self.order:
            return self
        places = [self.order.column(answer) for answer in order.value]
        return AnswerScores(self.logits[:, places], order)

    def of(self, answer: str) -> Float[Tensor, " question"]:
        """The scores of one answer."""
        return self.logits[:, self.order.column(answer)]

    def probabilities(self) -> Float[Tensor, "question 3"]:
        """Probabilities in the order of `referee.games.ANSWERS`."""
        return self.to(ClassOrder.named(ANSWERS)).logits.softmax(dim=1)

    def cross_entropy(self, answers: Int[Tensor, " question"]) -> Float[Tensor, " question"]:
        """-log p of the given answers, which are columns of this order."""
        return torch.nn.functional.cross_entropy(self.logits, answers, reduction="none")
