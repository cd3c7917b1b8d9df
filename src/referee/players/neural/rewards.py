"""What a game is worth to REINFORCE: its success, and what each of its questions did.

    G_t = w_success [the guess is right] + sum_{s >= t} sum_k w_k [question s is k]

is the reward of every word of question t: what the game brings from that question on, without discount.
With success alone every word has the same, as published (facts 2.5). The kinds k are those of the
questions evaluation, worked out by the same function from the answers of the same oracle that plays:
effective, referring, and referring in context (`metrics.reference_set`). It is what the paper proposes at
its end, its measures as signals to learn from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.metrics.reference_set import ReferenceSets, reference_sets

SUCCESS = "success"
KINDS = {
    "effective": "effective",
    "referring": "referring",
    "referring_in_context": "in_context",
}
"""The rewards of a question, and what `ReferenceSets` calls them."""

_KNOWN = (SUCCESS, *KINDS)


@dataclass(frozen=True)
class Outcome:
    """A game that is over: whether it was won, and the answers about every thing, a row a question."""

    won: bool
    target: int
    about: Sequence[NDArray[np.int8]] = ()
    turns: int = 0


@dataclass(frozen=True)
class Reward:
    """The weight of each kind of reward."""

    weights: dict[str, float]

    @classmethod
    def parse(cls, text: str) -> Reward:
        """Reads `success,effective:0.1,referring:0.1`; a weight that is not given is 1.

        >>> Reward.parse("success,effective:0.1").weights
        {'success': 1.0, 'effective': 0.1}
        """
        weights: dict[str, float] = {}
        for part in text.split(","):
            name, colon, number = part.strip().partition(":")
            if name not in _KNOWN:
                raise UsageError(
                    f"--reward {text!r}: there is no reward {name!r} (there are {', '.join(_KNOWN)})"
                )
            if name in weights:
                raise UsageError(f"--reward {text!r}: {name} comes twice")
            weights[name] = _weight(text, name, number) if colon else 1.0
        return cls(weights)

    def __str__(self) -> str:
        return ",".join(f"{name}:{weight:g}" for name, weight in self.weights.items())

    @property
    def everything(self) -> bool:
        """Whether it takes answers about every thing, and not only about the target."""
        return any(name in self.weights for name in KINDS)

    def of(self, outcomes: Sequence[Outcome]) -> list[NDArray[np.float64]]:
        """For each game G_t of each question, and at the end that of what comes after the last one."""
        if not outcomes:
            return []
        turns = np.array([outcome.turns for outcome in outcomes], np.int64)
        earned = np.zeros(int(turns.sum()))
        if self.everything and len(earned):
            sets = judged(outcomes)
            for name, field in KINDS.items():
                earned += self.weights.get(name, 0.0) * getattr(sets, field)
        won = [self.weights.get(SUCCESS, 0.0) * outcome.won for outcome in outcomes]
        parts = np.split(earned, np.cumsum(turns)[:-1])
        return [
            final + np.append(np.cumsum(part[::-1])[::-1], 0.0)
            for part, final in zip(parts, won, strict=True)
        ]


def judged(outcomes: Sequence[Outcome]) -> ReferenceSets:
    """What each question of the games did; the answers must be about every thing."""
    rows = [row for outcome in outcomes for row in outcome.about]
    return reference_sets(
        np.concatenate(rows),
        np.array([len(it.about[0]) if it.turns else 1 for it in outcomes], np.int64),
        np.array([it.turns for it in outcomes], np.int64),
        np.array([it.target if it.turns else 0 for it in outcomes], np.int64),
    )


def _weight(text: str, name: str, number: str) -> float:
    try:
        weight = float(number)
    except ValueError:
        weight = float("nan")
    # The baseline of the published network ends in ReLU: it could not learn a negative reward.
    if not (isfinite(weight) and weight > 0):
        raise UsageError(
            f"--reward {text!r}: the weight of {name} is {number!r} (expected a number above 0)"
        )
    return weight
