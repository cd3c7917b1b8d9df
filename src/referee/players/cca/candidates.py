"""Writing an answer by choosing among candidates: answers that people gave to other questions.

Nothing is generated word by word, so that the ways of decoding have meanings of their own: `sample`
draws with replacement in proportion to the weights, `greedy` takes the candidates in order of their
scores, repeated texts and all, and `beam:k` the best k different ones. The log-likelihood of an answer
is that of a draw having its text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from referee.players.decoding import Decode
from referee.players.seats import Said
from referee.randomness import Stream

Floats = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Texts with the scores that order them and the weights with which they are drawn.

    Negative weights count as zero, and what weighs nothing is never said; where nothing weighs
    anything, all weigh the same.
    """

    texts: Sequence[str]
    scores: Floats
    weights: Floats

    def say(self, n: int, decode: Decode, key: int) -> list[Said]:
        """Up to n answers."""
        weights = np.maximum(np.asarray(self.weights, np.float64), 0)
        if not weights.any():
            weights = np.ones(len(self.texts))
        total = float(weights.sum())
        shares: dict[str, float] = {}
        for text, weight in zip(self.texts, weights.tolist(), strict=True):
            shares[text] = shares.get(text, 0.0) + weight / total
        if decode.kind == "sample":
            chosen = self._drawn(n, weights, key)
        else:
            order = np.argsort(-self.scores, kind="stable").tolist()
            chosen = [self.texts[place] for place in order if weights[place] > 0]
            if decode.kind == "beam":
                chosen = list(islice(dict.fromkeys(chosen), decode.width))
        return [Said(text, min(float(np.log(shares[text])), 0.0)) for text in chosen[:n]]

    def _drawn(self, n: int, weights: Floats, key: int) -> list[str]:
        ends = np.cumsum(weights).tolist()
        last = int(np.flatnonzero(weights)[-1])
        stream = Stream(key)
        draws = (stream.random() * ends[-1] for _ in range(n))
        return [self.texts[min(bisect_right(ends, draw), last)] for draw in draws]
