"""Treebank words and back; the vectors are nltk 3.4's answers for sentences of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.metrics.text.punkt import sentences
from referee.metrics.text.treebank import detokenize, is_plain, retokenize, word_tokenize

VECTORS = json.loads(
    (Path(__file__).parent.parent / "data" / "treebank_vectors.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: repr(vector["text"]))
def test_words_and_the_way_back_are_those_of_nltk(vector: dict[str, Any]) -> None:
    assert word_tokenize(vector["text"]) == vector["words"]
    assert detokenize(vector["words"]) == vector["again"]
    assert retokenize(vector["text"]) == vector["again"]


_PIECES = st.sampled_from(
    [*"abZ09 -", "  ", "can", "not", "cannot", "gon na", "wan na", "got", "ta", "d", "mor", " is"]
)


@given(st.lists(_PIECES, max_size=12).map("".join))
def test_the_fast_path_takes_only_what_the_rules_leave_alone(text: str) -> None:
    if is_plain(text):
        # A line break at the end of the first words takes the slow path, and changes no word.
        assert word_tokenize(text + "\n") == text.split(" ")
        assert detokenize(text.split(" ")) == text


@given(st.text())
def test_any_text_has_words_without_white_space(text: str) -> None:
    assert all(word and not any(map(str.isspace, word)) for word in word_tokenize(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't know. maybe", ["don't know.", "maybe"]),
        ("is it? yes! ok", ["is it?", "yes!", "ok"]),
        ("mr. smith, dr. who", ["mr. smith, dr. who"]),
        ("It is Mr. Smith. He waves", ["It is Mr. Smith.", "He waves"]),
        ("no. 2. maybe, 3. Maybe", ["no.", "2. maybe, 3.", "Maybe"]),
        ("J. Smith and b. jones", ["J. Smith and b. jones"]),
        ("well... maybe", ["well... maybe"]),
        ("well... The dog", ["well...", "The dog"]),
        ('"yes." he said', ['"yes."', "he said"]),
        ("(yes.) no", ["(yes.)", "no"]),
        ("at 5 p.m. they eat", ["at 5 p.m. they eat"]),
        ("wow!!", ["wow!", "!"]),
        ("  ", []),
    ],
)
def test_sentences_end_where_punkt_would_end_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected
