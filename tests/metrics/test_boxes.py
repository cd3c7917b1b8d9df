"""Boxes of two versions of a picture, and where in a picture a box is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.metrics.boxes import (
    BY_IOU,
    BY_NAME,
    CODE,
    LOCATIONS,
    UNMAPPED,
    Mapping,
    Side,
    Thresholds,
    locations,
    map_boxes,
    scaled,
    tokens,
)

Box = tuple[float, float, float, float]
Named = tuple[Box, str]

boxes = st.tuples(*[st.integers(0, 12)] * 2, *[st.integers(0, 8)] * 2).map(
    lambda numbers: tuple(map(float, numbers))
)
names = st.sampled_from(["dog", "hot dog", "fire hydrant", "", "Dog!", "hydrant fire hot"])
pictures = st.lists(st.lists(st.tuples(boxes, names), max_size=5), min_size=1, max_size=4)


def side(images: list[list[Named]], known: dict[str, int]) -> Side:
    flat = [thing for things in images for thing in things]
    return Side(
        np.array([box for box, _ in flat], float).reshape(-1, 4),
        np.array([len(things) for things in images], np.int64),
        tokens([[name] for _, name in flat], known),
    )


def mapped(
    ours: list[list[Named]], theirs: list[list[Named]], thresholds: Thresholds | None = None
) -> Mapping:
    known: dict[str, int] = {}
    both = side(ours, known), side(theirs, known)
    return map_boxes(*both, thresholds) if thresholds else map_boxes(*both)


def iou(a: Box, b: Box) -> float:
    """By counting pixels: all corners are whole numbers."""
    one, two = (
        {
            (x, y)
            for x in range(int(each[0]), int(each[0] + each[2]))
            for y in range(int(each[1]), int(each[1] + each[3]))
        }
        for each in (a, b)
    )
    return len(one & two) / len(one | two) if one | two else 0.0


def jaccard(a: str, b: str) -> float:
    one, two = (set("".join(c if c.isalnum() else " " for c in n.lower()).split()) for n in (a, b))
    return len(one & two) / len(one | two) if one | two else 0.0


def by_hand(own: Named, others: list[Named], limits: Thresholds) -> tuple[int, int]:
    """The procedure as the paper's appendix tells it, a step at a time."""
    area = [box[2] * box[3] for box, _ in others]
    over = [k for k, (box, _) in enumerate(others) if iou(own[0], box) > limits.iou]
    near = [
        k
        for k, (box, name) in enumerate(others)
        if iou(own[0], box) > limits.near and jaccard(own[1], name) > limits.jaccard
    ]
    for found, how in ((over, BY_IOU), (near, BY_NAME)):
        if found:
            return max(found, key=lambda k: (area[k], -k)), how
    return -1, UNMAPPED


@given(pictures, pictures, st.sampled_from([0.0, 0.4, 0.6]))
def test_the_mapping_is_the_papers(
    ours: list[list[Named]], theirs: list[list[Named]], alike: float
) -> None:
    """Every box has the row, the way, the overlap and the likeness that go by hand."""
    theirs = [*theirs, *[[] for _ in ours]][: len(ours)]
    limits = Thresholds(jaccard=alike)
    found = mapped(ours, theirs, limits)
    row = begin = 0
    for mine, others in zip(ours, theirs, strict=True):
        for own in mine:
            best, how = by_hand(own, others, limits)
            assert found.rows[row] == (begin + best if best >= 0 else -1)
            assert found.how[row] == how
            all_ious = [iou(own[0], box) for box, _ in others]
            expected = all_ious[best] if best >= 0 else max(all_ious, default=0.0)
            assert found.iou[row] == pytest.approx(expected, abs=1e-12)
            assert found.jaccard[row] == (jaccard(own[1], others[best][1]) if best >= 0 else 0)
            row += 1
        begin += len(others)


def test_the_largest_of_those_that_overlap_is_taken() -> None:
    """Not the one that overlaps most; and overlap goes before names."""
    dog: Named = ((0.0, 0.0, 10.0, 10.0), "dog")
    exact: Named = ((0.0, 0.0, 10.0, 10.0), "dog")
    larger: Named = ((0.0, 0.0, 10.0, 15.0), "couch")
    huge: Named = ((0.0, 0.0, 100.0, 15.0), "dog")
    found = mapped([[dog]], [[exact, larger, huge]])
    assert (found.rows.tolist(), found.how.tolist()) == ([1], [BY_IOU])
    found = mapped([[dog]], [[huge, ((0.0, 0.0, 30.0, 30.0), "cat")]])
    assert (found.rows.tolist(), found.how.tolist()) == ([0], [BY_NAME])
    found = mapped([[dog]], [[((0.0, 0.0, 30.0, 30.0), "cat")]])
    assert (found.rows.tolist(), found.how.tolist()) == ([-1], [UNMAPPED])
    assert found.iou.tolist() == pytest.approx([1 / 9])


def test_thresholds_must_be_exceeded() -> None:
    """An overlap of one half is not more than one half."""
    own: Named = ((0.0, 0.0, 2.0, 1.0), "dog")
    half: Named = ((0.0, 0.0, 1.0, 1.0), "cat")
    assert mapped([[own]], [[half]]).rows.tolist() == [-1]
    assert mapped([[own]], [[half]], Thresholds(iou=0.49)).rows.tolist() == [0]


def test_a_box_without_area_is_mapped_to_nothing() -> None:
    """Neither is anything mapped to it, and nothing is divided by zero."""
    flat: Named = ((3.0, 3.0, 0.0, 5.0), "dog")
    found = mapped([[flat, ((3.0, 3.0, 5.0, 5.0), "dog")]], [[flat]])
    assert found.rows.tolist() == [-1, -1]
    assert found.iou.tolist() == [0, 0]


def test_boxes_of_a_smaller_picture_are_scaled_first() -> None:
    """Scaled to the other picture's size a box is where it belongs, each way by its own factor."""
    theirs = np.array([[10.0, 20.0, 30.0, 40.0], [1.0, 1.0, 1.0, 1.0]])
    sizes = np.array([[100.0, 200.0], [10.0, 10.0]])
    to = np.array([[200.0, 100.0], [10.0, 10.0]])
    found = scaled(theirs, np.array([1, 1]), sizes, to)
    assert found.tolist() == [[20.0, 10.0, 60.0, 20.0], [1.0, 1.0, 1.0, 1.0]]


def labels(box: Box, rule: str = "correct", size: tuple[float, float] = (640.0, 480.0)) -> set[str]:
    row = locations(np.array([box]), np.array(size), rule)[0]
    return {name for name, one in zip(LOCATIONS, row, strict=True) if one}


@pytest.mark.parametrize(
    ("box", "correct", "code"),
    [
        ((0, 0, 40, 40), {"left_image", "top_image"}, {"left_image", "top_image"}),
        ((130, 130, 20, 20), {"left_image"}, {"center"}),
        ((410, 200, 50, 50), {"center"}, {"right_image"}),
        ((200, 365, 50, 50), {"bottom_image"}, {"center"}),
        ((500, 401, 50, 50), {"right_image", "bottom_image"}, {"right_image", "bottom_image"}),
        ((160, 120, 320, 240), {"center"}, {"center"}),
    ],
)
def test_locations_by_either_rule(box: Box, correct: set[str], code: set[str]) -> None:
    """In 640 x 480 the center is [160, 120, 480, 360], and [120, 120, 400, 400] in the code."""
    assert labels(box) == correct
    assert labels(box, CODE) == code


def test_every_box_has_one_location_or_two() -> None:
    """One, or two that are not opposite; the center is there where no other is."""
    random = np.random.default_rng(0)
    given_boxes = random.integers(0, 200, (500, 4)).astype(float)
    sizes = random.integers(200, 400, (500, 2)).astype(float)
    for rule in ("correct", "code"):
        found = locations(given_boxes, sizes, rule)
        assert set(found.sum(axis=1).tolist()) <= {1, 2}
        bottom, right, left, top, center = found.T
        assert not (bottom & top).any()
        assert not (left & right).any()
        assert (center == ~(bottom | top | left | right)).all()
