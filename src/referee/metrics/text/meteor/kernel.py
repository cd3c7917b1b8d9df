"""METEOR over many sentence pairs: each hypothesis is spread out once, each pair aligned once."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.metrics.text.compiling import compiled
from referee.metrics.text.meteor.aligner import Beam, align, beam_for
from referee.metrics.text.meteor.matchers import (
    COLUMNS,
    Candidates,
    Spread,
    candidates_needed,
    collect,
    links_needed,
    spread_out,
)
from referee.metrics.text.meteor.relations import Phrases, Words
from referee.metrics.text.meteor.scoring import STATISTICS, count, score

Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]


class Sentences(NamedTuple):
    """Distinct sentences: words `tokens[starts[s]:starts[s + 1]]`, and what matches what."""

    tokens: Ints
    starts: Longs
    words: Words
    phrases: Phrases


class Work(NamedTuple):
    """Who is scored against whom, by distinct hypothesis.

    Hypothesis `sentence[h]` is said in the items `items[said[h]:said[h + 1]]`; item i's references are
    the sentences `references[item_starts[i]:item_starts[i + 1]]`.
    """

    sentence: Longs
    said: Longs
    items: Longs
    item_starts: Longs
    references: Longs


@compiled
def _candidates(capacity: int, longest: int) -> Candidates:
    return Candidates(
        np.zeros(longest + 1, np.int32),
        np.empty((capacity, COLUMNS), np.int32),
        np.empty(capacity, np.int32),
        np.zeros(longest, np.int32),
        np.zeros(longest, np.int32),
    )


@compiled
def _spread(columns: int, links: int) -> Spread:
    return Spread(
        np.full((3, columns), -1, np.int32),
        np.zeros((3, columns), np.int32),
        np.empty((links, COLUMNS + 1), np.int32),
        np.empty((links, 2), np.int32),
        np.zeros(2, np.int64),
    )


@compiled
def _bounds(sentences: Sentences, wanted: Longs) -> tuple[int, int, int]:
    """The longest sentence, the most links a wanted hypothesis takes, and the widest list of heads."""
    longest, links = 1, 1
    for sentence in range(len(sentences.starts) - 1):
        longest = max(longest, sentences.starts[sentence + 1] - sentences.starts[sentence])
    for sentence in wanted:
        needed = links_needed(
            sentences.tokens, sentence, sentences.starts, sentences.words, sentences.phrases
        )
        links = max(links, needed)
    columns = max(len(sentences.words.same), len(sentences.phrases.right_starts))
    return longest, links, columns


@compiled
def _pair(
    hypothesis: int,
    reference: int,
    sentences: Sentences,
    spread: Spread,
    found: Candidates,
    beam: Beam,
    chosen: Ints,
    statistics: Longs,
) -> None:
    """The statistics' alignment part, for a hypothesis that is spread out."""
    starts, tokens, words = sentences.starts, sentences.tokens, sentences.words
    begin, end = starts[reference], starts[reference + 1]
    said, wanted = tokens[starts[hypothesis] : starts[hypothesis + 1]], tokens[begin:end]
    equal = len(said) == len(wanted)
    if equal:
        for place in range(len(said)):
            if words.same[said[place]] != words.same[wanted[place]]:
                equal = False
                break
    found.covered_hypothesis[: len(said)] = 0
    collect(tokens, begin, end, reference, equal, sentences.phrases, spread, found)
    align(len(wanted), len(said), found, beam, chosen)
    count(said, wanted, words.function, found, chosen, statistics)


@compiled
def best_scores(
    sentences: Sentences, work: Work, first: int, end: int, scores: Floats, best: Longs
) -> None:
    """Writes, for hypotheses first to end in each of their items, the best score and its reference.

    The first reference of the highest score counts, as a row of `work.references`; -1 without any.
    """
    longest, links, columns = _bounds(sentences, work.sentence[first:end])
    spread, beam = _spread(columns, links), beam_for(longest)
    found = _candidates(64, longest)
    chosen, statistics = np.empty(longest, np.int32), np.zeros(STATISTICS, np.int64)
    seen = np.full(len(sentences.starts) - 1, -1, np.int64)
    known = np.zeros(len(sentences.starts) - 1, np.float64)
    tokens, starts, sizes = sentences.tokens, sentences.starts, spread.sizes
    held, phrase = sentences.phrases.starts, sentences.phrases.phrase
    for row in range(first, end):
        hypothesis = work.sentence[row]
        spread_out(
            tokens,
            starts[hypothesis],
            starts[hypothesis + 1],
            hypothesis,
            sentences.words,
            sentences.phrases,
            spread,
        )
        for said in range(work.said[row], work.said[row + 1]):
            item = work.items[said]
            highest, highest_at = -1.0, -1
            for at in range(work.item_starts[item], work.item_starts[item + 1]):
                reference = work.references[at]
                if seen[reference] != row:
                    seen[reference] = row
                    known[reference] = 0.0
                    needed = candidates_needed(
                        tokens,
                        starts[reference],
                        starts[reference + 1],
                        held[reference : reference + 2],
                        phrase,
                        sizes,
                    )
                    if needed > 0:
                        if needed > len(found.spans):
                            found = _candidates(2 * needed, longest)
                        _pair(
                            hypothesis,
                            reference,
                            sentences,
                            spread,
                            found,
                            beam,
                            chosen,
                            statistics,
                        )
                        known[reference] = score(statistics)
                if known[reference] > highest:
                    highest, highest_at = known[reference], at
            scores[said] = highest if highest_at >= 0 else np.nan
            best[said] = highest_at


@compiled
def pair_statistics(
    sentences: Sentences, hypotheses: Longs, references: Longs, statistics: Longs
) -> None:
    """Writes the 23 statistics of each pair of sentences, [pairs, 23]."""
    longest, links, columns = _bounds(sentences, hypotheses)
    spread, beam = _spread(columns, links), beam_for(longest)
    found, chosen = _candidates(64, longest), np.empty(longest, np.int32)
    tokens, starts, sizes = sentences.tokens, sentences.starts, spread.sizes
    held, phrase = sentences.phrases.starts, sentences.phrases.phrase
    for pair in range(len(hypotheses)):
        hypothesis, reference = hypotheses[pair], references[pair]
        spread_out(
            tokens,
            starts[hypothesis],
            starts[hypothesis + 1],
            hypothesis,
            sentences.words,
            sentences.phrases,
            spread,
        )
        needed = candidates_needed(
            tokens,
            starts[reference],
            starts[reference + 1],
            held[reference : reference + 2],
            phrase,
            sizes,
        )
        if needed > len(found.spans):
            found = _candidates(2 * needed, longest)
        _pair(hypothesis, reference, sentences, spread, found, beam, chosen, statistics[pair])
