"""Captions: what they name is there, in the number they give."""

from __future__ import annotations

import re

from referee.datasets.iconworld.captions import NUMBERS, captions
from referee.datasets.iconworld.grammar import nouns
from referee.datasets.iconworld.scenes import Drawn
from referee.datasets.iconworld.vocabulary import vocabulary
from referee.games import Scene

KNOWN = vocabulary()


def test_captions_differ_and_are_the_same_for_a_key(drawn_scenes: tuple[Drawn, ...]) -> None:
    """Five captions, none twice, and the same five for the same key."""
    for drawn in drawn_scenes:
        made = captions(drawn.scene, 5)
        assert made == captions(drawn.scene, 5)
        assert len(set(made)) == len(made) == 5


def test_captions_are_true(drawn_scenes: tuple[Drawn, ...]) -> None:
    """Each "three dogs" is three dogs of the scene, each "red dog" one that is red."""
    pattern = re.compile(rf"\b({'|'.join(NUMBERS[2:])}) ([a-z-]+(?: [a-z-]+){{0,2}}?)(?=,| and |$)")
    colours = re.compile(
        rf"\b({'|'.join(KNOWN.colours)}) ({'|'.join(map(re.escape, KNOWN.categories))})\b"
    )
    counted = coloured = 0
    for drawn in drawn_scenes:
        for caption in captions(drawn.scene, 11):
            for number, words in pattern.findall(caption):
                assert count(words, drawn.scene) == NUMBERS.index(number), caption
                counted += 1
            for colour, category in colours.findall(caption):
                assert any(
                    thing.category == category and colour in thing.attributes
                    for thing in drawn.scene.things
                ), caption
                coloured += 1
    assert counted > 100
    assert coloured > 200


def count(words: str, scene: Scene) -> int:
    """How many things of the scene a plural means."""
    kind = nouns()[words][1]
    return sum(
        kind in (thing.category, KNOWN.categories[thing.category].super_category)
        for thing in scene.things
    )
