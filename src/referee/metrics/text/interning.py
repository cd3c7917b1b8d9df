"""Texts as numbers: each distinct text is tokenised once, each distinct word becomes an int.

Hypotheses and references are both lists of texts, one list an item (a round), of any lengths. A metric
takes the two as `Texts` of one vocabulary and gives one row a hypothesis, in order: `offsets` says where
an item's rows begin. A blank hypothesis (a model that said nothing) has NaN, and so has every hypothesis
of an item without references: to be skipped and counted, not to be averaged as 0. A hypothesis that only
the tokeniser emptied is scored like any other, and matches nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.errors import UsageError

Tokenise: TypeAlias = Callable[[str], Sequence[str]]
Ints: TypeAlias = NDArray[np.int32]
Offsets: TypeAlias = NDArray[np.int64]
Marks: TypeAlias = NDArray[np.bool_]
Scores: TypeAlias = NDArray[np.float64]


class Sets(NamedTuple):
    """Which rows each item holds: `rows[offsets[i]:offsets[i + 1]]`."""

    rows: Offsets
    offsets: Offsets


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Lists of texts, one an item.

    distinct: the different texts, in order of appearance; tokens, starts: their words,
    `tokens[starts[t]:starts[t + 1]]`; blank: whether they hold nothing but white space, [distinct].
    index: which of them each text is, [texts]; offsets: where each item's texts begin, [items + 1].
    """

    vocabulary: Vocabulary
    distinct: tuple[str, ...]
    tokens: Ints
    starts: Offsets
    blank: Marks
    index: Ints
    offsets: Offsets

    @property
    def items(self) -> int:
        """How many lists there are."""
        return len(self.offsets) - 1

    @property
    def said(self) -> Marks:
        """Which texts are not blank, [texts]."""
        result: Marks = ~self.blank[self.index]
        return result

    @property
    def lengths(self) -> Offsets:
        """The number of words of each distinct text, [distinct]."""
        return np.diff(self.starts)

    def sets(self, base: int = 0) -> Sets:
        """Each item's rows in a table of distinct texts in which ours begin at `base`."""
        return Sets(self.index.astype(np.int64) + base, self.offsets)

    def together_with(self, references: Texts) -> None:
        """Refuses references that belong to other items or count words otherwise."""
        if self.vocabulary is not references.vocabulary:
            raise UsageError("hypotheses and references must be texts of one vocabulary")
        if self.items != references.items:
            raise UsageError(
                f"{self.items} lists of hypotheses and {references.items} reference sets"
            )


class Vocabulary:
    """Numbers words in order of appearance. It grows; the numbers it gave stay.

    >>> words = Vocabulary()
    >>> references = words.texts([["yes", "yes it is"], ["no"]])
    >>> hypotheses = words.texts([["it is", ""], ["it is"]])
    >>> hypotheses.distinct, hypotheses.index.tolist(), hypotheses.offsets.tolist()
    (('it is', ''), [0, 1, 0], [0, 2, 3])
    >>> references.tokens.tolist(), hypotheses.tokens.tolist(), len(words)
    ([0, 0, 1, 2, 3], [1, 2], 4)
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        """How many words it knows."""
        return len(self._numbers)

    def texts(self, lists: Iterable[Sequence[str]], tokenise: Tokenise = str.split) -> Texts:
        """The lists, interned; `tokenise` sees each distinct text once."""
        lists = lists if isinstance(lists, list) else list(lists)
        if any(isinstance(texts, str) for texts in lists):
            raise UsageError("an item is a list of texts, not a text")
        flat = list(chain.from_iterable(lists))
        places: defaultdict[str, int] = defaultdict()
        places.default_factory = places.__len__
        index = np.fromiter(map(places.__getitem__, flat), np.int32, len(flat))
        tokens, starts = self._tokens(places, tokenise)
        return Texts(
            vocabulary=self,
            distinct=tuple(places),
            tokens=tokens,
            starts=starts,
            blank=np.fromiter((not text.strip() for text in places), np.bool_, len(places)),
            index=index,
            offsets=_offsets(map(len, lists), len(lists)),
        )

    def _tokens(self, distinct: Iterable[str], tokenise: Tokenise) -> tuple[Ints, Offsets]:
        # Lists that die at once spare the collector a walk over all texts.
        words: list[str] = []
        lengths: list[int] = []
        for text in distinct:
            split = tokenise(text)
            if isinstance(split, str):
                raise UsageError("a tokeniser gives a list of words, not a text")
            words += split
            lengths.append(len(split))
        numbers = self._numbers
        for word in dict.fromkeys(words):
            numbers.setdefault(word, len(numbers))
        tokens = np.fromiter(map(numbers.__getitem__, words), np.int32, len(words))
        return tokens, _offsets(lengths, len(lengths))


def _offsets(lengths: Iterable[int], count: int) -> Offsets:
    result = np.zeros(count + 1, np.int64)
    np.cumsum(np.fromiter(lengths, np.int64, count), out=result[1:])
    return result
