"""N-grams as numbers: every run of one to four words of every distinct text, counted.

An n-gram is known by the number of its first n - 1 words and its last word, so equal numbers mean equal
words: no hash decides. A text lists its n-grams in order of appearance, so that a sum over them has the
same order whatever else is scored beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.metrics.text.compiling import compiled
from referee.metrics.text.interning import Ints, Offsets, Sets, Texts

Keys: TypeAlias = NDArray[np.uint64]

ORDERS = 4

_NO_PREFIX = np.uint64(0xFFFFFFFF)
_FREE = np.uint64(0xFFFFFFFFFFFFFFFF)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_WORD_BITS = np.uint64(32)
_KEY_BITS = 64


class Grams(NamedTuple):
    """The distinct n-grams of each row (a distinct text), and how often they occur in it.

    Those of row t and order n are `starts[ORDERS * t + n - 1]` to `starts[ORDERS * t + n]`.
    """

    ids: Ints
    counts: Ints
    starts: Offsets


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """The n-grams of several `Texts` in one table; `sets` says which rows the items of each hold."""

    grams: Grams
    distinct: int
    sets: tuple[Sets, ...]


def counted(*groups: Texts) -> Counted:
    """The n-grams of the groups, which share a vocabulary.

    >>> from referee.metrics.text.interning import Vocabulary
    >>> texts = Vocabulary().texts([["so so so"]])
    >>> table = counted(texts)
    >>> table.grams.counts.tolist(), table.grams.starts.tolist(), table.distinct
    ([3, 2, 1], [0, 1, 2, 3, 3], 3)
    """
    bases = np.cumsum([0] + [len(group.distinct) for group in groups]).tolist()
    tokens = np.concatenate([group.tokens for group in groups])
    lengths = np.concatenate([group.lengths for group in groups])
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    grams = _grams(tokens, starts)
    return Counted(
        grams=grams,
        distinct=int(grams.ids.max(initial=-1)) + 1,
        sets=tuple(group.sets(base) for group, base in zip(groups, bases, strict=False)),
    )


def _grams(tokens: Ints, starts: Offsets) -> Grams:
    lengths = np.diff(starts)
    bound = sum(int(np.maximum(lengths - order, 0).sum()) for order in range(ORDERS))
    bits = max(2 * bound, 8).bit_length()
    keys = np.full(1 << bits, _FREE)
    ids = np.empty(bound, np.int32)
    counts = np.zeros(bound, np.int32)
    rows = np.zeros(ORDERS * len(lengths) + 1, np.int64)
    end = _fill(Grams(tokens, tokens, starts), keys, Grams(ids, counts, rows))
    return Grams(ids[:end].copy(), counts[:end].copy(), rows)


@compiled
def _fill(texts: Grams, keys: Keys, grams: Grams) -> int:
    """Writes the n-grams of the texts (`ids` and `starts` of which are words) and says how many."""
    values = np.empty(len(keys), np.int32)
    last_seen = np.full(len(grams.ids), -1, np.int64)
    shift = np.uint64(_KEY_BITS)
    slots = len(keys)
    while slots > 1:
        slots //= 2
        shift -= np.uint64(1)
    known = 0
    end = 0
    for text in range(len(texts.starts) - 1):
        first = texts.starts[text]
        length = texts.starts[text + 1] - first
        prefixes = np.empty(length, np.int32)
        for order in range(ORDERS):
            begin = end
            for place in range(length - order):
                prefix = _NO_PREFIX if order == 0 else np.uint64(prefixes[place])
                word = np.uint64(texts.ids[first + place + order])
                key = (prefix << _WORD_BITS) | word
                slot = _slot(keys, key, shift)
                if keys[slot] == _FREE:
                    keys[slot] = key
                    values[slot] = known
                    known += 1
                gram = values[slot]
                prefixes[place] = gram
                if last_seen[gram] < begin:
                    last_seen[gram] = end
                    grams.ids[end] = gram
                    end += 1
                grams.counts[last_seen[gram]] += 1
            grams.starts[ORDERS * text + order + 1] = end
    return end


@compiled
def _slot(keys: Keys, key: np.uint64, shift: np.uint64) -> np.int64:
    """Where the key is, or the free place where it belongs."""
    slot = np.int64((key * _SPREAD) >> shift)
    while keys[slot] not in (key, _FREE):
        slot = (slot + 1) & (len(keys) - 1)
    return slot
