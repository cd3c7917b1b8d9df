"""The paraphrase table's phrases, read from bytes into a trie at compiled speed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.metrics.text.compiling import compiled

Octets: TypeAlias = NDArray[np.uint8]
Keys: TypeAlias = NDArray[np.uint64]
Ids: TypeAlias = NDArray[np.int32]
Counts: TypeAlias = NDArray[np.int64]

_WORDS, _LETTERS, _NODES, _RECORDS = range(4)
_NEWLINE = 10
_SPACE = 32
_PER_RECORD = 3
_WORD_BITS = 24


class _Store(NamedTuple):
    """Words in an open-addressing table by their bytes, nodes in one by (parent, word)."""

    counts: Counts
    letters: Octets
    word_starts: Counts
    word_slots: Ids
    node_keys: Keys
    node_slots: Ids
    left: Ids
    right: Ids


class PhraseTrie:
    r"""Grows by blocks of the table's text.

    >>> trie = PhraseTrie()
    >>> trie.add(b"0.5\na dog\ndogs\n0.25\ndogs\na d"), trie.records, trie.words()
    (15, 1, [b'a', b'dog', b'dogs'])
    """

    def __init__(self) -> None:
        self._store = _Store(
            counts=np.zeros(4, np.int64),
            letters=np.empty(0, np.uint8),
            word_starts=np.zeros(1, np.int64),
            word_slots=np.full(1, -1, np.int32),
            node_keys=np.empty(0, np.uint64),
            node_slots=np.full(1, -1, np.int32),
            left=np.empty(0, np.int32),
            right=np.empty(0, np.int32),
        )

    @property
    def records(self) -> int:
        """How many paraphrases there are."""
        return int(self._store.counts[_RECORDS])

    def holds_empty_phrases(self) -> bool:
        """Whether a record has a phrase without words."""
        records = self.records
        return any((side[:records] < 0).any() for side in (self._store.left, self._store.right))

    def add(self, block: bytes) -> int:
        """Takes the whole records of a block; how many bytes they were."""
        octets = np.frombuffer(block, np.uint8)
        lines = int(np.count_nonzero(octets == _NEWLINE))
        words = lines + int(np.count_nonzero(octets == _SPACE))
        counts = self._store.counts
        self._store = self._store._replace(
            letters=_grown(self._store.letters, counts[_LETTERS] + len(block)),
            word_starts=_grown(self._store.word_starts, counts[_WORDS] + words + 1),
            node_keys=_grown(self._store.node_keys, counts[_NODES] + words),
            left=_grown(self._store.left, counts[_RECORDS] + lines),
            right=_grown(self._store.right, counts[_RECORDS] + lines),
        )
        self._widen(words)
        return int(_add(octets, lines // _PER_RECORD, self._store))

    def _widen(self, more: int) -> None:
        store = self._store
        if 2 * (store.counts[_WORDS] + more) > len(store.word_slots):
            slots = np.full(_slots(store.counts[_WORDS] + more), -1, np.int32)
            _rehash_words(store, slots)
            store = store._replace(word_slots=slots)
        if 2 * (store.counts[_NODES] + more) > len(store.node_slots):
            slots = np.full(_slots(store.counts[_NODES] + more), -1, np.int32)
            _rehash_nodes(store, slots)
            store = store._replace(node_slots=slots)
        self._store = store

    def words(self) -> list[bytes]:
        """The words in order of appearance."""
        store = self._store
        letters = store.letters.tobytes()
        starts = store.word_starts[: store.counts[_WORDS] + 1].tolist()
        return [letters[a:b] for a, b in pairwise(starts)]

    def arrays(
        self, renumbered: NDArray[np.int64], words: int
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]:
        """child_starts, child_words, entry_starts and entries, when word w is called renumbered[w].

        Nodes are numbered level by level, by parent and then by word; the first level is all words.
        """
        store, count = self._store, int(self._store.counts[_NODES])
        keys = store.node_keys[:count]
        parents = (keys >> np.uint64(_WORD_BITS)).astype(np.int32) - 1
        last = renumbered.astype(np.int32)[
            (keys & np.uint64((1 << _WORD_BITS) - 1)).astype(np.int32)
        ]
        new = np.where(parents < 0, last, -1)
        above, child_words = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
        level, following = np.flatnonzero(parents < 0), words
        marked = np.zeros(count + 1, np.bool_)
        while True:
            marked[:] = False
            marked[level] = True
            level = np.flatnonzero(marked[parents] & (parents >= 0))
            if not len(level):
                break
            level = level[np.lexsort((last[level], new[parents[level]]))]
            new[level] = following + np.arange(len(level))
            following += len(level)
            above.append(new[parents[level]])
            child_words.append(last[level])
        children = np.bincount(np.concatenate(above) + 1, minlength=following + 1)
        records = self.records
        left, right = new[store.left[:records]], new[store.right[:records]]
        return (
            _narrow(words + np.cumsum(children)),
            _narrow(np.concatenate(child_words)),
            _narrow(np.concatenate([[0], np.cumsum(np.bincount(left, minlength=following))])),
            _narrow(right[np.argsort(left, kind="stable")]),
        )


def _narrow(numbers: NDArray[Any]) -> NDArray[np.uint32]:
    return numbers.astype(np.uint32)


def _slots(count: int) -> int:
    return 1 << int(4 * count).bit_length()


def _grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    if size <= len(array):
        return array
    result = np.empty(max(int(size), 3 * len(array) // 2), array.dtype)
    result[: len(array)] = array
    return result


@compiled
def _hash(octets: Octets, begin: int, end: int) -> Any:
    value = np.uint64(0xCBF29CE484222325)
    for place in range(begin, end):
        value = (value ^ np.uint64(octets[place])) * np.uint64(0x100000001B3)
    return value ^ (value >> np.uint64(29))


@compiled
def _mixed(key: Any) -> Any:
    value = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return value ^ (value >> np.uint64(32))


@compiled
def _rehash_words(store: _Store, slots: Ids) -> None:
    mask = np.uint64(len(slots) - 1)
    for word in range(store.counts[_WORDS]):
        at = _hash(store.letters, store.word_starts[word], store.word_starts[word + 1]) & mask
        while slots[at] >= 0:
            at = (at + np.uint64(1)) & mask
        slots[at] = word


@compiled
def _rehash_nodes(store: _Store, slots: Ids) -> None:
    mask = np.uint64(len(slots) - 1)
    for node in range(store.counts[_NODES]):
        at = _mixed(store.node_keys[node]) & mask
        while slots[at] >= 0:
            at = (at + np.uint64(1)) & mask
        slots[at] = node


@compiled
def _word(octets: Octets, begin: int, end: int, store: _Store) -> Any:
    mask = np.uint64(len(store.word_slots) - 1)
    at = _hash(octets, begin, end) & mask
    while store.word_slots[at] >= 0:
        word = store.word_slots[at]
        start = store.word_starts[word]
        if store.word_starts[word + 1] - start == end - begin:
            same = True
            for place in range(end - begin):
                if store.letters[start + place] != octets[begin + place]:
                    same = False
                    break
            if same:
                return word
        at = (at + np.uint64(1)) & mask
    word = store.counts[_WORDS]
    store.word_slots[at] = word
    start = store.word_starts[word]
    for place in range(end - begin):
        store.letters[start + place] = octets[begin + place]
    store.word_starts[word + 1] = start + end - begin
    store.counts[_WORDS] = word + 1
    store.counts[_LETTERS] = start + end - begin
    return word


@compiled
def _node(parent: int, word: int, store: _Store) -> Any:
    """The child of a node by a word, made where there is none; -1 is the root."""
    key = (np.uint64(parent + 1) << np.uint64(_WORD_BITS)) | np.uint64(word)
    mask = np.uint64(len(store.node_slots) - 1)
    at = _mixed(key) & mask
    while store.node_slots[at] >= 0:
        if store.node_keys[store.node_slots[at]] == key:
            return store.node_slots[at]
        at = (at + np.uint64(1)) & mask
    node = store.counts[_NODES]
    store.node_slots[at] = node
    store.node_keys[node] = key
    store.counts[_NODES] = node + 1
    return node


@compiled
def _line_end(octets: Octets, begin: int) -> int:
    while octets[begin] != _NEWLINE:
        begin += 1
    return begin


@compiled
def _phrase(octets: Octets, begin: int, end: int, store: _Store) -> int:
    node = -1
    start = begin
    for place in range(begin, end + 1):
        if place == end or octets[place] == _SPACE:
            if place > start:
                node = _node(node, _word(octets, start, place, store), store)
            start = place + 1
    return node


@compiled
def _add(octets: Octets, records: int, store: _Store) -> int:
    begin = 0
    for _ in range(records):
        first = _line_end(octets, begin)
        second = _line_end(octets, first + 1)
        third = _line_end(octets, second + 1)
        record = store.counts[_RECORDS]
        store.left[record] = _phrase(octets, first + 1, second, store)
        store.right[record] = _phrase(octets, second + 1, third, store)
        store.counts[_RECORDS] = record + 1
        begin = third + 1
    return begin
