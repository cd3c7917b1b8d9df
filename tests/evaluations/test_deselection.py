"""What people left of reference sets, against counting by hand."""

from __future__ import annotations

import numpy as np
import pytest

from referee.datasets.deselection import Item, Response, Task
from referee.evaluations.deselection import judge
from referee.randomness import Stream, key


def item(image: int, answers: int) -> Item:
    texts = tuple(f"answer {place}" for place in range(answers))
    return Item(f"{image}:0", image, 0, "is it sunny", texts, (True,) * answers)


def test_a_share_is_of_each_person_and_one_of_any() -> None:
    """Two people leave two and one of four answers, together three of them."""
    task = Task(items=(item(7, 4),), people=2)
    responses = [
        Response("7:0", "ann", (True, True, False, False)),
        Response("7:0", "bo", (False, False, True, False)),
    ]
    values = judge(task, responses).result.values
    assert values["selected"].value == pytest.approx(37.5)
    assert values["selected_by_any"].value == 75
    assert values["size"].value == 4


def test_items_count_alike_whatever_their_size() -> None:
    task = Task(items=(item(7, 1), item(8, 9)), people=1)
    responses = [
        Response("7:0", "ann", (True,)),
        Response("8:0", "ann", (False,) * 9),
    ]
    value = judge(task, responses).result.values["selected"]
    assert (value.value, value.n, value.n_clusters) == (50, 2, 2)


def test_an_item_that_too_few_or_too_many_people_answered_has_failed() -> None:
    """More people select more together: such items must not be mixed."""
    task = Task(items=tuple(item(image, 2) for image in range(4)), people=2)
    responses = [
        Response(f"{image}:0", f"person {number}", (True, False))
        for image, people in enumerate((2, 1, 3, 0))
        for number in range(people)
    ]
    judged = judge(task, responses)
    value = judged.result.values["selected"]
    assert (value.value, value.n, value.n_failed) == (50, 1, 3)
    assert judged.result.notes == ("3 items were not answered by 2 people: 1 by 0, 1 by 1, 1 by 3",)


def test_people_who_keep_at_a_known_rate_are_found_at_it() -> None:
    """Each keeps an answer with probability .7: by one of five at least, 1 - .3^5 = .99757."""
    stream = Stream(key("people"))
    task = Task(items=tuple(item(image, 10) for image in range(400)))
    responses = [
        Response(one.id, f"person {number}", tuple(stream.random() < 0.7 for _ in one.answers))
        for one in task.items
        for number in range(5)
    ]
    values = judge(task, responses).result.values
    for name, truth in (("selected", 70), ("selected_by_any", 100 * (1 - 0.3**5))):
        found = values[name]
        assert found.ci_low is not None
        assert found.ci_high is not None
        assert found.ci_low < truth < found.ci_high
        assert found.ci_high - found.ci_low < 2
    marks = np.array([response.selected for response in responses])
    assert values["selected"].value == pytest.approx(100 * marks.mean())


def test_the_order_of_the_responses_does_not_matter() -> None:
    task = Task(items=(item(7, 2), item(8, 2)), people=2)
    responses = [
        Response(one, person, (True, person == "ann"))
        for one in ("7:0", "8:0")
        for person in ("ann", "bo")
    ]
    assert judge(task, responses).result == judge(task, responses[::-1]).result
