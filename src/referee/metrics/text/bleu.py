"""BLEU (Papineni et al. 2002) of every hypothesis by itself, and of a whole corpus."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.metrics.text.compiling import compiled
from referee.metrics.text.interning import Marks, Offsets, Scores, Sets, Texts
from referee.metrics.text.ngrams import ORDERS, Grams, counted

TINY = 1e-15
SMALL = 1e-9


class Matches(NamedTuple):
    """What BLEU counts: correct and guessed n-grams, [hypotheses, 4], and the lengths, [hypotheses].

    `closest` is the length of the reference nearest in length, the shorter of two. `scored` is false
    for blank hypotheses and for items without references.
    """

    correct: Offsets
    guessed: Offsets
    length: Offsets
    closest: Offsets
    scored: Marks


def bleu(hypotheses: Texts, references: Texts) -> Scores:
    """Sentence BLEU of orders 1 to 4 against each item's set of references, [hypotheses, 4].

        BLEU_n = B * prod_{i=1..n} ((correct_i + 1e-15) / (guessed_i + 1e-9)) ** (1 / n)
        B = exp(1 - 1 / q) where q < 1, else 1;  q = (length + 1e-15) / (closest length + 1e-9)

    An n-gram is correct at most as often as in the reference that has it most often. A perfect answer of
    one word therefore scores 1, 1e-3, 1e-4 and 3.2e-5.

    >>> from referee.metrics.text.interning import Vocabulary
    >>> words = Vocabulary()
    >>> tests = words.texts([["this is a test", "this is also a test"]])
    >>> bleu(words.texts([["this is a good test", ""]]), tests).round(3).tolist()
    [[0.8, 0.632, 0.511, 0.0], [nan, nan, nan, nan]]
    """
    matches = matched(hypotheses, references)
    result = _scores(matches)
    result[~matches.scored] = np.nan
    return result


def corpus_bleu(hypotheses: Texts, references: Texts) -> Scores:
    """BLEU of orders 1 to 4 of all hypotheses as one text, [4]: the counts are summed, then scored.

    >>> from referee.metrics.text.interning import Vocabulary
    >>> words = Vocabulary()
    >>> references = words.texts([["a red bus"], ["two dogs run"]])
    >>> corpus_bleu(words.texts([["a red car"], ["two dogs"]]), references).round(3).tolist()
    [0.655, 0.598, 0.0, 0.0]
    """
    matches = matched(hypotheses, references)
    sums = [counts[matches.scored].sum(axis=0)[None] for counts in matches[:4]]
    correct, guessed, length, closest = sums
    result: Scores = _scores(Matches(correct, guessed, length, closest, np.ones(1, np.bool_)))[0]
    return result


def matched(hypotheses: Texts, references: Texts) -> Matches:
    """The counts behind BLEU."""
    hypotheses.together_with(references)
    table = counted(hypotheses, references)
    lengths = np.concatenate([hypotheses.lengths, references.lengths])
    tested, against = table.sets
    correct, closest = _correct(table.grams, table.distinct, lengths, tested, against)
    length = lengths[tested.rows]
    guessed = np.maximum(length[:, None] - np.arange(ORDERS), 0)
    scored = hypotheses.said & (closest >= 0)
    return Matches(correct, guessed, length, closest, scored)


@compiled
def _correct(
    grams: Grams, distinct: int, lengths: Offsets, tested: Sets, against: Sets
) -> tuple[Offsets, Offsets]:
    """The correct n-grams, [hypotheses, 4], and the closest length, -1 without references."""
    correct = np.zeros((len(tested.rows), ORDERS), np.int64)
    closest = np.full(len(tested.rows), -1, np.int64)
    most = np.zeros(distinct, np.int32)
    for item in range(len(against.offsets) - 1):
        rows = against.rows[against.offsets[item] : against.offsets[item + 1]]
        for row in rows:
            for entry in range(grams.starts[ORDERS * row], grams.starts[ORDERS * (row + 1)]):
                gram = grams.ids[entry]
                most[gram] = max(most[gram], grams.counts[entry])
        for number in range(tested.offsets[item], tested.offsets[item + 1]):
            own = tested.rows[number]
            closest[number] = _closest(lengths[own], lengths, rows)
            for order in range(ORDERS):
                total = 0
                start = ORDERS * own + order
                for entry in range(grams.starts[start], grams.starts[start + 1]):
                    total += min(most[grams.ids[entry]], grams.counts[entry])
                correct[number, order] = total
                if total == 0:  # what holds no correct word holds no correct pair of words
                    break
        for row in rows:
            for entry in range(grams.starts[ORDERS * row], grams.starts[ORDERS * (row + 1)]):
                most[grams.ids[entry]] = 0
    return correct, closest


@compiled
def _closest(length: int, lengths: Offsets, rows: Offsets) -> int:
    best = -1
    for row in rows:
        other = lengths[row]
        gap, best_gap = abs(other - length), abs(best - length)
        if best < 0 or gap < best_gap or (gap == best_gap and other < best):
            best = other
    return best


def _scores(matches: Matches) -> Scores:
    precisions = (matches.correct + TINY) / (matches.guessed + SMALL)
    result: Scores = np.cumprod(precisions, axis=1) ** (1 / np.arange(1, ORDERS + 1))
    ratio = (matches.length + TINY) / (matches.closest + SMALL)
    short = matches.scored & (ratio < 1)
    result[short] *= np.exp(1 - 1 / ratio[short])[:, None]
    return result
