"""The rules' accuracy on targets, and people's votes."""

from __future__ import annotations

import numpy as np
import pytest

from referee.annotate.soft_labels.pictures import drawn, scene_of
from referee.annotate.soft_labels.sampling import counts, sample
from referee.annotate.soft_labels.targets import UNIONS, target_hits
from referee.annotate.soft_labels.votes import (
    Voted,
    distributions,
    of_makesense,
    questions,
    voted,
)
from referee.datasets.annotations import Labelled, Vote
from referee.datasets.question_sample import Item
from referee.errors import DataError, UsageError
from referee.games import Answer, Ask, Box, GuessWhat, Scene, Thing, Transcript


def play(box: Box, *said: str, size: float = 100) -> Transcript:
    """A dialogue about a target in this box, and another thing."""
    things = (Thing("a", "dog", 18, box), Thing("b", "cat", 17, Box(80, 80, 20, 20)))
    events = tuple(
        event
        for question, _, answer in (text.rpartition(" ") for text in said)
        for event in (Ask(question), Answer(answer))
    )
    return Transcript(GuessWhat("7", Scene("1", size, size, things), "a"), events)


def hits(box: Box, *said: str) -> dict[str, list[bool]]:
    found = target_hits([play(box, *said)], "all")
    return {name: values.tolist() for name, values in found.hits.items()}


def test_a_union_is_right_where_any_of_its_rules_is() -> None:
    """A small thing left of the middle: its centroid is there, R2's outer part is not."""
    small = Box(42, 10, 6, 6)
    assert hits(small, "on the left? Yes") == {
        **{name: [True] for name in ("r1", "r3", "r1_r2", "r1_r3", "r2_r3", "r1_r2_r3")},
        "r2": [False],
    }
    after_no = hits(small, "on the left? No")
    assert [name for name, values in after_no.items() if values[0]] == [
        *("r2", "r1_r2", "r2_r3", "r1_r2_r3")
    ]
    assert list(after_no) == list(UNIONS)


def test_only_places_answered_yes_or_no_in_pictures_of_known_size_count() -> None:
    """N/A, other types, and pictures without a size say nothing of the rules."""
    box = Box(10, 10, 10, 10)
    said = ("is it a dog? Yes", "on the left? N/A", "at the top? Yes")
    assert hits(box, *said)["r1"] == [True]
    assert target_hits([play(box, *said)], "first").asked == ()
    assert target_hits([play(box, *said, size=0)], "all").asked == ()


def item() -> Item:
    return next(questions([play(Box(0, 0, 30, 30), "is it a dog? Yes")]))


def test_labels_of_makesense_are_votes() -> None:
    """Numbers with or without names, boxes on an object, and 'none'; who said nothing has no vote."""
    asked = item()
    marks = [
        Labelled(asked.picture, "1 dog"),
        Labelled(asked.picture, "thing", Box(78, 79, 21, 20)),
    ]
    found = list(of_makesense(marks, "p1", [asked]))
    assert [(vote.object, vote.vote) for vote in found] == [("a", True), ("b", True)]
    none = list(of_makesense([Labelled(asked.picture, "none")], "p2", [asked]))
    assert [vote.vote for vote in none] == [False, False]
    assert list(of_makesense([], "p3", [asked])) == []
    with pytest.raises(DataError, match="'thing' is no object"):
        list(of_makesense([Labelled(asked.picture, "thing", Box(40, 40, 5, 5))], "p1", [asked]))


def test_votes_become_distributions() -> None:
    """The votes of each object over all votes; where nobody meant any, there is no label."""
    marks = {"p1": (1, 0), "p2": (1, 1), "p3": (1, 0)}
    ballots = [
        Vote("7", 1, who, name, bool(mark))
        for who, both in marks.items()
        for name, mark in zip("ab", both, strict=True)
    ]
    (row,) = voted(ballots, [item()])
    (found,) = distributions([row])
    assert found.probabilities == (0.75, 0.25)
    assert found.why == ("dog: meant by 3 of 3 people", "cat: meant by 1 of 3 people")
    nobody = Voted(item(), ("p1",), np.zeros((2, 1)))
    assert list(distributions([nobody])) == []
    assert [each.probabilities for each in distributions([nobody], "uniform")] == [(0.5, 0.5)]


def test_a_drawing_holds_the_question_under_the_whole_picture() -> None:
    """The boxes stay where the data has them; there is room for the question below."""
    picture = drawn(item())
    assert picture.width == 100
    assert picture.height > 100
    assert scene_of(item()).things[0].box == Box(0, 0, 30, 30)


def test_what_is_drawn_is_asked_evenly() -> None:
    """As many of each type as wanted, each asked of three people, nobody much more than another."""
    games = [
        Transcript(
            GuessWhat(str(number), play(Box(0, 0, 9, 9)).game.scene, "a"),  # type: ignore[union-attr]
            (Ask(("a dog?", "on the left?", "is it red?")[number % 3]), Answer("Yes")),
        )
        for number in range(300)
    ]
    task = sample(games, counts("object=20,spatial=15,colour=1"))
    assert [each.type for each in task.items].count("spatial") == 15
    asked = [name for each in task.items for name in each.annotators]
    loads = [asked.count(f"p{number}") for number in range(1, 10)]
    assert sum(loads) == 3 * 36
    assert max(loads) - min(loads) <= 1
    with pytest.raises(UsageError, match="there are only 100 of object"):
        sample(games, {"object": 101})
