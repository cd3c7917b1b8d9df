"""Texts as numbers: what is tokenised once, what is blank, what is refused."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import UsageError
from referee.metrics.text.bleu import bleu
from referee.metrics.text.cider import cider
from referee.metrics.text.interning import Texts, Vocabulary

LISTS = st.lists(st.lists(st.text("ab .é\t", max_size=8), max_size=4), max_size=5)


def _words(texts: Texts, number: int) -> list[int]:
    return [int(word) for word in texts.tokens[texts.starts[number] : texts.starts[number + 1]]]


@given(LISTS, LISTS)
def test_every_text_can_be_read_back_from_its_numbers(
    first: list[list[str]], second: list[list[str]]
) -> None:
    vocabulary = Vocabulary()
    word_of: dict[int, str] = {}
    for lists in (first, second):
        texts = vocabulary.texts(lists)
        assert texts.items == len(lists)
        for given_texts, (begin, end) in zip(lists, pairwise(texts.offsets), strict=True):
            assert [texts.distinct[number] for number in texts.index[begin:end]] == given_texts
        for number, text in enumerate(texts.distinct):
            for known, word in zip(_words(texts, number), text.split(), strict=True):
                assert word_of.setdefault(known, word) == word
            assert texts.blank[number] == (not text.strip())
    assert len(set(word_of.values())) == len(word_of) == len(vocabulary)


def test_each_distinct_text_is_tokenised_once() -> None:
    seen: list[str] = []

    def tokenise(text: str) -> list[str]:
        seen.append(text)
        return text.lower().split()

    texts = Vocabulary().texts([["A b", "b"], ["b", "A b", "B"]], tokenise)
    assert seen == ["A b", "b", "B"]
    assert texts.index.tolist() == [0, 1, 1, 0, 2]
    assert [_words(texts, number) for number in range(3)] == [[0, 1], [1], [1]]


def test_a_text_that_only_the_tokeniser_empties_is_not_blank() -> None:
    texts = Vocabulary().texts([["...", " ", ""]], lambda text: text.replace(".", "").split())
    assert texts.blank.tolist() == [False, True, True]
    assert texts.said.tolist() == [True, False, False]


def test_no_items_have_no_scores() -> None:
    vocabulary = Vocabulary()
    nothing = vocabulary.texts([])
    assert bleu(nothing, nothing).shape == (0, 4)
    assert cider(nothing, nothing).shape == (0, 4)


def test_a_text_in_the_place_of_a_list_is_refused() -> None:
    with pytest.raises(UsageError, match="a list of texts"):
        Vocabulary().texts(["yes", "no"])


def test_a_tokeniser_that_gives_a_text_is_refused() -> None:
    with pytest.raises(UsageError, match="a list of words"):
        Vocabulary().texts([["yes"]], str.lower)


def test_words_counted_in_two_vocabularies_are_refused() -> None:
    with pytest.raises(UsageError, match="one vocabulary"):
        bleu(Vocabulary().texts([["yes"]]), Vocabulary().texts([["yes"]]))


def test_as_many_lists_of_hypotheses_as_reference_sets_are_asked_for() -> None:
    words = Vocabulary()
    with pytest.raises(UsageError, match="1 lists of hypotheses and 2 reference sets"):
        bleu(words.texts([["yes"]]), words.texts([["yes"], ["no"]]))
