"""The rules R1, R2 and R3, and soft labels from counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import UsageError
from referee.metrics.belief.labels import combined
from referee.metrics.belief.rules import CORNERS, PAPER, REGIONS, RULES, Thresholds, extents, r2

WIDTH, HEIGHT = 640, 480


def plain(box: tuple[float, ...], region: str) -> tuple[bool, bool, bool]:
    """The rules of appendix A about one box, in pixels and in plain words."""
    x, y, w, h = box
    left, right = max(0, min(WIDTH / 2, x + w) - x) / w, max(0, x + w - max(WIDTH / 2, x)) / w
    top, bottom = max(0, min(HEIGHT / 2, y + h) - y) / h, max(0, y + h - max(HEIGHT / 2, y)) / h
    share = {"left": left, "right": right, "top": top, "bottom": bottom}
    cx, cy = x + w / 2, y + h / 2
    at = {
        "left": cx < WIDTH / 2,
        "right": cx > WIDTH / 2,
        "top": cy < HEIGHT / 2,
        "bottom": cy > HEIGHT / 2,
    }
    if region == "middle":
        across = max(0, min(3 * WIDTH / 4, x + w) - max(WIDTH / 4, x)) / w
        down = max(0, min(3 * HEIGHT / 4, y + h) - max(HEIGHT / 4, y)) / h
        centre = abs(cx - WIDTH / 2) <= WIDTH / 4 and abs(cy - HEIGHT / 2) <= HEIGHT / 4
        return across >= 0.5 and down >= 0.5, across >= 1 or down >= 1, centre
    if region in CORNERS:
        high, wide = region.split()
        whole = share[high] >= 1 and share[wide] >= 1
        return whole, whole, at[high] and at[wide]
    side = region.removesuffix(" half")
    if side in ("top", "bottom"):
        return share[side] > 0.8, share[side] >= 0.75, at[side]
    outer = x < 0.4 * WIDTH if side == "left" else x + w > 0.6 * WIDTH
    second = share[side] >= 2 / 3 and (outer or region.endswith("half"))
    return share[side] > 0.8, second, at[side]


@given(
    st.integers(0, 600), st.integers(0, 440), st.integers(1, 640), st.integers(1, 480),
    st.sampled_from(REGIONS),
)  # fmt: skip
def test_the_rules_are_those_of_the_appendix(x: int, y: int, w: int, h: int, region: str) -> None:
    """Boxes as arrays get what each box gets in plain words; whole pixels fall on no rounding."""
    box = (x, y, min(w, WIDTH - x), min(h, HEIGHT - y))
    edges, cut = extents([box], (WIDTH, HEIGHT))
    found = tuple(bool(rule(edges, region, PAPER)[0]) for rule in RULES.values())
    assert cut == 0
    # Five times a share of 0.8 may round either way; no other threshold does.
    if not np.isclose(edges[0, 2] - edges[0, 0], 0):
        assert found == plain(box, region)


def test_the_rules_look_the_same_in_a_mirror() -> None:
    """What is left of a box is right of its mirror image, and so for top and bottom."""
    random = np.random.default_rng(0)
    corner = random.random((200, 2)) * 0.9
    edges = np.concatenate([corner, corner + random.random((200, 2)) * (1 - corner)], axis=1)
    mirrored = np.stack([1 - edges[:, 2], edges[:, 1], 1 - edges[:, 0], edges[:, 3]], axis=1)
    turned = np.stack([edges[:, 0], 1 - edges[:, 3], edges[:, 2], 1 - edges[:, 1]], axis=1)
    for rule in RULES.values():
        for region in REGIONS:
            other = region.replace("left", "*").replace("right", "left").replace("*", "right")
            assert (rule(edges, region, PAPER) == rule(mirrored, other, PAPER)).all()
            other = region.replace("top", "*").replace("bottom", "top").replace("*", "bottom")
            assert (rule(edges, region, PAPER) == rule(turned, other, PAPER)).all()


def test_a_threshold_is_what_its_name_says() -> None:
    """A stricter outer part takes from the left what lies near the middle, and from no half."""
    edges, _ = extents([[35, 0, 10, 10]], (100, 100))
    strict = Thresholds(r2_outer=0.3)
    assert r2(edges, "left").all()
    assert not r2(edges, "left", strict).any()
    assert r2(edges, "left half", strict).all()


def test_boxes_are_cut_at_the_edge_and_counted() -> None:
    """A box that leaves the picture counts as what of it is inside; a pixel of rounding is no cut."""
    boxes = np.array([[-50, 0, 60, 50], [90, 90, 10.5, 10], [300, 0, 10, 10]])
    edges, cut = extents(boxes, (100, 100))
    assert cut == 2
    assert edges.tolist() == [[0, 0, 0.1, 0.5], [0.9, 0.9, 1, 1], [1, 0, 1, 0.1]]


def test_a_box_without_width_is_a_point() -> None:
    """A point on the left is on the left by every rule; one on the middle line is on no side."""
    edges, _ = extents([[20, 20, 0, 0], [50, 20, 0, 10]], (100, 100))
    for rule in RULES.values():
        assert rule(edges, "left", PAPER).tolist() == [True, False]
        assert rule(edges, "right", PAPER).tolist() == [False, False]


def test_a_place_that_is_none_is_refused() -> None:
    """A region outside the list, and a picture without a size, are no questions for a rule."""
    edges, _ = extents([[0, 0, 1, 1]], (2, 2))
    with pytest.raises(UsageError, match="'inside' is no place"):
        r2(edges, "inside")
    with pytest.raises(UsageError, match="no left and right"):
        extents([[0, 0, 1, 1]], (0, 2))


def test_figure_3() -> None:
    """Three rules for #1 and #3 and one for #4 give 0.4286, 0.4286 and 0.1429; a softmax does not."""
    counts, widths = np.array([0.0, 3, 0, 3, 1]), np.array([5])
    assert combined(counts, widths).round(4).tolist() == [0, 0.4286, 0, 0.4286, 0.1429]
    assert combined(counts, widths, "softmax").round(3).tolist() == [
        0.022,
        0.447,
        0.022,
        0.447,
        0.061,
    ]


def test_all_zero_counts_have_a_policy() -> None:
    """Where no candidate fits there is no label, or an even one; the other rows are as ever."""
    counts, widths = np.array([0.0, 0, 1, 1, 2]), np.array([2, 3])
    assert np.isnan(combined(counts, widths)).tolist() == [True, True, False, False, False]
    assert combined(counts, widths, all_zero="uniform").tolist() == [0.5, 0.5, 0.25, 0.25, 0.5]
    soft = combined(counts, widths, "softmax", "uniform")
    assert soft[:2].tolist() == [0.5, 0.5]
    with pytest.raises(UsageError, match="all_zero"):
        combined(counts, widths, all_zero="zero")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="combine"):
        combined(counts, widths, "mean")  # type: ignore[arg-type]
