"""Which words and phrases of given sentences match one another, computed once for all sentences.

Modules in METEOR's order: 0 exact, 1 stem, 2 synonym, 3 paraphrase.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.metrics.text.compiling import compiled
from referee.metrics.text.meteor.stemmer import stem
from referee.metrics.text.meteor.tables import Tables

Ints: TypeAlias = NDArray[np.int32]
Marks: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.int64]

EXACT, STEM, SYNONYM, PARAPHRASE = range(4)
LONGEST = 8
"""No phrase of the table has so many words."""


class Words(NamedTuple):
    """Per word: the class of equal words and whether it is a function word, [words]; and the relations.

    The words related to word w by module m are `other[starts[m, w]:starts[m, w + 1]]`.
    """

    same: Ints
    function: Marks
    starts: Places
    other: Ints


class Phrases(NamedTuple):
    """Where sentences hold phrases of the paraphrase table, and which phrases paraphrase which.

    Sentence s holds the phrases `phrase[k]` of `length[k]` words at `place[k]`, k from starts[s] to
    starts[s + 1], by place and then by length. Phrase p is paraphrased by `right[k]`, k from
    right_starts[p] to right_starts[p + 1], in the table's order; it paraphrases `left[k]`, k from
    left_starts[p], being entry `entry[k]` of the list of `left[k]`.
    """

    starts: Places
    place: Ints
    length: Ints
    phrase: Ints
    right_starts: Places
    right: Ints
    left_starts: Places
    left: Ints
    entry: Ints


def java_hash(word: str) -> int:
    """Java's 32-bit hash of a string, by which METEOR compares words.

    >>> java_hash("an") == java_hash("c0")
    True
    """
    units = np.frombuffer(word.encode("utf-16-le", "surrogatepass"), np.uint16).tolist()
    value = 0
    for unit in units:
        value = (31 * value + unit) & 0xFFFFFFFF
    return value


def word_relations(words: Sequence[str], wanted: Marks, tables: Tables) -> Words:
    """The three single-word modules over a vocabulary, towards the words `wanted`, [words]."""
    rows = np.arange(len(words))
    same = _classes([java_hash(word) for word in words])
    stems = _classes([java_hash(stem(word)) for word in words])
    numbers = tables.synset_numbers(words)
    owners = np.repeat(rows, [len(found) for found in numbers])
    synsets = np.fromiter((n for found in numbers for n in found), np.int64, len(owners))
    modules = [
        _sharing(same, rows),
        _different(_sharing(stems, rows), same),
        _different(_sharing(synsets, owners), same),
    ]
    starts = np.zeros((len(modules), len(words) + 1), np.int64)
    total = 0
    modules = [pairs[:, wanted[pairs[1]]] for pairs in modules]
    for module, pairs in enumerate(modules):
        counts = np.bincount(pairs[0], minlength=len(words))
        starts[module] = total + np.concatenate([[0], np.cumsum(counts)])
        total += len(pairs[0])
    return Words(
        same=same.astype(np.int32),
        function=np.array([word in tables.function_words for word in words], np.bool_),
        starts=starts,
        other=np.concatenate([pairs[1] for pairs in modules]).astype(np.int32),
    )


def _classes(keys: Sequence[int]) -> Places:
    classes: Places = np.unique(np.array(keys, np.int64), return_inverse=True)[1]
    return classes


def _sharing(keys: Places, members: Places) -> Places:
    """The distinct pairs of members that share a key (each also with itself), sorted, [2, pairs]."""
    order = np.argsort(keys, kind="stable")
    keys, members = keys[order], members[order]
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))[: len(keys)]
    sizes = np.diff(np.append(first, len(keys)))
    size = np.repeat(sizes, sizes)
    begin = np.repeat(first, sizes)
    left = np.repeat(members, size)
    ends = np.cumsum(size)
    within = np.arange(len(left)) - np.repeat(ends - size, size)
    right = members[np.repeat(begin, size) + within]
    width = int(members.max(initial=0)) + 1
    return np.stack(np.divmod(np.unique(left * width + right), width))


def _different(pairs: Places, same: Places) -> Places:
    return pairs[:, same[pairs[0]] != same[pairs[1]]]


def phrase_relations(
    tokens: Ints, starts: Places, wanted: Marks, numbers: Places, tables: Tables
) -> Phrases:
    """The paraphrase module over sentences, towards the sentences `wanted`, [sentences].

    `numbers` gives each word's number in the tables.
    """
    known = numbers[tokens]
    arrays = [np.asarray(a) for a in (tables.child_starts, tables.child_words)]
    places = np.empty((len(tokens) * LONGEST, 3), np.int32)
    found = np.zeros(len(starts), np.int64)
    count = _occurrences(known, starts, len(tables.words), arrays[0], arrays[1], places, found)
    places = places[:count]
    nodes, phrase = np.unique(places[:, 2], return_inverse=True)
    entry_starts, entries = np.asarray(tables.entry_starts), np.asarray(tables.entries)
    right_starts, right = _restricted(nodes, entry_starts, entries)
    left_starts, left, entry = _transposed(right_starts, right)
    sentence = np.repeat(np.arange(len(wanted)), np.diff(found))
    sought = np.zeros(len(nodes), np.bool_)
    sought[phrase[wanted[sentence]]] = True
    right_starts, right = _kept(right_starts, sought[right], right)
    left_starts, left, entry = _kept(left_starts, sought[left], left, entry)
    related = (np.diff(right_starts) > 0) | (np.diff(left_starts) > 0)
    related[right] = related[left] = True
    starts, place, length, phrase = _kept(
        found, related[phrase], places[:, 0], places[:, 1], phrase
    )
    return Phrases(starts, place, length, phrase, right_starts, right, left_starts, left, entry)


def _kept(starts: Places, keep: Marks, *columns: NDArray[Any]) -> tuple[Any, ...]:
    """Lists one after the other, as starts and columns, with only the marked rows."""
    counts = np.concatenate([[0], np.cumsum(keep)])
    return counts[starts], *(column[keep].astype(np.int32) for column in columns)


@compiled
def _child(word: int, low: Any, high: Any, words: int, child_words: Any) -> Any:
    """The node among siblings that adds a word, or -1."""
    end = high
    while low < high:
        middle = (low + high) >> 1
        if child_words[middle - words] < word:
            low = middle + 1
        else:
            high = middle
    return low if low < end and child_words[low - words] == word else -1


@compiled
def _occurrences(
    known: Places,
    starts: Places,
    words: int,
    child_starts: Any,
    child_words: Any,
    places: Ints,
    found: Places,
) -> int:
    """Writes (place, length, node) of every path of the trie in every sentence."""
    count = 0
    for sentence in range(len(starts) - 1):
        for place in range(starts[sentence], starts[sentence + 1]):
            node = known[place]
            length = 1
            while node >= 0:
                places[count, 0] = place - starts[sentence]
                places[count, 1] = length
                places[count, 2] = node
                count += 1
                following = place + length
                if following >= starts[sentence + 1] or known[following] < 0:
                    break
                low, high = np.int64(child_starts[node]), np.int64(child_starts[node + 1])
                node = _child(known[following], low, high, words, child_words)
                length += 1
        found[sentence + 1] = count
    return count


@compiled
def _restricted(nodes: Ints, entry_starts: Any, entries: Any) -> tuple[Places, Ints]:
    """The entries of the given nodes that lead to given nodes, both as rows of `nodes`."""
    rows = np.full(len(entry_starts) - 1, -1, np.int32)
    for row in range(len(nodes)):
        rows[nodes[row]] = row
    starts = np.zeros(len(nodes) + 1, np.int64)
    for row in range(len(nodes)):
        count = 0
        for place in range(entry_starts[nodes[row]], entry_starts[nodes[row] + 1]):
            count += rows[entries[place]] >= 0
        starts[row + 1] = starts[row] + count
    right = np.empty(starts[-1], np.int32)
    at = 0
    for row in range(len(nodes)):
        for place in range(entry_starts[nodes[row]], entry_starts[nodes[row] + 1]):
            other = rows[entries[place]]
            if other >= 0:
                right[at] = other
                at += 1
    return starts, right


@compiled
def _transposed(right_starts: Places, right: Ints) -> tuple[Places, Ints, Ints]:
    rows = len(right_starts) - 1
    starts = np.zeros(rows + 1, np.int64)
    for other in right:
        starts[other + 1] += 1
    for row in range(rows):
        starts[row + 1] += starts[row]
    filled = starts[:-1].copy()
    left = np.empty(len(right), np.int32)
    entry = np.empty(len(right), np.int32)
    for row in range(rows):
        for place in range(right_starts[row], right_starts[row + 1]):
            other = right[place]
            left[filled[other]] = row
            entry[filled[other]] = place - right_starts[row]
            filled[other] += 1
    return starts, left, entry
