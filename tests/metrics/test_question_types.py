"""Question types: the published list on real questions, its slips and their mending, location questions."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from referee.datasets import dialogues
from referee.errors import UsageError
from referee.metrics.question_types import (
    GROUPINGS,
    coarse_type,
    is_order,
    is_plainly_absolute,
    keywords,
    location_subtype,
    question_types,
    words,
)
from referee.metrics.question_types.keywords import location_words

EXACT, CORRECTED = keywords("exact"), keywords("corrected")


def test_the_1004_vdst_games_ask_about_places_in_two_questions_of_three(shared: Path) -> None:
    asked = [
        turn.question
        for played in dialogues.read(shared / "guesswhat" / "vdst_train_log_1004.txt")
        for turn in played.turns
    ]
    found = Counter(kind for question in asked for kind in question_types(question, EXACT))
    share = {kind: 100 * count / len(asked) for kind, count in found.items()}
    assert len(asked) == 5020
    assert round(share["location"], 1) == 66.4
    assert round(share["object"] + share["super_category"], 1) == 33.2
    assert round(share["other"], 2) == 0.36


def test_the_exact_list_is_the_published_one(shared: Path) -> None:
    facts = shared.parent / "facts" / "question_types.json"
    if not facts.is_file():
        pytest.skip(f"the published lists are absent: {facts}")
    published = json.loads(facts.read_text("utf-8"))["naacl2019"]["keywords"]
    ours = {
        "location_spatial": "location",
        "location_number": "location",
        **{kind: kind for kind in ("color", "shape", "size", "texture", "action", "object")},
        "super_category": "super_category",
    }
    expected: dict[str, set[str]] = {}
    for name, kind in ours.items():
        for entry in published[name]:
            if len(words(entry)) == 1:
                expected.setdefault(entry, set()).add(kind)
    assert EXACT.of_word == expected


def test_the_things_that_places_are_told_by_are_those_of_the_modified_list(shared: Path) -> None:
    """The list by which the source tells kinds of location questions is not that of types."""
    facts = shared.parent / "facts" / "question_types.json"
    if not facts.is_file():
        pytest.skip(f"the published lists are absent: {facts}")
    modified = json.loads(facts.read_text("utf-8"))["modified_list"]
    known = location_words()
    assert known.no_things == {word for word, _ in modified["removed_vs_naacl2019"]}
    assert known.more_things == {word for word, _ in modified["added_vs_naacl2019"]}


@pytest.mark.parametrize(
    ("question", "exact", "corrected"),
    [
        ("is it a triangle?", {"other"}, {"shape"}),
        ("has it a tail?", {"size"}, {"other"}),
        ("is it the smaller one?", {"location", "size"}, {"size"}),
        ("a stop sign?", {"object"}, {"object"}),
        ("a hot dog?", {"object"}, {"object"}),
        ("is it silver?", {"texture"}, {"color"}),
        ("is it an orange?", {"color"}, {"color"}),
        ("is it animals?", {"other"}, {"super_category"}),
        ("", {"other"}, {"other"}),
    ],
)
def test_the_slips_of_the_published_list_are_kept_and_mended(
    question: str, exact: set[str], corrected: set[str]
) -> None:
    assert question_types(question, EXACT) == exact
    assert question_types(question, CORRECTED) == corrected


def test_phrases_match_in_the_corrected_list_only() -> None:
    only = ["traffic light", "parking meter", "fire hydrant"]
    assert all(EXACT.found(words(text))[0] <= {"object"} for text in only)
    assert not EXACT.found(["hair", "drier"])[0]
    assert CORRECTED.found(["hair", "drier"])[0] == {"object"}
    assert not CORRECTED.found(["hair"])[0]


def test_an_attribute_hides_an_object_and_an_object_a_super_category() -> None:
    assert question_types("is it a red car?", EXACT) == {"color"}
    assert question_types("is the person holding the bag?", EXACT) == {"action"}
    assert question_types("is it a vehicle like a car?", EXACT) == {"object"}


def test_an_action_is_no_attribute_in_compguesswhat() -> None:
    assert coarse_type("is the man sitting?", EXACT) == "object"
    assert coarse_type("is the man sitting?", EXACT, GROUPINGS["effectiveness"]) == "attribute"
    assert coarse_type("is it?", EXACT) == "other"


def test_words_are_a_tweet_tokenisers() -> None:
    assert words("Is IT the 1st T-shirt, the man's?") == [
        "is", "it", "the", "1st", "t-shirt", ",", "the", "man's", "?",
    ]  # fmt: skip
    assert words("1/2 or... ok") == ["1/2", "or", "...", "ok"]
    assert words("  ") == []


@pytest.mark.parametrize(
    ("question", "subtype", "order", "plain"),
    [
        ("the third counting from the left?", "number", True, False),
        ("is it one of the two on the left?", "number", False, False),
        ("is it the one in the corner?", "absolute", False, True),
        ("is it next to the car?", "relational", False, False),
        ("on the left?", "absolute", False, True),
        ("the red one on the left?", "absolute", False, False),
        ("is it facing the woman?", "relational", False, False),
        ("is it on the left side of the picture?", "absolute", False, True),
        ("is it close to the camera?", "absolute", False, False),
        ("is it in front of him?", "relational", False, False),
        ("is it a dog?", None, False, False),
    ],
)
def test_kinds_of_location_questions(
    question: str, subtype: str | None, order: bool, plain: bool
) -> None:
    assert location_subtype(question, EXACT) == subtype
    assert is_order(question, EXACT) is order
    assert is_plainly_absolute(question, EXACT) is plain


def test_a_list_that_there_is_not_is_refused() -> None:
    with pytest.raises(UsageError, match="exact, corrected; not 'best'"):
        keywords("best")
