"""ROUGE-L (Lin 2004) as coco-caption computes it."""

from __future__ import annotations

import numpy as np

from referee.metrics.text.compiling import compiled
from referee.metrics.text.interning import Ints, Offsets, Scores, Sets, Texts

BETA = 1.2


def rouge_l(hypotheses: Texts, references: Texts) -> Scores:
    """ROUGE-L against each item's set of references, [hypotheses].

        ROUGE-L = (1 + b^2) P R / (R + b^2 P),  b = 1.2;  0 where P or R is 0
        P = max over references of LCS(h, r) / |h|,  R = max over references of LCS(h, r) / |r|

    LCS is the length of the longest common subsequence of words. P and R may come from different
    references. coco-caption splits at single spaces: to have its empty words from texts with several
    spaces in a row, intern with `lambda text: text.split(" ")`.

    >>> from referee.metrics.text.interning import Vocabulary
    >>> words = Vocabulary()
    >>> tests = words.texts([["this is a test", "this is also a test"]])
    >>> rouge_l(words.texts([["this is a good test", ""]]), tests).round(4).tolist()
    [0.9071, nan]
    """
    hypotheses.together_with(references)
    result = _scores(
        (hypotheses.tokens, hypotheses.starts),
        (references.tokens, references.starts),
        hypotheses.sets(),
        references.sets(),
    )
    result[~hypotheses.said] = np.nan
    return result


@compiled
def _scores(
    own: tuple[Ints, Offsets], other: tuple[Ints, Offsets], tested: Sets, against: Sets
) -> Scores:
    result = np.full(len(tested.rows), np.nan)
    tokens, starts = other
    line = np.zeros(np.diff(starts).max() + 1 if len(starts) > 1 else 1, np.int64)
    for item in range(len(against.offsets) - 1):
        rows = against.rows[against.offsets[item] : against.offsets[item + 1]]
        if len(rows) == 0:
            continue
        for number in range(tested.offsets[item], tested.offsets[item + 1]):
            own_row = tested.rows[number]
            hypothesis = own[0][own[1][own_row] : own[1][own_row + 1]]
            longest = 0
            recall = 0.0
            for row in rows:
                reference = tokens[starts[row] : starts[row + 1]]
                common = _common(hypothesis, reference, line)
                longest = max(longest, common)
                if common > 0:
                    recall = max(recall, common / len(reference))
            if longest == 0:
                result[number] = 0.0
            else:
                precision = longest / len(hypothesis)
                result[number] = (1 + BETA**2) * precision * recall / (recall + BETA**2 * precision)
    return result


@compiled
def _common(hypothesis: Ints, reference: Ints, line: Offsets) -> int:
    """The length of the longest common subsequence; `line` is room for one row of the table."""
    line[: len(reference) + 1] = 0
    common = 0
    for word in hypothesis:
        corner = 0
        for place in range(len(reference)):
            above = line[place + 1]
            if word == reference[place]:
                line[place + 1] = corner + 1
            else:
                line[place + 1] = max(above, line[place])
            corner = above
            common = max(common, line[place + 1])
    return common
