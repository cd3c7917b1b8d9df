"""The candidate matches of two sentences, in the order that decides METEOR's ties.

A hypothesis is spread out once over the words and phrases that match it; then each reference reads off
its candidates with one look-up a word.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.metrics.text.compiling import compiled
from referee.metrics.text.meteor.relations import EXACT, PARAPHRASE, Phrases, Words

Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Marks: TypeAlias = NDArray[np.bool_]

PLACE, LENGTH, MODULE, ENTRY = range(4)
COLUMNS = 4
"""A candidate: the hypothesis word where it begins, the words covered on the hypothesis' side; the module;
the words covered on the reference's side stand apart (`spans`)."""


class Spread(NamedTuple):
    """Linked lists of a hypothesis' matches, by the reference's word or phrase.

    heads: the first link of words (row 0), of phrases by direction A and by B (rows 1 and 2), or -1.
    sizes: how many links there are, likewise. links: (next, place, length, module, entry) of each.
    touched: the heads to clear before the next hypothesis, as row and column. used: links and touched.
    """

    heads: Ints
    sizes: Ints
    links: Ints
    touched: Ints
    used: Longs


class Candidates(NamedTuple):
    """The candidates of a sentence pair, by the reference word where they begin.

    starts: those of word j are rows starts[j] to starts[j + 1]; rows: the columns above; spans: words
    covered on the reference's side; covered_reference, covered_hypothesis: by how many candidates.
    """

    starts: Ints
    rows: Ints
    spans: Ints
    covered_reference: Ints
    covered_hypothesis: Ints


@compiled
def links_needed(tokens: Ints, sentence: int, starts: Longs, words: Words, phrases: Phrases) -> int:
    """How many links a hypothesis takes."""
    count = 0
    for place in range(starts[sentence], starts[sentence + 1]):
        for module in range(PARAPHRASE):
            count += words.starts[module, tokens[place] + 1] - words.starts[module, tokens[place]]
    for place in range(phrases.starts[sentence], phrases.starts[sentence + 1]):
        phrase = phrases.phrase[place]
        count += phrases.right_starts[phrase + 1] - phrases.right_starts[phrase]
        count += phrases.left_starts[phrase + 1] - phrases.left_starts[phrase]
    return count


@compiled
def _linked(spread: Spread, row: int, column: int) -> int:
    """A new link, not yet in its list, for the list of (row, column)."""
    link = int(spread.used[0])
    spread.used[0] = link + 1
    if spread.sizes[row, column] == 0:
        spread.touched[spread.used[1], 0] = row
        spread.touched[spread.used[1], 1] = column
        spread.used[1] += 1
    spread.sizes[row, column] += 1
    return link


@compiled
def _put_first(spread: Spread, row: int, column: int, link: int) -> None:
    spread.links[link, 0] = spread.heads[row, column]
    spread.heads[row, column] = link


@compiled
def _put_in_order(spread: Spread, row: int, column: int, link: int) -> None:
    """Into a list sorted by entry and then by place."""
    links = spread.links
    entry, place = links[link, 4], links[link, 1]
    before, at = -1, spread.heads[row, column]
    while at >= 0 and (links[at, 4] < entry or (links[at, 4] == entry and links[at, 1] < place)):
        before, at = at, links[at, 0]
    links[link, 0] = at
    if before < 0:
        spread.heads[row, column] = link
    else:
        links[before, 0] = link


@compiled
def spread_out(
    tokens: Ints,
    begin: int,
    end: int,
    sentence: int,
    words: Words,
    phrases: Phrases,
    spread: Spread,
) -> None:
    """Fills the lists for one hypothesis: each in the order in which its candidates are appended."""
    for touched in range(spread.used[1]):
        row, column = spread.touched[touched, 0], spread.touched[touched, 1]
        spread.heads[row, column] = -1
        spread.sizes[row, column] = 0
    spread.used[:] = 0
    links = spread.links
    for module in range(PARAPHRASE - 1, -1, -1):
        for place in range(end - begin - 1, -1, -1):
            word = tokens[begin + place]
            for other in range(words.starts[module, word], words.starts[module, word + 1]):
                link = _linked(spread, 0, words.other[other])
                links[link, 1], links[link, 2] = place, 1
                links[link, 3], links[link, 4] = module, 0
                _put_first(spread, 0, words.other[other], link)
    for at in range(phrases.starts[sentence + 1] - 1, phrases.starts[sentence] - 1, -1):
        phrase, place, length = phrases.phrase[at], phrases.place[at], phrases.length[at]
        for other in range(phrases.left_starts[phrase], phrases.left_starts[phrase + 1]):
            link = _linked(spread, 1, phrases.left[other])
            links[link, 1], links[link, 2] = place, length
            links[link, 3], links[link, 4] = PARAPHRASE, phrases.entry[other]
            _put_in_order(spread, 1, phrases.left[other], link)
        first = phrases.right_starts[phrase]
        for other in range(phrases.right_starts[phrase + 1] - 1, first - 1, -1):
            link = _linked(spread, 2, phrases.right[other])
            links[link, 1], links[link, 2] = place, length
            links[link, 3], links[link, 4] = PARAPHRASE, other - first
            _put_first(spread, 2, phrases.right[other], link)


@compiled
def candidates_needed(
    tokens: Ints, begin: int, end: int, held: Longs, phrase: Ints, sizes: Ints
) -> int:
    """How many candidates a reference has at most; 0 says that nothing matches.

    held: from where to where `phrase` has the reference's phrases; sizes: those of the spread.
    """
    count = 0
    for place in range(begin, end):
        count += sizes[0, tokens[place]]
    for at in range(held[0], held[1]):
        count += sizes[1, phrase[at]] + sizes[2, phrase[at]]
    return count


@compiled
def _append_all(links: Ints, link: int, span: int, start: int, count: int, into: Candidates) -> int:
    """Appends a list's candidates, which cover `span` reference words from `start`; the count then."""
    rows, spans = into.rows, into.spans
    on_reference, on_hypothesis = into.covered_reference, into.covered_hypothesis
    while link >= 0:
        for column in range(COLUMNS):
            rows[count, column] = links[link, column + 1]
        spans[count] = span
        for covered in range(start, start + span):
            on_reference[covered] += 1
        for covered in range(links[link, 1], links[link, 1] + links[link, 2]):
            on_hypothesis[covered] += 1
        count += 1
        link = links[link, 0]
    return count


@compiled
def _append_exact(links: Ints, link: int, start: int, count: int, into: Candidates) -> int:
    while link >= 0:
        if links[link, 3] == EXACT:
            for column in range(COLUMNS):
                into.rows[count, column] = links[link, column + 1]
            into.spans[count] = 1
            into.covered_reference[start] += 1
            into.covered_hypothesis[links[link, 1]] += 1
            count += 1
        link = links[link, 0]
    return count


@compiled
def _before(into: Candidates, one: int, other: int) -> bool:
    """Direction B's order: by place, length and entry."""
    for column in (PLACE, LENGTH, ENTRY):
        if into.rows[one, column] != into.rows[other, column]:
            return bool(into.rows[one, column] < into.rows[other, column])
    return False


@compiled
def _sort_from(into: Candidates, first: int, end: int) -> None:
    for row in range(first + 1, end):
        at = row
        while at > first and _before(into, at, at - 1):
            for column in range(COLUMNS):
                kept = into.rows[at, column]
                into.rows[at, column] = into.rows[at - 1, column]
                into.rows[at - 1, column] = kept
            kept = into.spans[at]
            into.spans[at] = into.spans[at - 1]
            into.spans[at - 1] = kept
            at -= 1


@compiled
def collect(
    tokens: Ints,
    begin: int,
    end: int,
    sentence: int,
    only_exact: bool,
    phrases: Phrases,
    spread: Spread,
    into: Candidates,
) -> None:
    """The candidates of one reference: exact, stem, synonym, paraphrases by directions A and B."""
    count = 0
    links, heads, phrase = spread.links, spread.heads, phrases.phrase
    occurrence, last = phrases.starts[sentence], phrases.starts[sentence + 1]
    into.covered_reference[: end - begin] = 0
    for place in range(end - begin):
        into.starts[place] = count
        link = heads[0, tokens[begin + place]]
        if only_exact:
            count = _append_exact(links, link, place, count, into)
            continue
        count = _append_all(links, link, 1, place, count, into)
        first = occurrence
        while occurrence < last and phrases.place[occurrence] == place:
            link, span = heads[1, phrase[occurrence]], phrases.length[occurrence]
            count = _append_all(links, link, span, place, count, into)
            occurrence += 1
        sorted_from = count
        for at in range(first, occurrence):
            link, span = heads[2, phrase[at]], phrases.length[at]
            count = _append_all(links, link, span, place, count, into)
        _sort_from(into, sorted_from, count)
    into.starts[end - begin] = count
