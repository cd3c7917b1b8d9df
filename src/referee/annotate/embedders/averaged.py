"""Averaged word vectors, as DenseVisDial's FastText score takes them (visdial.md 2.7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.annotate.embedders.embedder import Rows
from referee.datasets.vectors import Vectors
from referee.metrics.text.profiles import fasttext_words


class Averaged:
    """The mean vector of a text's words, each as often as it comes.

    A word without a vector counts as one of zeros; a text without words is a vector of zeros.
    """

    RECIPE = "mean of words 1"

    def __init__(self, table: Vectors) -> None:
        self.table = table

    def vectors(self, texts: Sequence[str]) -> Rows:
        """The vectors, [len(texts), dimension]."""
        from scipy.sparse import csr_array

        split = [fasttext_words(text) for text in texts]
        numbers: dict[str, int] = {}
        columns = [numbers.setdefault(word, len(numbers)) for words in split for word in words]
        starts = np.cumsum([0, *map(len, split)])
        shape = len(texts), len(numbers)
        if not numbers:
            return np.zeros((len(texts), self.table.dimension), np.float32)
        counts = csr_array((np.ones(len(columns)), columns, starts), shape)
        found, _ = self.table.vectors(list(numbers))
        sums = counts @ found.astype(np.float64)
        result: Rows = (sums / np.maximum(np.diff(starts), 1)[:, None]).astype(np.float32)
        return result
