"""CIDEr-D (Vedantam et al. 2015) as coco-caption computes it: clipped, with a length penalty, x 10."""

from __future__ import annotations

import numpy as np

from referee.metrics.text.cider import inverse_frequencies, norms, table_of
from referee.metrics.text.compiling import compiled
from referee.metrics.text.interning import Offsets, Scores, Sets, Texts
from referee.metrics.text.ngrams import ORDERS, Grams

SIGMA = 6.0
SCALE = 10.0


def cider_d(hypotheses: Texts, references: Texts, corpus: Texts | None = None) -> Scores:
    """CIDEr-D against each item's set of references, [hypotheses].

        CIDEr-D(h) = 10/4 sum_{i=1..4} 1/|R| sum_{r in R} e^(-(b(h) - b(r))^2 / (2 * 6^2))
                     * min(g_i(h), g_i(r)) . g_i(r) / (|g_i(h)| |g_i(r)|)

    g_i is CIDEr's weighted n-gram vector (see `cider`, and there for `corpus`). The length b(t) that
    coco-caption compares is the number of bigrams, one less than the words, and 0 for one word or none.

    >>> from referee.metrics.text.interning import Vocabulary
    >>> words = Vocabulary()
    >>> references = words.texts([["a red bus on a road"], ["two dogs run in the park"]])
    >>> hypotheses = words.texts([["a red bus on a road"], ["dogs run", "a bus"]])
    >>> cider_d(hypotheses, references).round(3).tolist()
    [10.0, 2.051, 0.0]
    """
    table = table_of(hypotheses, references, corpus)
    idf = inverse_frequencies(table)
    tested, against = table.sets[:2]
    inverse = _inverse_norms(table.grams, norms(table.grams, idf))
    result = _mean_similarities(table.grams, idf * idf, inverse, tested, against)
    result[~hypotheses.said] = np.nan
    return result


@compiled
def _inverse_norms(grams: Grams, norms: Scores) -> Scores:
    """One over the length of the vector that each entry belongs to, [entries]; 0 where that is 0."""
    result = np.zeros(len(grams.ids), np.float64)
    for row in range(len(norms)):
        for order in range(ORDERS):
            start = ORDERS * row + order
            if norms[row, order] > 0:
                result[grams.starts[start] : grams.starts[start + 1]] = 1 / norms[row, order]
    return result


@compiled
def _mean_similarities(
    grams: Grams, squares: Scores, inverse: Scores, tested: Sets, against: Sets
) -> Scores:
    """The scores, [hypotheses]; `squares` are those of idf: every product of weights holds one."""
    result = np.full(len(tested.rows), np.nan)
    bigrams = _bigrams(grams)
    longest = 0
    for length in bigrams:
        longest = max(longest, length)
    penalty = np.exp(-(np.arange(longest + 1.0) ** 2) / (2 * SIGMA**2))
    # What the reference at hand holds of an n-gram: how often, and with which weight.
    held = np.zeros((len(squares), 2), np.float64)
    for item in range(len(against.offsets) - 1):
        rows = against.rows[against.offsets[item] : against.offsets[item + 1]]
        if len(rows) == 0:
            continue
        numbers = range(tested.offsets[item], tested.offsets[item + 1])
        for number in numbers:
            result[number] = 0.0
        for row in rows:
            entries = range(grams.starts[ORDERS * row], grams.starts[ORDERS * (row + 1)])
            for entry in entries:
                gram, count = grams.ids[entry], grams.counts[entry]
                held[gram, 0] = count
                held[gram, 1] = count * squares[gram] * inverse[entry]
            for number in numbers:
                own = tested.rows[number]
                alike = _similarity(grams, inverse, held, own)
                result[number] += alike * penalty[abs(bigrams[own] - bigrams[row])]
            for entry in entries:
                held[grams.ids[entry]] = 0.0
        for number in numbers:
            result[number] *= SCALE / ORDERS / len(rows)
    return result


@compiled
def _similarity(grams: Grams, inverse: Scores, held: Scores, own: int) -> float:
    """The clipped cosines with the reference at hand, summed over orders."""
    result = 0.0
    for entry in range(grams.starts[ORDERS * own], grams.starts[ORDERS * (own + 1)]):
        count, weight = held[grams.ids[entry]]
        result += min(grams.counts[entry], count) * weight * inverse[entry]
    return result


@compiled
def _bigrams(grams: Grams) -> Offsets:
    """How many bigrams each text has, repeated ones included, [rows]."""
    rows = (len(grams.starts) - 1) // ORDERS
    result = np.zeros(rows, np.int64)
    for row in range(rows):
        for entry in range(grams.starts[ORDERS * row + 1], grams.starts[ORDERS * row + 2]):
            result[row] += grams.counts[entry]
    return result
