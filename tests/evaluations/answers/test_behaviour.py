"""Yes, no and declining, as people and models say it."""

from __future__ import annotations

import pytest

from referee.evaluations.answers.behaviour import polarity, refuses


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("yes", "yes"),
        ("Yes, there is a dog.", "yes"),
        ("yeah, 2 of them", "yes"),
        ("i believe so", "yes"),
        ("i would think so", "yes"),
        ("no", "no"),
        ("nope", "no"),
        ("not that i can see", "no"),
        ("i don't think so", "no"),
        ("i don’t believe so", "no"),  # noqa: RUF001
        ("none", "no"),
        ("it is red", None),
        ("not sure", None),
        ("no idea", None),
        ("not visible", None),
        ("yesterday", None),
        ("", None),
        ("?", None),
    ],
)
def test_an_answer_opens_with_yes_with_no_or_with_neither(text: str, said: str | None) -> None:
    assert polarity(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "i can't tell",
        "i cannot really tell",
        "can't see it",
        "hard to say",
        "not sure",
        "I'm not entirely certain",
        "unable to determine",
        "i don't know",
        "sorry, i can't help with that",
        "As an AI, I have no eyes",
        "no way to tell",
    ],
)
def test_declining_is_seen(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize("text", ["no", "i can see it", "not really", "there is a no parking sign"])
def test_an_answer_is_not_taken_for_declining(text: str) -> None:
    assert not refuses(text)
