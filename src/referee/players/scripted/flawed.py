"""A guesser that is wrong in ways that are set: what a value says of it shows what the value is for."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.datasets.iconworld.truth import sight
from referee.games import ANSWERS, Belief
from referee.players.scripted.guessers import BayesGuesser
from referee.players.seats import View


class FlawedGuesser(BayesGuesser, frozen=True):
    r"""`BayesGuesser` with flaws, none of them unless it is set.

    - `ignores_no`: a No tells it nothing.
    - `left`: it leans to the left whatever is said: a candidate whose centre is at $x$ (0 the left edge,
      1 the right) weighs $e^{-\mathrm{left} \cdot x}$ times what it should.
    - `temperature` below 1: over-confident, $q_i \propto p_i^{1 / \mathrm{temperature}}$; above 1: timid.
    - `leak`: as GDSE's code does, it shares its probability with the empty ones of `slots` slots, each
      of which weighs this much of a mean candidate. `leaked` says what they get; the beliefs are over the
      candidates alone.
    """

    ignores_no: bool = False
    left: Annotated[float, Meta(ge=0)] = 0.0
    temperature: Annotated[float, Meta(gt=0)] = 1.0
    leak: Annotated[float, Meta(ge=0)] = 0.0
    slots: Annotated[int, Meta(ge=0)] = 20

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """What it makes of the answers."""
        return [self._bent(view, self._posterior(self._heard(view))) for view in views]

    def leaked(self, views: Sequence[View]) -> list[float]:
        """The share of each belief that went to empty slots."""
        return [self._lost(len(view.candidates)) for view in views]

    def _lost(self, candidates: int) -> float:
        weight = self.leak * max(self.slots - candidates, 0) / max(candidates, 1)
        return weight / (1 + weight)

    def _heard(self, view: View) -> View:
        if not self.ignores_no:
            return view
        kept = tuple([turn for turn in view.turns if turn.answer != ANSWERS[1]])
        return replace(view, turns=kept)

    def _bent(self, view: View, belief: Belief) -> Belief:
        weights = [p ** (1 / self.temperature) for p in belief.probabilities]
        if self.left and view.scene is not None:
            width = max(view.scene.width, 1.0)
            centres = [x / width for x, _ in sight(view.scene).centres]
            weights = [
                weight * exp(-self.left * at) for weight, at in zip(weights, centres, strict=True)
            ]
        total = sum(weights)
        return Belief(tuple([weight / total for weight in weights]), belief.source)
