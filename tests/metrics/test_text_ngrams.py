"""N-grams as numbers, against counting tuples of words."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from referee.metrics.text.interning import Vocabulary
from referee.metrics.text.ngrams import ORDERS, counted

TEXTS = st.lists(
    st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join), min_size=1, max_size=6
)


@given(TEXTS, TEXTS)
def test_two_n_grams_have_one_number_when_their_words_are_the_same(
    first: list[str], second: list[str]
) -> None:
    vocabulary = Vocabulary()
    groups = [vocabulary.texts([texts]) for texts in (first, second)]
    table = counted(*groups)
    gram_of: dict[int, tuple[str, ...]] = {}
    for group, sets in zip(groups, table.sets, strict=True):
        for row, number in zip(sets.rows, group.index, strict=True):
            words = group.distinct[number].split()
            for order in range(1, ORDERS + 1):
                begin, end = table.grams.starts[ORDERS * row + order - 1 :][:2]
                expected = Counter(zip(*(words[skip:] for skip in range(order)), strict=False))
                assert table.grams.counts[begin:end].tolist() == list(expected.values())
                for gram, own in zip(table.grams.ids[begin:end], expected, strict=True):
                    assert gram_of.setdefault(int(gram), own) == own
    assert len(set(gram_of.values())) == len(gram_of) == table.distinct
    assert set(gram_of) == set(range(table.distinct))
