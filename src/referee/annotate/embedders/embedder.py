"""What embeds texts: a model that works on distinct ones, and the store of those it has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.annotate.embedders.store import Store

Rows: TypeAlias = NDArray[np.float32]

_BATCH = 8192
"""So many texts are embedded before they are stored: an interrupt costs no more than these."""


class Model(Protocol):
    """Turns distinct texts into vectors; loads what it needs when it is first asked."""

    def vectors(self, texts: Sequence[str]) -> Rows:
        """The vectors, [len(texts), dimension]."""
        ...


@dataclass(frozen=True, eq=False)
class Embedder:
    """Embeds texts, each distinct one once on this machine.

    `version` is a hash of the model's files and of how they are used: equal versions give equal vectors,
    up to what the order of sums does to floats.
    """

    name: str
    version: str
    dimension: int
    model: Model
    store: Store

    def embed(self, texts: Sequence[str]) -> Rows:
        """The texts' vectors, 32-bit floats [len(texts), dimension]."""
        numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        distinct = list(numbers)
        vectors, found = self.store.get(distinct)
        missing = np.flatnonzero(~found)
        for start in range(0, len(missing), _BATCH):
            places = missing[start : start + _BATCH]
            asked = [distinct[place] for place in places]
            vectors[places] = self.model.vectors(asked)
            self.store.put(asked, vectors[places])
        return vectors[[numbers[text] for text in texts]]
