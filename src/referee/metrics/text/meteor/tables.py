"""The arrays of METEOR's language data: known words, their synonym sets, and the paraphrase table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.bytes_]
Numbers: TypeAlias = NDArray[np.uint32]

_ENDINGS = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("s", ""),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", ""),
    ("est", ""),
    ("er", "e"),
    ("est", "e"),
)
"""WordNet's detachment rules for nouns, verbs and adjectives, in its order: (ending, becomes)."""

_UNCHANGED_UP_TO = 2


@dataclass(frozen=True)
class Tables:
    """What METEOR 1.5 knows of a language, as arrays that may lie in a memory-mapped file.

    words: every known word in UTF-8, sorted, [words]; a word's number is its place there.
    synset_starts, synsets: the synset numbers of word w, `synsets[synset_starts[w]:synset_starts[w + 1]]`.
    base_starts, bases: the base forms of word w where it is an irregular form, likewise.
    child_starts, child_words: the phrases as a trie whose first nodes are the words: the children of
        node p are `child_starts[p]` to `child_starts[p + 1]`, child c adds the word
        `child_words[c - words]`, ascending among siblings.
    entry_starts, entries: the paraphrases of the phrase that ends at node p, as nodes, in the table's
        order.
    function_words: the words that count less.
    always, before_numbers: the words that keep their full stop.
    """

    words: Bytes
    synset_starts: Numbers
    synsets: Numbers
    base_starts: Numbers
    bases: Numbers
    child_starts: Numbers
    child_words: Numbers
    entry_starts: Numbers
    entries: Numbers
    function_words: frozenset[str]
    always: frozenset[str]
    before_numbers: frozenset[str]

    def numbers(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The number of each word, -1 where it is not known, [words]."""
        width = self.words.dtype.itemsize
        coded = [word.encode("utf-8", "surrogatepass") for word in words]
        # Numpy drops NUL bytes at the end, and would cut what is longer than the longest known word.
        fits = np.fromiter(
            (0 < len(code) <= width and b"\0" not in code for code in coded), np.bool_, len(coded)
        )
        asked = np.array(
            [code if fit else b"" for code, fit in zip(coded, fits, strict=True)], self.words.dtype
        )
        places = np.minimum(np.searchsorted(self.words, asked), max(len(self.words) - 1, 0))
        if not len(self.words):
            return np.full(len(coded), -1)
        return np.where(fits & (self.words[places] == asked), places, -1)

    def synset_numbers(self, words: Sequence[str]) -> list[set[int]]:
        """The numbers by which each word finds its synonyms: its own, and its bases' or its stem's.

        A word is one of an irregular form's bases, or it loses an ending by the first rule that leads to
        a word with synsets; the two are not chained.
        """
        numbers = self.numbers(words)
        result = [self._of(number) for number in numbers]
        regular: list[int] = []
        for row, number in enumerate(numbers):
            bases = self._bases(number)
            for base in bases:
                result[row] |= self._of(base)
            if not bases:
                regular.append(row)
        self._add_regular(words, regular, result)
        return result

    def _add_regular(
        self, words: Sequence[str], rows: Iterable[int], result: list[set[int]]
    ) -> None:
        owners, shorter = [], []
        for row in rows:
            word = words[row]
            if len(word) <= _UNCHANGED_UP_TO or word.endswith("ss"):
                continue
            for ending, becomes in _ENDINGS:
                if word.endswith(ending):
                    owners.append(row)
                    shorter.append(word[: len(word) - len(ending)] + becomes)
        done = set()
        for row, number in zip(owners, self.numbers(shorter), strict=True):
            found = self._of(number)
            if found and row not in done:
                done.add(row)
                result[row] |= found

    def _of(self, word: int) -> set[int]:
        return _slice(self.synset_starts, self.synsets, word)

    def _bases(self, word: int) -> set[int]:
        return _slice(self.base_starts, self.bases, word)


def _slice(starts: Numbers, values: Numbers, row: int) -> set[int]:
    return set() if row < 0 else set(values[starts[row] : starts[row + 1]].tolist())


def grouped(rows: Mapping[int, Sequence[int]], count: int) -> tuple[Numbers, Numbers]:
    """Lists by row as starts, [count + 1], and values."""
    lengths = np.zeros(count + 1, np.uint32)
    for row, values in rows.items():
        lengths[row + 1] = len(values)
    flat = [value for row in sorted(rows) for value in rows[row]]
    return np.cumsum(lengths, dtype=np.uint32), np.array(flat, np.uint32)


def tables_of(
    synsets: Mapping[str, Sequence[int]],
    paraphrases: Sequence[tuple[str, str]] = (),
    function_words: Iterable[str] = (),
    bases: Mapping[str, Sequence[str]] | None = None,
) -> Tables:
    """Small tables written out by hand; no word keeps its full stop.

    >>> tables = tables_of({"dog": [7]}, [("a dog", "dogs"), ("a dog", "hounds")])
    >>> tables.words.tolist(), tables.synset_numbers(["dogs", "dog", "cat"])
    ([b'a', b'dog', b'dogs', b'hounds'], [{7}, {7}, set()])
    """
    bases = bases or {}
    phrases = [tuple(phrase.split()) for pair in paraphrases for phrase in pair]
    known = {*synsets, *bases, *(base for found in bases.values() for base in found)}
    words = sorted({word.encode() for word in known.union(*phrases)})
    place = {word.decode(): number for number, word in enumerate(words)}
    paths = {
        tuple(place[w] for w in phrase[:k]) for phrase in phrases for k in range(len(phrase) + 1)
    }
    paths |= {(number,) for number in place.values()}
    nodes = {
        path: node for node, path in enumerate(sorted(paths - {()}, key=lambda p: (len(p), p)))
    }
    children: dict[int, list[int]] = {}
    for path in list(nodes)[len(words) :]:
        children.setdefault(nodes[path[:-1]], []).append(path[-1])
    entries: dict[int, list[int]] = {}
    ends = [nodes[tuple(place[word] for word in phrase)] for phrase in phrases]
    for left, right in zip(ends[::2], ends[1::2], strict=True):
        entries.setdefault(left, []).append(right)
    arrays = (
        *grouped({place[word]: found for word, found in synsets.items()}, len(words)),
        *grouped({place[form]: [place[b] for b in of] for form, of in bases.items()}, len(words)),
        *grouped(children, len(nodes)),
        *grouped(entries, len(nodes)),
    )
    arrays[4][:] += len(words)
    for array in arrays:
        array.setflags(write=False)
    return Tables(
        np.array(words, np.bytes_), *arrays, frozenset(function_words), frozenset(), frozenset()
    )
