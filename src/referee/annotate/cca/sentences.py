"""Sentences as the mean of their words' vectors, as the published CCA has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from referee.datasets.vectors import Vectors
from referee.errors import UsageError
from referee.metrics.text.profiles import sentence_words

PAD, END, UNKNOWN = "<PAD>", "<EOS>", "<UNK>"
SPECIAL = (PAD, END, UNKNOWN)


class Recipe(Struct, frozen=True):
    """What decides the vector of a sentence, beside the word vectors. The defaults are the published."""

    length: int = 16
    """Words beyond so many do not count; the end of the sentence is one of them."""
    least_count: int = 5
    """Words that the training texts have less often are unknown."""
    end: bool = True
    """Whether the end of the sentence is a word: its vector is averaged in."""

    def __post_init__(self) -> None:
        """A sentence has room for a word."""
        if self.length < 1 + self.end or self.least_count < 1:
            raise UsageError(
                f"sentences of {self.length} words, words seen {self.least_count} times: too few"
            )


@dataclass(frozen=True, eq=False)
class Sentences:
    """Embeds sentences: the vocabulary, its vectors [special and other words, d], and the recipe."""

    words: tuple[str, ...]
    table: NDArray[np.float32]
    recipe: Recipe = field(default_factory=Recipe)

    @property
    def dimension(self) -> int:
        """The length of a sentence's vector."""
        return int(self.table.shape[1])

    def embed(self, texts: Sequence[str], *, block: int = 8192) -> NDArray[np.float32]:
        """The vectors of some texts, [len(texts), d]: the sum over their words / the number of words.

        A word without a vector counts in the number; a text without words is zero (with the end as a
        word, it is that word).
        """
        from scipy.sparse import csr_array

        found = np.zeros((len(texts), self.dimension), np.float32)
        for first in range(0, len(texts), block):
            rows = [self.numbers(text) for text in texts[first : first + block]]
            lengths = np.array([len(row) for row in rows])
            starts = np.concatenate([[0], np.cumsum(lengths)])
            entries = np.array([number for row in rows for number in row], np.int64)
            ones = np.ones(len(entries), np.float32)
            counts = csr_array((ones, entries, starts), (len(rows), len(self.table)))
            divisors = np.maximum(lengths, 1).astype(np.float32)[:, None]
            found[first : first + block] = (counts @ self.table) / divisors
        return found

    def numbers(self, text: str) -> list[int]:
        """The rows of the table that the words of a text have, cut to the recipe's length."""
        recipe, places = self.recipe, self._places
        words = sentence_words(text)[: recipe.length - recipe.end]
        unknown = SPECIAL.index(UNKNOWN)
        found = [places.get(word, unknown) for word in words]
        return [*found, SPECIAL.index(END)] if recipe.end else found

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words, len(SPECIAL))}


def sentences(texts: Iterable[str], vectors: Vectors, recipe: Recipe | None = None) -> Sentences:
    """The embedding whose vocabulary is the words of some texts, in the order in which they come first.

    The end of the sentence and the unknown word have the vectors that the table gives the very texts
    "<EOS>" and "<UNK>": fastText makes them of n-grams, GloVe has none and they are zero.
    """
    recipe = recipe or Recipe()
    counts: Counter[str] = Counter()
    for text, times in Counter(texts).items():
        for word in sentence_words(text):
            counts[word] += times
    words = tuple(word for word, count in counts.items() if count >= recipe.least_count)
    table, _ = vectors.vectors([*SPECIAL, *words])
    table[SPECIAL.index(PAD)] = 0
    return Sentences(words, table, recipe)
