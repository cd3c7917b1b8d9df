"""Attributes are asked about in English."""

from __future__ import annotations

import pytest

from referee.evaluations.grounding.asking import question


@pytest.mark.parametrize(
    ("attribute", "asked"),
    [
        ("has_4_legs", "does it have 4 legs?"),
        (" catches fish", "does it catch fish?"),
        (" flies", "does it fly?"),
        (" is domestic", "is it domestic?"),
        ("in produces noise", "does it produce noise?"),
        ("in grass", "is it in grass?"),
        ("needs electricity", "does it need electricity?"),
        ("agent riding", "can it be riding?"),
        ("can_be riding", "can somebody be riding it?"),
        ("can be eaten", "can it be eaten?"),
        ("used_to chopping", "is it used for chopping?"),
        ("used to cut", "is it used to cut?"),
        ("used for games", "is it used for games?"),
        ("made of wood", "is it made of wood?"),
        ("red", "is it red?"),
        ("left_image", "is it on the left?"),
    ],
)
def test_an_attribute_is_a_question_in_english(attribute: str, asked: str) -> None:
    assert question(attribute) == asked
