"""Which sets people are shown."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.annotate.reference_sets.sampling import drawn
from referee.datasets.densevisdial import ReferenceSet
from referee.errors import UsageError
from referee.games import Scene, VisDial

ROWS = [
    ReferenceSet(str(image), image % 10, (1, 0, 1), ("yes", "no"), "is it sunny", "no")
    for image in range(30)
]


def test_what_is_drawn_depends_on_the_seed_not_on_the_order_of_the_file() -> None:
    first = drawn(ROWS, count=12, seed=1)
    assert drawn(ROWS[::-1], count=12, seed=1) == first
    assert drawn(ROWS, count=12, seed=2).items != first.items
    assert len({item.id for item in first.items}) == 12


def test_every_set_is_as_likely_as_any_other() -> None:
    """Each of 30 sets is among 6 drawn in a fifth of 2,000 seeds, give or take five deviations."""
    counts = Counter(
        item.id for seed in range(2000) for item in drawn(ROWS, count=6, seed=seed).items
    )
    assert len(counts) == 30
    assert max(abs(count - 400) for count in counts.values()) < 5 * (2000 * 0.2 * 0.8) ** 0.5


def test_an_item_has_all_that_a_person_must_see_and_not_which_answer_was_given() -> None:
    game = VisDial("3", Scene("3", file="three.jpg"), "a beach", ())
    (item,) = drawn(ROWS[3:4], [game]).items
    assert (item.id, item.image_id, item.round_id) == ("3:3", 3, 3)
    assert (item.question, item.caption, item.image_file) == ("is it sunny", "a beach", "three.jpg")
    assert item.answers == ("yes", "no")
    assert item.selected == (True, True)
    assert drawn(ROWS[3:4]).items[0].caption == ""


@pytest.mark.parametrize("count", [0, 31])
def test_no_more_are_drawn_than_there_are(count: int) -> None:
    with pytest.raises(UsageError, match=f"{count} of 30"):
        drawn(ROWS, count=count)
