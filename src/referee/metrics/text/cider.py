"""CIDEr (Vedantam et al. 2015), plain, as DenseVisDial has it: no clipping, no length penalty, no x 10."""

from __future__ import annotations

import math

import numpy as np

from referee.errors import UsageError
from referee.metrics.text.compiling import compiled
from referee.metrics.text.interning import Scores, Sets, Texts
from referee.metrics.text.ngrams import ORDERS, Counted, Grams, counted


def cider(hypotheses: Texts, references: Texts, corpus: Texts | None = None) -> Scores:
    """CIDEr of orders 1 to 4, [hypotheses, 4]: the mean over orders up to n and over references.

        CIDEr_n(h) = 1/n sum_{i=1..n} 1/|R| sum_{r in R} cos(g_i(h), g_i(r)),  0 where a norm is 0
        g_i(t)[w] = (times w is in t) * (ln N - ln max(1, reference sets that hold w))

    N counts the reference sets (those that hold a reference), of `corpus` where it is given, else of
    `references`: with one set everything is 0, and a score depends on which sets are scored together.
    A perfect answer of one word scores 1, 1/2, 1/3 and 1/4: it has no longer n-grams.

    >>> from referee.metrics.text.interning import Vocabulary
    >>> words = Vocabulary()
    >>> references = words.texts([["yes", "yes it is"], ["two red cups"]])
    >>> hypotheses = words.texts([["yes", "it is"], ["two cups"]])
    >>> cider(hypotheses, references).round(3).tolist()
    [[0.789, 0.394, 0.263, 0.197], [0.408, 0.381, 0.254, 0.19], [0.816, 0.408, 0.272, 0.204]]
    """
    table = table_of(hypotheses, references, corpus)
    idf = inverse_frequencies(table)
    tested, against = table.sets[:2]
    units = _units(table.grams, idf, norms(table.grams, idf))
    cosines = _mean_cosines(table.grams, units, table.distinct, tested, against)
    cosines[~hypotheses.said] = np.nan
    result: Scores = np.cumsum(cosines, axis=1) / np.arange(1, ORDERS + 1)
    return result


def table_of(hypotheses: Texts, references: Texts, corpus: Texts | None) -> Counted:
    """The n-grams of all three; the last sets are those that frequencies are counted in."""
    hypotheses.together_with(references)
    if corpus is None:
        return counted(hypotheses, references)
    if corpus.vocabulary is not references.vocabulary:
        raise UsageError("the corpus and the references must be texts of one vocabulary")
    return counted(hypotheses, references, corpus)


def inverse_frequencies(table: Counted) -> Scores:
    """The idf of each n-gram, ln N - ln max(1, df), counted in the table's last sets, [n-grams]."""
    return _inverse_frequencies(table.grams, table.distinct, table.sets[-1])


@compiled
def _inverse_frequencies(grams: Grams, distinct: int, sets: Sets) -> Scores:
    frequencies = np.zeros(distinct, np.int64)
    last_seen = np.full(distinct, -1, np.int64)
    held = 0
    for item in range(len(sets.offsets) - 1):
        rows = sets.rows[sets.offsets[item] : sets.offsets[item + 1]]
        held += len(rows) > 0
        for row in rows:
            for entry in range(grams.starts[ORDERS * row], grams.starts[ORDERS * (row + 1)]):
                gram = grams.ids[entry]
                if last_seen[gram] != item:
                    last_seen[gram] = item
                    frequencies[gram] += 1
    result = np.empty(distinct, np.float64)
    for gram in range(distinct):
        # One function for both logarithms: an n-gram of every set must weigh exactly nothing.
        result[gram] = math.log(max(held, 1)) - math.log(max(frequencies[gram], 1))
    return result


@compiled
def norms(grams: Grams, idf: Scores) -> Scores:
    """The length of each text's vector of each order, [rows, 4]."""
    rows = (len(grams.starts) - 1) // ORDERS
    result = np.zeros((rows, ORDERS), np.float64)
    for row in range(rows):
        for order in range(ORDERS):
            total = 0.0
            start = ORDERS * row + order
            for entry in range(grams.starts[start], grams.starts[start + 1]):
                weight = grams.counts[entry] * idf[grams.ids[entry]]
                total += weight * weight
            result[row, order] = math.sqrt(total)
    return result


@compiled
def _units(grams: Grams, idf: Scores, norms: Scores) -> Scores:
    """What each entry has in its text's vector at length 1, [entries]; 0 in a vector without length."""
    result = np.zeros(len(grams.ids), np.float64)
    for row in range(len(norms)):
        for order in range(ORDERS):
            if norms[row, order] > 0:
                start = ORDERS * row + order
                for entry in range(grams.starts[start], grams.starts[start + 1]):
                    weight = grams.counts[entry] * idf[grams.ids[entry]]
                    result[entry] = weight / norms[row, order]
    return result


@compiled
def _mean_cosines(
    grams: Grams, units: Scores, distinct: int, tested: Sets, against: Sets
) -> Scores:
    """The mean cosine with the references of each order, [hypotheses, 4]; NaN without references.

    The mean of cosines with h is the product with the mean of the references' unit vectors: one pass over
    an item's references serves all its hypotheses.
    """
    result = np.full((len(tested.rows), ORDERS), np.nan)
    direction = np.zeros(distinct, np.float64)
    for item in range(len(against.offsets) - 1):
        rows = against.rows[against.offsets[item] : against.offsets[item + 1]]
        if len(rows) == 0:
            continue
        for row in rows:
            for entry in range(grams.starts[ORDERS * row], grams.starts[ORDERS * (row + 1)]):
                direction[grams.ids[entry]] += units[entry]
        for number in range(tested.offsets[item], tested.offsets[item + 1]):
            for order in range(ORDERS):
                total = 0.0
                start = ORDERS * tested.rows[number] + order
                for entry in range(grams.starts[start], grams.starts[start + 1]):
                    total += units[entry] * direction[grams.ids[entry]]
                result[number, order] = total / len(rows)
        for row in rows:
            for entry in range(grams.starts[ORDERS * row], grams.starts[ORDERS * (row + 1)]):
                direction[grams.ids[entry]] = 0.0
    return result
