"""METEOR's tokeniser and stemmer, word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.metrics.text.meteor import Normaliser, stem

NORMALISER = Normaliser(frozenset({"Mr", "A", "v"}), frozenset({"No", "pp"}))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ""),
        (" \t\n ", ""),
        ("The CAT", "the cat"),
        ("really?!yes", "really ? ! yes"),
        ("a,b,c", "a , b,c"),
        ("1,000 dogs,2", "1,000 dogs , 2"),
        ("2,dogs", "2 , dogs"),
        ("so...no.. wait", "so ... no .. wait"),
        ("\ue000 so... \ue000", "\ue000 so ... \ue000"),
        ("`yes'' \u201cno\u201d", '\' yes " " no "'),
        ("--- a--b \u2013 \u2014", "-- a b - \u2014"),
        ("well-lit a-b-c 3.-x", "well lit a b-c 3. x"),
        ("can't dogs' 'tis '90s 1990's 5'a", "can 't dogs ' ' tis ' 90s 1990 's 5'a"),
        ("rock'n'roll", "rock 'n'roll"),
        ("U.S. e.g. army", "us eg army"),
        ("Mr. Smith mr. Smith", "mr. smith mr . smith"),
        ("it ended. the end.", "it ended. the end ."),
        ("It ended. The end", "it ended . the end"),
        ("No. 5 No. Yes", "no. 5 no . yes"),
        ("3.5. 3.5. end.Start", "3.5 . 3.5. end.start"),
        (
            "caf\u00e9 \u0434\u0430 \u65e5\u672c \u03c9\u03c3",
            "caf\u00e9 \u0434\u0430 \u65e5 \u672c \u03c9 \u03c3",
        ),
        ("a\u00a0b\u3000c", "a b c"),
        ("a\u200bb\x01c", "a \u200b b \x01 c"),
        ("x\x0by", "x\x0by"),
        ("\x01yes\x01", "yes"),
        ("black_and/or", "black _ and / or"),
    ],
)
def test_a_sentence_has_these_tokens(text: str, tokens: str) -> None:
    assert NORMALISER.tokens(text) == (tokens.split(" ") if tokens else [])


@given(st.text(alphabet="abZ .,'-09\u2019\u201c?\u00a0\t", max_size=30))
def test_tokens_are_lower_case_and_never_empty(text: str) -> None:
    tokens = NORMALISER.tokens(text)
    assert all(token and token == token.lower() and " " not in token for token in tokens)


@given(st.text(alphabet="aB1 ", max_size=20))
def test_plain_sentences_take_the_short_way_to_the_same_tokens(text: str) -> None:
    assert NORMALISER.tokens(f"{text}?") == [*NORMALISER.tokens(text), "?"]


STEMS = {
    # Whole words and short ones.
    "skies": "sky",
    "dying": "die",
    "news": "news",
    "'s": "'s",
    "is": "is",
    # Apostrophes.
    "'re": "re",
    "dog's": "dog",
    "dog's'": "dog",
    # Plurals.
    "caresses": "caress",
    "ties": "tie",
    "cries": "cri",
    "gas": "gas",
    "this": "this",
    "gaps": "gap",
    "kiwis": "kiwi",
    # Past forms and participles, before Snowball 3.0.
    "added": "ad",
    "adding": "ad",
    "inning": "inning",
    "innings": "inning",
    "agreed": "agre",
    "feed": "feed",
    "hopping": "hop",
    "hoping": "hope",
    "luxuriated": "luxuri",
    "sing": "sing",
    "exceeds": "exceed",
    # The letter y.
    "youth": "youth",
    "cry": "cri",
    "by": "by",
    "say": "say",
    "boyish": "boyish",
    "sayings": "say",
    # Endings.
    "organization": "organ",
    "generally": "general",
    "generate": "generat",
    "communication": "communic",
    "arsenal": "arsenal",
    "sleepiness": "sleepi",
    "hopefulness": "hope",
    "biologist": "biologist",
    "analogical": "analog",
    "geology": "geolog",
    "quickly": "quick",
    "valley": "valley",
    "relative": "relat",
    "adoption": "adopt",
    "religion": "religion",
    "replacement": "replac",
    "rate": "rate",
    "probate": "probat",
    "controll": "control",
    "call": "call",
}


def test_stems_are_snowballs_before_its_third_release() -> None:
    assert {word: stem(word) for word in STEMS} == STEMS


@given(st.text(alphabet="abeilnosty'", min_size=1, max_size=12))
def test_any_word_has_a_stem_that_is_hardly_longer(word: str) -> None:
    assert len(stem(word)) <= len(word) + 1
