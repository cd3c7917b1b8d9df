"""Guessers from knowing nothing to knowing the target; equal candidates are the arena's to order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.datasets.iconworld.language import parse
from referee.datasets.iconworld.truth import sight
from referee.errors import SeatError
from referee.games import ANSWERS, Belief
from referee.players.scripted.settings import Accuracy, Scripted
from referee.players.seats import View

_TINY = 1e-100
"""Weights below this are scaled up: a dialogue may be of any length."""


class RandomGuesser(Scripted, frozen=True):
    """Believes in every candidate alike, so that its guess is a lot."""

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """One over the number of candidates for each."""
        return [_normalised([1.0] * _candidates(view)) for view in views]


class PerfectGuesser(Scripted, frozen=True):
    """Knows the target: the most that any guesser can reach."""

    privileged = True

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """Everything on the target."""
        return [_certain(view) for view in views]


class BayesGuesser(Scripted, frozen=True):
    """Draws the conclusions that an oracle of known accuracy warrants, and no others.

    From equal chances for all things, p(thing | answers) is proportional to the product over the turns
    of p(answer | truth about the thing) of `NoisyOracle`: accuracy where they agree, the rest where
    not. Questions that are not understood tell it nothing. If no thing could have led to these
    answers, those remain that contradict the fewest.
    """

    accuracy: Accuracy = 0.9

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """The posterior over the things of each scene."""
        return [self._posterior(view) for view in views]

    def _posterior(self, view: View) -> Belief:
        scene = view.scene
        if scene is None:
            raise SeatError("guesses things in a scene; for GuessWhich there is scripted:listener")
        masks = sight(scene).masks
        weights = Weights(len(scene.things))
        right = self.accuracy
        for turn in view.turns:
            predicate = parse(turn.question)
            if predicate is None:
                continue
            yes, known = masks(predicate)
            if turn.answer == ANSWERS[2]:
                weights.hear(~known, right, 0.0)
                continue
            agree = yes if turn.answer == ANSWERS[0] else known & ~yes
            weights.hear(agree, right, 1 - right)
            if ~known & weights.everything:
                # A thing of which it is not known whether: the noisy oracle erred, either way.
                weights.hear(~known, 0.5, 1.0)
        return weights.belief()


class Weights:
    """Unnormalised probabilities, and how often each candidate was contradicted for certain."""

    __slots__ = ("_impossible", "_weights", "everything")

    def __init__(self, count: int) -> None:
        self._weights = [1.0] * count
        self._impossible = [0] * count
        self.everything = (1 << count) - 1

    def hear(self, agree: int, likely: float, otherwise: float) -> None:
        """What was heard is `likely` for the candidates in the mask, `otherwise` for the rest."""
        weights = self._weights
        for place in range(len(weights)):
            factor = likely if agree >> place & 1 else otherwise
            if factor:
                weights[place] *= factor
            else:
                self._impossible[place] += 1
        largest = max(weights)
        if largest < _TINY:
            self._weights = [weight / largest for weight in weights]

    def belief(self) -> Belief:
        """The candidates with the fewest contradictions, in proportion to their weights."""
        fewest = min(self._impossible)
        return _normalised(
            weight if impossible == fewest else 0.0
            for weight, impossible in zip(self._weights, self._impossible, strict=True)
        )


def _certain(view: View) -> Belief:
    if view.target is None:
        raise SeatError(f"game {view.game}: the perfect guesser was not shown the target")
    return Belief(tuple([float(each.id == view.target) for each in view.candidates]), "rules")


def _normalised(weights: Iterable[float]) -> Belief:
    kept = list(weights)
    total = sum(kept)
    return Belief(tuple([weight / total for weight in kept]), "rules")


def _candidates(view: View) -> int:
    return len(view.pool if view.scene is None else view.scene.things)
