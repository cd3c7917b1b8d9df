"""METEOR 1.5 (Denkowski and Lavie 2014), equal to the reference program's `-l en -norm`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.metrics.text.interning import Texts, Vocabulary
from referee.metrics.text.meteor.kernel import Sentences, Work, best_scores, pair_statistics
from referee.metrics.text.meteor.normaliser import Normaliser
from referee.metrics.text.meteor.relations import phrase_relations, word_relations
from referee.metrics.text.meteor.scoring import STATISTICS, aggregated, score
from referee.metrics.text.meteor.tables import Tables
from referee.metrics.text.profiles import Rewrite, unchanged

Scores: TypeAlias = NDArray[np.float64]
Longs: TypeAlias = NDArray[np.int64]
Lists: TypeAlias = Sequence[Sequence[str]]

_BLOCKS_PER_THREAD = 8
_SEPARATOR = "|||"


@dataclass(frozen=True)
class _Scored:
    sentences: Sentences
    hypotheses: Longs
    references: Longs
    scores: Scores
    best: Longs


class Meteor:
    """Scores lists of hypotheses against reference sets, item by item, with compiled language data.

    `referee.datasets.meteor_data.open_meteor()` gives one for English.

    >>> from referee.metrics.text.meteor.tables import tables_of
    >>> meteor = Meteor(tables_of({"car": [1], "automobile": [1]}, [("to the", "of")], {"a"}))
    >>> meteor.score([["a car", "", "a cat"]], [["a automobile", "the cat"]]).round(4).tolist()
    [0.85, 0.0, 0.2105]
    """

    def __init__(self, tables: Tables, threads: int | None = None) -> None:
        self.tables = tables
        self.normaliser = Normaliser(tables.always, tables.before_numbers)
        self._threads = threads or _cores()

    def score(self, hypotheses: Lists, references: Lists, profile: Rewrite = unchanged) -> Scores:
        """Each hypothesis' score against the most similar reference of its item, [hypotheses].

        The scores follow each other item by item, in the order of the lists. An empty hypothesis has 0;
        a hypothesis of an item without references NaN. `profile` rewrites hypotheses only.
        """
        return self._scored(hypotheses, references, profile).scores

    def statistics(
        self, hypotheses: Lists, references: Lists, profile: Rewrite = unchanged
    ) -> Longs:
        """The 23 statistics of each hypothesis and its best reference, [hypotheses, 23].

        The first of the best references counts. An item without references is refused.
        """
        scored = self._scored(hypotheses, references, profile)
        if (scored.best < 0).any():
            raise UsageError("METEOR's statistics need at least one reference for each hypothesis")
        result = np.zeros((len(scored.best), STATISTICS), np.int64)
        pair_statistics(scored.sentences, scored.hypotheses, scored.references[scored.best], result)
        return result

    def corpus(self, hypotheses: Lists, references: Lists, profile: Rewrite = unchanged) -> float:
        """The score of the summed statistics: what METEOR reports of a whole corpus."""
        return float(score(aggregated(self.statistics(hypotheses, references, profile))))

    def _scored(self, hypotheses: Lists, references: Lists, profile: Rewrite) -> _Scored:
        vocabulary = Vocabulary()
        words: dict[str, None] = {}
        """In order of appearance, as the vocabulary numbers them."""

        def tokens(text: str) -> list[str]:
            found = self.normaliser.tokens(text)
            words.update(dict.fromkeys(found))
            return found

        # The reference program reads fields between bars: a hypothesis cannot hold the separator.
        said = vocabulary.texts(
            hypotheses, lambda text: tokens(profile(text).replace(_SEPARATOR, ""))
        )
        wanted = vocabulary.texts(references, tokens)
        if said.items != wanted.items:
            raise UsageError(f"{said.items} lists of hypotheses and {wanted.items} reference sets")
        sentences, rows = _distinct((said, wanted), list(words), self.tables)
        spoken, known = rows[0][said.index], rows[1][wanted.index]
        scores, best = np.empty(len(spoken)), np.empty(len(spoken), np.int64)
        order = np.argsort(spoken, kind="stable")
        distinct, first = np.unique(spoken[order], return_index=True)
        item = np.repeat(np.arange(said.items), np.diff(said.offsets))
        work = Work(distinct, np.append(first, len(spoken)), item[order], wanted.offsets, known)
        sorted_scores, sorted_best = np.empty_like(scores), np.empty_like(best)
        self._in_blocks(sentences, work, sorted_scores, sorted_best)
        scores[order], best[order] = sorted_scores, sorted_best
        return _Scored(sentences, spoken, known, scores, best)

    def _in_blocks(self, sentences: Sentences, work: Work, scores: Scores, best: Longs) -> None:
        """Blocks of distinct hypotheses, on every core; none depends on another."""
        blocks = _BLOCKS_PER_THREAD * self._threads
        ends = np.linspace(0, len(work.sentence), blocks + 1).astype(np.int64)
        with ThreadPoolExecutor(self._threads) as pool:
            done = [
                pool.submit(best_scores, sentences, work, first, end, scores, best)
                for first, end in pairwise(ends)
                if end > first
            ]
            for block in done:
                block.result()


def _cores() -> int:
    """How many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _distinct(
    lists: tuple[Texts, Texts], words: Sequence[str], tables: Tables
) -> tuple[Sentences, list[Longs]]:
    """The sentences that differ after normalising, and which of them each distinct text is.

    What matches what is worked out towards the second lists' sentences, the references.
    """
    places: dict[bytes, int] = {}
    rows = []
    for texts in lists:
        octets, starts = texts.tokens.tobytes(), (texts.starts * texts.tokens.itemsize).tolist()
        rows.append(
            np.fromiter(
                (
                    places.setdefault(octets[begin:end], len(places))
                    for begin, end in pairwise(starts)
                ),
                np.int64,
                len(starts) - 1,
            )
        )
    tokens = np.frombuffer(b"".join(places), np.int32).copy()
    starts = np.zeros(len(places) + 1, np.int64)
    np.cumsum([len(key) // tokens.itemsize for key in places], out=starts[1:])
    wanted = np.zeros(len(places), np.bool_)
    wanted[rows[1]] = True
    wanted_words = np.zeros(len(words), np.bool_)
    wanted_words[tokens[np.repeat(wanted, np.diff(starts))]] = True
    relations = word_relations(words, wanted_words, tables)
    phrases = phrase_relations(tokens, starts, wanted, tables.numbers(words), tables)
    return Sentences(tokens, starts, relations, phrases), rows
