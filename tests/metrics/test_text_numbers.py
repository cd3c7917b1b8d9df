"""Numbers in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.metrics.text.numbers import LONGEST, number_words, spell_numbers


@pytest.mark.parametrize(
    ("digits", "words"),
    [
        ("0", "zero"),
        ("00", "zero"),
        ("007", "seven"),
        ("13", "thirteen"),
        ("21", "twenty-one"),
        ("80", "eighty"),
        ("100", "one hundred"),
        ("101", "one hundred and one"),
        ("123", "one hundred and twenty-three"),
        ("1000", "one thousand"),
        ("1001", "one thousand and one"),
        ("1021", "one thousand and twenty-one"),
        ("1100", "one thousand, one hundred"),
        ("1234", "one thousand, two hundred and thirty-four"),
        ("2000003", "two million and three"),
        ("1001000", "one million, one thousand"),
        ("1001001", "one million, one thousand and one"),
        ("1" + 33 * "0", "one decillion"),
        ("0" * 50, "zero"),
    ],
)
def test_runs_of_digits_are_read_as_inflect_reads_them(digits: str, words: str) -> None:
    assert number_words(digits) == words


def test_numbers_beyond_the_last_name_are_read_digit_by_digit() -> None:
    assert number_words("1" * LONGEST).startswith("one hundred and eleven decillion, ")
    assert number_words("12" * 20) == " ".join(["one two"] * 20)
    assert number_words("0" * 5 + "12" * 20) == " ".join(["one two"] * 20)


_SMALL = {word: at for at, word in enumerate(number_words(str(n)) for n in range(100))}


def _value(words: str) -> int:
    """Reads the words back, by a route of its own."""
    total = group = 0
    for word in words.replace(",", "").replace(" and ", " ").split(" "):
        if word in _SMALL:
            group += _SMALL[word]
        elif word == "hundred":
            group *= 100
        else:
            names = ("thousand", "million", "billion", "trillion", "quadrillion", "quintillion")
            total += group * 1000 ** (names.index(word) + 1)
            group = 0
    return total + group


@given(st.integers(0, 10**21 - 1), st.integers(0, 3))
def test_words_read_back_are_the_number(value: int, zeros: int) -> None:
    assert _value(number_words("0" * zeros + str(value))) == value


def test_spelling_replaces_each_run_and_the_hyphens_of_its_words() -> None:
    assert spell_numbers("21-22 a3b") == "twenty one-twenty two athreeb"
    assert spell_numbers("none") == "none"
