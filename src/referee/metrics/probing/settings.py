"""How the diagnostic classifier is trained, and the two rules that end it or slow it down."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from referee.errors import UsageError

Watched = Literal["f1", "loss"]
Adapting: TypeAlias = "Callable[[int], Training]"
"""How a classifier is trained on so many examples."""

UPDATES = 76
"""What an epoch of the paper has: 38,901 states in batches of 512."""

_RULES: tuple[tuple[tuple[str, ...], Callable[[float], bool], str], ...] = (
    (("batch", "epochs", "patience"), lambda x: x >= 1, "it must be at least 1"),
    (("stop_at", "report_at"), lambda x: 0 < x < 1, "a threshold lies inside (0, 1)"),
    (("learning_rate", "epsilon"), lambda x: 0 < x < math.inf, "it must be a number above 0"),
    (
        ("plateau_patience", "plateau_threshold"),
        lambda x: 0 <= x < math.inf,
        "it must be a number from 0 on",
    ),
    (("factor",), lambda x: 0 < x <= 1, "it must lie in (0, 1]"),
)
"""What each number must be: the names, what is right, and how it is said."""


@dataclass(frozen=True, slots=True)
class Training:
    """The settings of the paper's code where nothing else is said."""

    learning_rate: float = 1e-3
    betas: tuple[float, float] = (0.9, 0.9)
    """Of Adam; the second is 0.9 too, and not the usual 0.999."""
    epsilon: float = 1e-8
    batch: int = 512
    epochs: int = 50
    patience: int = 5
    """After so many epochs without a better value of what is watched, training ends."""
    watch: Watched = "f1"
    """What must grow better on the validation part: F1 at `stop_at`, or the loss."""
    stop_at: float = 0.75
    report_at: float = 0.5
    factor: float = 0.5
    """By which the learning rate is multiplied on a plateau."""
    plateau_patience: int = 5
    plateau_threshold: float = 1e-4
    """Which part of the best value a value must gain to end a plateau."""
    seed: int = 0

    def __post_init__(self) -> None:
        for names, right, rule in _RULES:
            for name in names:
                if not right(getattr(self, name)):
                    raise UsageError(f"{name} is {getattr(self, name)}: {rule}")
        if not all(0 <= beta < 1 for beta in self.betas):
            raise UsageError(f"betas are {self.betas}: each must lie in [0, 1)")

    def with_updates(self, examples: int) -> Training:
        """The same with batches so small that an epoch of these examples has the paper's 76 updates.

        Patience counts epochs: with some hundred games, and batches of 512, it would end a training
        that has hardly begun. Batches never grow.

        >>> Training().with_updates(760).batch, Training().with_updates(38_901).batch
        (10, 512)
        """
        return replace(self, batch=max(1, min(self.batch, math.ceil(examples / UPDATES))))


PAPERS: Adapting = Training().with_updates
"""The paper's settings, and its 76 updates an epoch."""


@dataclass(slots=True)
class Patience:
    """Early stopping: which epoch was best, and whether too many have passed since.

    >>> patience = Patience(2, "f1")
    >>> [patience.better(value) for value in (0.1, 0.3, 0.3, 0.2)], patience.over
    ([True, True, False, False], True)
    """

    patience: int
    watch: Watched
    best: float | None = None
    waited: int = 0

    def better(self, value: float) -> bool:
        """Takes the next epoch's value; whether it is the best so far."""
        higher = self.best is None or (
            value > self.best if self.watch == "f1" else value < self.best
        )
        if higher:
            self.best = value
        self.waited = 0 if higher else self.waited + 1
        return higher

    @property
    def over(self) -> bool:
        """Whether training ends here."""
        return self.waited >= self.patience


@dataclass(slots=True)
class Plateau:
    """The learning rate, which falls when what is watched has not gained for longer than its patience."""

    settings: Training
    rate: float = field(init=False)
    best: float | None = field(init=False, default=None)
    waited: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.rate = self.settings.learning_rate

    def step(self, value: float) -> None:
        """Takes the next epoch's value.

        A gain counts from `plateau_threshold` times the best value on.
        """
        if self.best is None or self._gained(value, self.best):
            self.best, self.waited = value, 0
        else:
            self.waited += 1
        if self.waited > self.settings.plateau_patience:
            self.rate *= self.settings.factor
            self.waited = 0

    def _gained(self, value: float, best: float) -> bool:
        part = self.settings.plateau_threshold
        if self.settings.watch == "f1":
            return value > best * (1 + part)
        return value < best * (1 - part)
