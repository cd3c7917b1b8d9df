"""Sentences as the published CCA has them: the end averaged in, the rare unknown, sixteen slots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from referee.annotate.cca import Recipe, sentences
from referee.annotate.cca.sentences import END, SPECIAL, UNKNOWN
from referee.datasets.vectors import Found
from referee.errors import UsageError


class Table:
    """A table that has vectors of some words: one number a word, in the first place."""

    dimension = 2

    def __init__(self, **known: float) -> None:
        self.known = known

    def vectors(self, words: Sequence[str]) -> Found:
        """The number and a one, or zeros."""
        rows = [[self.known[word], 1.0] if word in self.known else [0.0, 0.0] for word in words]
        return np.array(rows, np.float32), np.array([word in self.known for word in words])


TEXTS = ["red dog"] * 5 + ["blue dog"] * 2
WORDS = Table(red=1, blue=2, dog=4, **{END: 100.0, UNKNOWN: 1000.0})


def test_the_end_of_the_sentence_is_averaged_in() -> None:
    made = sentences(TEXTS, WORDS)
    assert made.embed(["red dog"])[0].tolist() == [35.0, 1.0]
    assert made.embed([""])[0].tolist() == [100.0, 1.0]


def test_without_the_end_the_mean_is_over_the_words() -> None:
    made = sentences(TEXTS, WORDS, Recipe(end=False))
    assert made.embed(["red dog", ""]).tolist() == [[2.5, 1.0], [0.0, 0.0]]


def test_words_that_come_less_than_five_times_are_unknown() -> None:
    """The unknown word has the vector of its own text."""
    made = sentences(TEXTS, WORDS)
    assert made.words == ("red", "dog")
    assert made.embed(["blue"])[0, 0] == 550.0
    assert sentences(TEXTS, WORDS, Recipe(least_count=2)).embed(["blue"])[0, 0] == 51.0


def test_a_word_without_a_vector_counts_in_the_length() -> None:
    """With GloVe the end of the sentence is such a word, and so is the unknown one."""
    made = sentences(TEXTS, Table(red=1, dog=4))
    assert made.embed(["red dog"])[0].tolist() == pytest.approx([5 / 3, 2 / 3])
    assert made.embed(["red penguin"])[0].tolist() == pytest.approx([1 / 3, 1 / 3])


@pytest.mark.parametrize(("words", "slots"), [(14, 15), (15, 16), (16, 16), (40, 16)])
def test_a_sentence_has_sixteen_slots_and_its_end_is_always_one_of_them(
    words: int, slots: int
) -> None:
    made = sentences(TEXTS, WORDS)
    text = " ".join(["red"] * words)
    expected = ((slots - 1) * 1 + 100) / slots
    assert made.embed([text])[0, 0] == pytest.approx(expected)
    assert len(made.numbers(text)) == slots


def test_words_are_numbered_as_they_first_come_after_the_special_ones() -> None:
    made = sentences(["b a", "a c"] * 5, WORDS)
    assert made.words == ("b", "a", "c")
    assert made.numbers("a c") == [len(SPECIAL) + 1, len(SPECIAL) + 2, SPECIAL.index(END)]


def test_apostrophes_go_digits_become_words_and_capitals_small() -> None:
    made = sentences(["Don't 21"] * 5, WORDS)
    assert made.words == ("dont", "twenty", "one")


def test_blocks_do_not_change_the_vectors() -> None:
    made = sentences(TEXTS, WORDS)
    texts = ["red dog", "dog", "blue", "", "red red dog dog dog"] * 3
    assert made.embed(texts, block=2).tolist() == made.embed(texts).tolist()
    assert made.embed([]).shape == (0, 2)


def test_a_sentence_without_room_for_a_word_is_refused() -> None:
    with pytest.raises(UsageError):
        Recipe(length=1)
    with pytest.raises(UsageError):
        Recipe(least_count=0)
