"""Questions to predicates and back, and the answers that follow from the boxes and attributes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.datasets.iconworld.language import (
    Predicate,
    answer,
    answers,
    applicable,
    parse,
    phrases,
    truths,
)
from referee.datasets.iconworld.scenes import Drawn
from referee.datasets.iconworld.vocabulary import PLACES, RELATIONS, SIDES, STYLES, vocabulary
from referee.games import Box, Scene, Thing

KNOWN = vocabulary()
CATEGORIES = sorted(KNOWN.categories)
SUPERS = sorted(set(KNOWN.super_categories) - {"person"})


def maybe(values: object) -> st.SearchStrategy[str]:
    """One of the values, or nothing."""
    return st.sampled_from(["", *values])  # type: ignore[misc]


@st.composite
def predicates(draw: st.DrawFn) -> Predicate:
    """Anything that can be asked."""
    described = {
        "colour": draw(maybe(KNOWN.colours)),
        "size": draw(maybe(KNOWN.sizes)),
        "style": draw(maybe(STYLES)),
        "place": draw(maybe(PLACES)),
    }
    if draw(st.booleans()):
        described["category"] = draw(st.sampled_from(CATEGORIES))
        if draw(st.booleans()):
            rank, side = draw(st.integers(1, 6)), draw(st.sampled_from(SIDES))
            return Predicate(category=described["category"], rank=rank, side=side)
    else:
        described["super_category"] = draw(st.sampled_from(SUPERS))
    if draw(st.booleans()):
        described |= {
            "relation": draw(st.sampled_from(RELATIONS)),
            "other": draw(st.sampled_from(CATEGORIES)),
        }
    return Predicate(**described)  # type: ignore[arg-type]


@given(predicates())
def test_what_is_asked_is_understood(predicate: Predicate) -> None:
    """Every wording of a predicate is read back as that predicate."""
    assert {parse(text) for text in phrases(predicate)} == {predicate}


@given(predicates())
def test_case_punctuation_and_articles_do_not_matter(predicate: Predicate) -> None:
    """Shouted, or with commas and question marks, a question means the same."""
    for text in phrases(predicate):
        assert parse(text.upper()) == predicate
        assert parse(f"  {text.rstrip('?')} ??") == predicate
        assert parse(text.replace(" ", ", ", 1)) == predicate


@pytest.mark.parametrize(
    "field", ["super_category", "category", "colour", "size", "style", "place"]
)
def test_single_conditions_are_understood(field: str) -> None:
    """Every value of every condition can be asked for by itself."""
    values = {
        "super_category": SUPERS,
        "category": CATEGORIES,
        "colour": KNOWN.colours,
        "size": KNOWN.sizes,
        "style": STYLES,
        "place": PLACES,
    }[field]
    for value in values:
        predicate = Predicate(**{field: value})  # type: ignore[arg-type]
        assert {parse(text) for text in phrases(predicate)} == {predicate}


@pytest.mark.parametrize(
    ("question", "predicate"),
    [
        ("is it human", Predicate(category="person")),
        ("Is it something to eat?", Predicate(super_category="food")),
        ("is it orange?", Predicate(colour="orange")),
        ("is it an orange?", Predicate(category="orange")),
        ("is it the orange orange?", Predicate(category="orange", colour="orange")),
        ("Is the color grey", Predicate(colour="gray")),
        ("is it a big one?", Predicate(size="large")),
        ("on the left?", Predicate(place="left")),
        ("is it on the left side of the image", Predicate(place="left")),
        ("is it to the left of the tv?", Predicate(relation="left of", other="tv")),
        ("is it near a bike", Predicate(relation="next to", other="bicycle")),
        ("is it the leftmost dog?", Predicate(category="dog", rank=1, side="left")),
        ("is it the second from the right?", Predicate(rank=2, side="right")),
        ("the television?", Predicate(category="tv")),
    ],
)
def test_other_words_are_understood(question: str, predicate: Predicate) -> None:
    """People's own words mean the same as the plain ones."""
    assert parse(question) == predicate


@pytest.mark.parametrize(
    "question",
    [
        "",
        "is it?",
        "is it wearing a hat he likes",
        "what is it",
        "is it red and blue",
        "is there a dog?",
    ],
)
def test_what_is_not_covered_is_not_guessed(question: str) -> None:
    """A question outside the language has no predicate."""
    assert parse(question) is None


def test_every_truth_follows_from_its_rule(drawn_scenes: tuple[Drawn, ...]) -> None:
    """Masks equal what the rules give thing by thing."""
    seen = set()
    for drawn in drawn_scenes:
        scene = drawn.scene
        for predicate in asked(scene):
            expected = [plainly(predicate, scene, place) for place in range(len(scene.things))]
            yes, known = truths(predicate, scene), applicable(predicate, scene)
            found = [
                True if yes >> place & 1 else False if known >> place & 1 else None
                for place in range(len(scene.things))
            ]
            assert found == expected, predicate
            seen |= set(expected)
    assert seen == {True, False, None}


def asked(scene: Scene) -> Iterator[Predicate]:
    """Questions on everything that the scene holds, and on some that it does not."""
    for thing in scene.things[:4]:
        colour = thing.attributes[0]
        yield Predicate(category=thing.category, colour=colour)
        yield Predicate(size=thing.attributes[1], style="outline")
        yield Predicate(super_category="animal", place="left half")
        for relation in RELATIONS:
            yield Predicate(relation=relation, other=thing.category)
            yield Predicate(colour=colour, relation=relation, other="snail")
        for rank in (1, 2, 3):
            for side in SIDES:
                yield Predicate(category=thing.category, rank=rank, side=side)
    for place in PLACES:
        yield Predicate(place=place)
    for style in STYLES:
        yield Predicate(style=style)


def plainly(predicate: Predicate, scene: Scene, place: int) -> bool | None:
    """The truth about one thing, condition by condition: false beats not known beats true."""
    parts = list(conditions(predicate, scene, place))
    if predicate.rank and False not in parts:
        among = [
            i
            for i in range(len(scene.things))
            if False not in list(conditions(predicate, scene, i))
        ]
        axis, back = predicate.side in ("top", "bottom"), predicate.side in ("right", "bottom")
        among.sort(key=lambda i: -centre(scene, i)[axis] if back else centre(scene, i)[axis])
        parts.append(among.index(place) + 1 == predicate.rank)
    return False if False in parts else None if None in parts else True


def conditions(predicate: Predicate, scene: Scene, place: int) -> Iterator[bool | None]:
    """Every condition but the rank."""
    thing = scene.things[place]
    if predicate.category:
        yield thing.category == predicate.category
    if predicate.super_category:
        yield KNOWN.categories[thing.category].super_category == predicate.super_category
    for sort, value in (
        (KNOWN.colours, predicate.colour),
        (KNOWN.sizes, predicate.size),
        (STYLES, predicate.style),
    ):
        if value:
            yield value in thing.attributes if set(sort) & set(thing.attributes) else None
    x, y = centre(scene, place)
    width, height = scene.width, scene.height
    if predicate.place == "middle":
        yield abs(x - width / 2) <= width / 4 and abs(y - height / 2) <= height / 4
    elif predicate.place:
        yield all(
            {"left": 2 * x < width, "right": 2 * x > width}.get(word, True)
            and {"top": 2 * y < height, "bottom": 2 * y > height}.get(word, True)
            for word in predicate.place.split()
        )
    if predicate.relation:
        others = [i for i, one in enumerate(scene.things) if one.category == predicate.other]
        yield any(stands(predicate.relation, scene, place, i) for i in others) if others else None


def stands(relation: str, scene: Scene, place: int, other: int) -> bool:
    """Whether a thing is in a relation to another."""
    if place == other:
        return False
    (x, y), (other_x, other_y) = centre(scene, place), centre(scene, other)
    if relation != "next to":
        return {
            "left of": x < other_x,
            "right of": x > other_x,
            "above": y < other_y,
            "below": y > other_y,
        }[relation]
    one, two = scene.things[place].box, scene.things[other].box
    across = max(one.x, two.x) - min(one.x + one.width, two.x + two.width)
    down = max(one.y, two.y) - min(one.y + one.height, two.y + two.height)
    return max(across, down) <= scene.width / 10


def centre(scene: Scene, place: int) -> tuple[float, float]:
    """The centre of a box."""
    box = scene.things[place].box
    return box.x + box.width / 2, box.y + box.height / 2


def test_a_photograph_without_attributes_is_answered_where_it_can_be() -> None:
    """Kinds and places of real things are known, their colours are not applicable."""
    things = (
        Thing("1", "giraffe", 25, Box(10, 10, 200, 300)),
        Thing("2", "vase", 86, Box(500, 300, 60, 90)),
    )
    photograph = Scene("1", 640, 480, things)
    assert answers("is it an animal?", photograph) == ("Yes", "No")
    assert answers("is it in the bottom right corner?", photograph) == ("No", "Yes")
    assert answers("is it red?", photograph) == ("N/A", "N/A")
    assert answers("is it the red vase?", photograph) == ("No", "N/A")
    assert answers("is it next to the dog?", photograph) == ("N/A", "N/A")
    assert answers("is it happy?", photograph) is None
    assert answer("is it a giraffe?", photograph, 0) == "Yes"
    assert answer("is it happy?", photograph, 0) is None


def test_an_unknown_category_has_no_known_super_category() -> None:
    """Of a kind that no list knows, only that it is not another kind can be said."""
    scene = Scene("1", 100, 100, (Thing("1", "mammal", 0, Box(0, 0, 10, 10)),))
    assert answers("is it a dog?", scene) == ("No",)
    assert answers("is it an animal?", scene) == ("N/A",)
