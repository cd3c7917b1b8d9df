"""Open questions: replies, and the relevance of options against a reading of their words."""

from __future__ import annotations

import re

import pytest

from referee.datasets.iconworld.language import UNSURE, OpenQuestion, parse_open, reply, truths
from referee.datasets.iconworld.open_questions import ask_open, right_answers
from referee.datasets.iconworld.scenes import Drawn
from referee.datasets.iconworld.visual_dialogues import dialogue
from referee.datasets.iconworld.vocabulary import vocabulary
from referee.games import Box, Scene, Thing

KNOWN = vocabulary()
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
YES = ("yes", "yep", "it is", "i believe so")
NO = ("no", "nope", "it is not", "i don't think so", "not that i can see")
SCENE = Scene(
    "1",
    320,
    240,
    (
        Thing("1", "dog", 18, Box(10, 10, 40, 40), None, ("red", "small")),
        Thing("2", "dog", 18, Box(10, 190, 40, 40), None, ("blue", "small")),
        Thing("3", "tv", 72, Box(250, 20, 50, 40), None, ("black", "large")),
    ),
)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("how many dogs are there?", "2"),
        ("How many animals do you see", "2"),
        ("how many things are there", "3"),
        ("how many pieces of furniture are there", "0"),
        ("is there a cat?", "no"),
        ("are there any animals in the picture?", "yes"),
        ("what color is the television?", "black"),
        ("what colour are the dogs?", "red and blue"),
        ("what size are the dogs", "small"),
        ("where is the tv?", "in the top right corner"),
        ("where are the dogs?", "on the left"),
        ("is the tv large?", "yes"),
        ("are the dogs red", "some of them"),
        ("is the tv on the left", "no"),
        ("what color is the cat?", "there is no cat"),
        ("why is it raining?", UNSURE),
    ],
)
def test_replies_are_right(question: str, right: str) -> None:
    """The plain answer is the right one."""
    assert reply(question, SCENE) == right


def test_what_is_asked_is_understood() -> None:
    """Every sort of question about every kind is read back as what it asks."""
    kinds = [kind for kind in (*KNOWN.categories, *KNOWN.super_categories) if kind != "person"]
    for kind in kinds:
        for sort in ("exists", "count", "colour", "size", "place"):
            for several in (False, True):
                question = OpenQuestion(sort, kind)
                read = parse_open(ask_open(question, several=several))
                assert read == question, ask_open(question, several=several)


def test_relevance_is_the_truth(drawn_scenes: tuple[Drawn, ...]) -> None:
    """An option has a relevance above 0 iff, read by its words, it is right of the scene."""
    judged = 0
    for drawn in drawn_scenes[:60]:
        game = dialogue(drawn.scene, int(drawn.scene.id))
        assert len({asked.question for asked in game.rounds}) == 10
        for asked in game.rounds:
            question = parse_open(asked.question)
            assert question is not None
            assert asked.relevance is not None
            assert asked.gt_index is not None
            assert len(set(asked.options)) == 100
            assert asked.options[asked.gt_index] == asked.answer
            assert asked.relevance[asked.gt_index] == 1
            for option, relevance in zip(asked.options, asked.relevance, strict=True):
                expected = is_right(option, question, drawn.scene)
                assert (relevance > 0) == expected, (asked.question, option, drawn.scene)
                judged += expected
    assert judged > 2500


def test_a_vague_answer_is_less_relevant(drawn_scenes: tuple[Drawn, ...]) -> None:
    """The word several is worth less than the number, and a side less than the corner."""
    crowd = next(d.scene for d in drawn_scenes if len(d.scene.things) > 5)
    counted = right_answers(OpenQuestion("count"), crowd)
    assert counted["several"] < counted[str(len(crowd.things))] == 1
    placed = right_answers(OpenQuestion("place", "tv"), SCENE)
    assert placed["on the right"] < placed["in the top right corner"] == 1


def is_right(option: str, question: OpenQuestion, scene: Scene) -> bool:
    """Reads an option by itself and holds it against the things of the scene."""
    things = [
        (place, thing)
        for place, thing in enumerate(scene.things)
        if question.kind in ("", thing.category, KNOWN.categories[thing.category].super_category)
    ]
    if question.sort == "count":
        return count_is_right(option, len(things))
    if question.sort == "exists":
        return existence_is_right(option, len(things))
    if question.sort == "place":
        return place_is_right(option, scene, [thing for _, thing in things])
    if question.predicate is not None:
        true = truths(question.predicate, scene)
        held = {bool(true >> place & 1) for place, _ in things}
        both = option in ("some of them", "only some", "not all of them", "yes and no")
        return held == ({True, False} if both else {said(option)})
    among = KNOWN.colours if question.sort == "colour" else KNOWN.sizes
    values = {a for _, thing in things for a in thing.attributes if a in among}
    return looks_are_right(option, values, {*among})


def looks_are_right(option: str, values: set[str], among: set[str]) -> bool:
    """Whether a statement of colours or sizes is true of things that have these."""
    named = among & set(re.split("[ ,]+", option))
    if option == "they differ":
        return len(values) > 1
    if option.startswith("one is"):
        return len(values) > 1 and named <= values
    return named == values


def said(option: str) -> bool | None:
    """Whether an option says yes or no, None where it says neither."""
    if any(option == word or option.startswith(f"{word} ") for word in NO):
        return False
    if option in YES or option.startswith("yes"):
        return True
    return None


def number(option: str) -> int | None:
    """The number that an option states."""
    for word in option.split():
        if word.isdigit():
            return int(word)
        if word in WORDS:
            return WORDS.index(word)
    return None


def count_is_right(option: str, count: int) -> bool:
    """Whether a statement of a number, exact or vague, is true."""
    least = {"at least one": 1, "more than one": 2, "more than two": 3, "several": 3, "a few": 3}
    if option in least:
        # With exactly one, "at least one" is what is left to say vaguely.
        return count >= least[option]
    if option == "a couple":
        return count == 2
    if option in ("none", "i don't see any") or option.startswith("there are no "):
        return count == 0
    if re.match(r"(it is|it's|looks|i think) |they are ", option) or said(option) is not None:
        return False
    return number(option) == count


def existence_is_right(option: str, count: int) -> bool:
    """Whether a yes or a no, perhaps with a number, is true."""
    if option == "yes more than one":
        return count > 1
    if option == "yes just one":
        return count == 1
    if option.startswith("there are no ") or option in ("none", "i don't see any"):
        return count == 0
    stated = number(option)
    if stated is not None:
        return stated == count
    return said(option) == (count > 0)


def place_is_right(option: str, scene: Scene, things: list[Thing]) -> bool:
    """Whether all the things are where an option says."""

    def at(words: set[str], thing: Thing) -> bool:
        x, y = thing.box.x + thing.box.width / 2, thing.box.y + thing.box.height / 2
        where = {
            "left": x < scene.width / 2,
            "right": x > scene.width / 2,
            "top": y < scene.height / 2,
            "bottom": y > scene.height / 2,
            "middle": scene.width / 4 <= x <= scene.width * 3 / 4
            and scene.height / 4 <= y <= scene.height * 3 / 4,
        }
        return all(where[word] for word in words)

    everywhere = {"left", "right", "top", "bottom", "middle"}
    if option in ("in different places", "they are spread out", "not all in one place"):
        return not any(all(at({place}, thing) for thing in things) for place in everywhere)
    named = everywhere & set(option.split())
    return bool(named) and all(at(named, thing) for thing in things)
