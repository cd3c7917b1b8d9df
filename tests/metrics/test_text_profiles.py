"""The profiles that rewrite answers, and the words that vectors are averaged over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.errors import UsageError
from referee.metrics.text.profiles import (
    PROFILES,
    fasttext_words,
    profile,
    sentence_words,
)


def _strings(file: Path, field: str) -> list[str]:
    return [text for row in json.loads(file.read_text()) for text in row[field]]


@pytest.mark.parametrize("name", ["paper", "released"])
def test_the_published_share_of_real_generations_changes(shared: Path, name: str) -> None:
    texts = _strings(shared / "densevisdial/gens.json", "generations")
    rewrite = profile(name).hypothesis
    assert (len(texts), sum(rewrite(text) != text for text in texts)) == (20640, 140)


def test_the_published_share_of_real_references_changes(shared: Path) -> None:
    texts = _strings(shared / "densevisdial/refs_H_human_val.json", "refs")
    rewrite = profile("paper").reference_for("cider")
    assert (len(texts), sum(rewrite(text) != text for text in texts)) == (26358, 899)


def test_paper_rewrites_references_for_cider_only() -> None:
    paper = profile("paper")
    for metric in ("cider", "cider_4", "cider_d"):
        assert paper.reference_for(metric)("yes, 5") == "yes , 5"
    for metric in ("bleu", "meteor", "rouge_l", "minilm", "fasttext"):
        assert paper.reference_for(metric)("yes, 5") == "yes, 5"


def test_released_never_rewrites_references() -> None:
    assert profile("released").hypothesis("yes, 5") == "yes , 5"
    assert profile("released").reference_for("cider")("yes, 5") == "yes, 5"


def test_clean_changes_nothing() -> None:
    text = '  "Odd",  5 '
    assert profile("clean").hypothesis(text) == text
    assert profile("clean").reference_for("cider")(text) == text


def test_every_profile_is_found_by_its_name() -> None:
    assert [profile(name).name for name in PROFILES] == list(PROFILES)


def test_an_unknown_profile_is_refused_with_the_known_ones_named() -> None:
    with pytest.raises(UsageError, match="paper, released, clean"):
        profile("nltk")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't know, 21?", "dont know , twenty one ?"),
        ("10:30", "ten : thirty"),
        ("1234 cars", "one thousand , two hundred and thirty four cars"),
        ("the dogs' 3", "the dogs three"),
        ("", ""),
    ],
)
def test_sentence_words_lose_apostrophes_digits_and_capitals(text: str, words: str) -> None:
    assert sentence_words(text) == words.split()


@pytest.mark.parametrize(
    ("text", "words"),
    [("Yes, 2 don't", "yes, two don't"), ("10:30.", "ten:thirty."), ("", "")],
)
def test_fasttext_words_keep_punctuation_glued(text: str, words: str) -> None:
    assert fasttext_words(text) == words.split()
