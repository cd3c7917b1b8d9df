"""Oracles that read the scene's truth; what they do not understand is N/A."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from referee.datasets.iconworld.language import parse
from referee.datasets.iconworld.truth import sight
from referee.players.scripted.settings import Accuracy, Scripted
from referee.players.seats import Query
from referee.randomness import mix, uniform

YES, NO, NOT_APPLICABLE = range(3)

_CERTAIN = np.eye(3)


def truth(query: Query) -> int:
    """The right answer about a thing, as its place in `ANSWERS`."""
    predicate = parse(query.question)
    if predicate is None:
        return NOT_APPLICABLE
    yes, known = sight(query.scene).masks(predicate)
    if yes >> query.thing & 1:
        return YES
    return NO if known >> query.thing & 1 else NOT_APPLICABLE


class PerfectOracle(Scripted, frozen=True):
    """Always right and always certain."""

    def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """All of the probability on the right answer."""
        return _CERTAIN[list(map(truth, queries))]


class NoisyOracle(Scripted, frozen=True):
    """Right in a set share of its answers, and as certain as it is often right.

    It takes Yes for No and No for Yes; where N/A is right and it errs, it says either. The answers
    about the things of one scene err independently of one another.
    """

    accuracy: Accuracy = 0.9

    def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """`accuracy` on what it says, the rest on what it may have taken for it."""
        right = self.accuracy
        said = np.array(
            [
                [right, 1 - right, 0],
                [1 - right, right, 0],
                [(1 - right) / 2, (1 - right) / 2, right],
            ]
        )
        return said[[self._says(query) for query in queries]]

    def _says(self, query: Query) -> int:
        draw, right = mix(query.key, query.thing), truth(query)
        if uniform(draw) < self.accuracy:
            return right
        if right == NOT_APPLICABLE:
            return mix(draw, 0) & 1
        return NO if right == YES else YES
