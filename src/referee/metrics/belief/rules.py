r"""The rules R1, R2 and R3 for absolute places (belief.txt, appendix A).

Shares of a box are along one axis: of its width for left and right, of its height for top and bottom.
With $s$ the share on the asked side of the picture's middle,

- left and right: R1 wants $s > 0.8$, R2 $s \ge 2/3$ and some part in the outer 40 % of the picture, R3
  the centroid on that side; for the left (right) half R2 wants $s \ge 2/3$ alone.
- top and bottom, and their halves: R1 wants $s > 0.8$, R2 $s \ge 0.75$, R3 the centroid on that side.
- middle: R1 wants half of the width and half of the height in the central half of the picture, R2 all
  of the width or all of the height, R3 the centroid both ways.
- corners: R1 and R2 want the whole box in the quadrant, R3 the centroid.

A box without width (or height) is a point on that axis. A centroid on the line is on neither side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.errors import UsageError

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

SIDES = ("left", "right", "top", "bottom")
HALVES = tuple(f"{side} half" for side in SIDES)
CORNERS = tuple(f"{high} {wide}" for high in SIDES[2:] for wide in SIDES[:2])
REGIONS = (*SIDES, *HALVES, "middle", *CORNERS)
"""The places that can be asked for."""

_SLACK = 1e-9
"""A whole box may leave the region by a rounding error of its coordinates."""


@dataclass(frozen=True)
class Thresholds:
    """What the rules compare with: shares of the box, and where lines run as shares of the picture."""

    r1_side: float = 0.8
    """More than this of the box on its side."""
    r1_middle: float = 0.5
    """At least this of the width, and of the height, in the central part."""
    r2_side: float = 2 / 3
    """At least this of the box on its side, for left and right."""
    r2_outer: float = 0.4
    """Some part must lie in so much of the picture on that side, for plain left and right."""
    r2_half: float = 0.75
    """At least this of the box on its side, for top and bottom."""
    r2_middle: float = 1.0
    """At least this of the width, or of the height, in the central part."""
    corner: float = 1.0
    """R1 and R2: at least this of the width, and of the height, in the quadrant."""
    half: float = 0.5
    """Where the middle lines run: how much of the picture its left, and its upper, half is."""
    central: float = 0.5
    """How much of the picture the central part is, each way."""


PAPER = Thresholds()

Rule: TypeAlias = Callable[[Floats, str, Thresholds], Flags]


def extents(boxes: ArrayLike, sizes: ArrayLike) -> tuple[Floats, int]:
    """Boxes as edges in shares of the picture, cut where they leave it; and how many had to be cut.

    A box that lies outside altogether is a point or a line on the edge.

    Args:
        boxes: x, y, width and height in pixels, y downwards, shape (n, 4).
        sizes: width and height of the picture of each, shape (n, 2) or (2,).

    Returns:
        left, top, right and bottom edge, shape (n, 4), and the number of boxes cut by more than a
        pixel, which is what rounding may cost.

    Examples:
        >>> edges, cut = extents([[-20, 0, 60, 50], [50, 50, 50, 50]], [100, 100])
        >>> edges.tolist(), cut
        ([[0.0, 0.0, 0.4, 0.5], [0.5, 0.5, 1.0, 1.0]], 1)
    """
    pixels = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    size = np.broadcast_to(np.asarray(sizes, dtype=np.float64), (len(pixels), 2))
    if len(size) and not (size > 0).all():
        raise UsageError("a picture without width or height has no left and right")
    limits = np.concatenate([size, size], axis=1)
    edges = pixels.copy()
    edges[:, 2:] += pixels[:, :2]
    kept = np.clip(edges, 0.0, limits)
    cut = int((np.abs(edges - kept) > 1.0).any(axis=1).sum())
    return kept / limits, cut


def r1(edges: Floats, region: str, limits: Thresholds = PAPER) -> Flags:
    """R1: nearly the whole box must be there.

    >>> edges, _ = extents([[0, 0, 60, 10], [0, 0, 64, 10]], [100, 100])
    >>> r1(edges, "left").tolist()
    [True, False]
    """
    if region == "middle":
        return (_inside(edges, 0, limits.central) >= limits.r1_middle - _SLACK) & (
            _inside(edges, 1, limits.central) >= limits.r1_middle - _SLACK
        )
    if region in CORNERS:
        return _in_corner(edges, region, limits)
    return _share(edges, region, limits) > limits.r1_side + _SLACK


def r2(edges: Floats, region: str, limits: Thresholds = PAPER) -> Flags:
    """R2: kinder to large boxes that stick out, stricter with small ones near the middle.

    >>> edges, _ = extents([[0, 0, 70, 10], [42, 0, 8, 10]], [100, 100])
    >>> r2(edges, "left").tolist(), r2(edges, "left half").tolist()
    ([True, False], [True, True])
    """
    if region == "middle":
        whole = limits.r2_middle - _SLACK
        return (_inside(edges, 0, limits.central) >= whole) | (
            _inside(edges, 1, limits.central) >= whole
        )
    if region in CORNERS:
        return _in_corner(edges, region, limits)
    side = region.removesuffix(" half")
    if side in SIDES[2:]:
        return _share(edges, region, limits) >= limits.r2_half - _SLACK
    mostly = _share(edges, region, limits) >= limits.r2_side - _SLACK
    if region.endswith("half"):
        return mostly
    near = edges[:, 0] < limits.r2_outer if side == "left" else edges[:, 2] > 1 - limits.r2_outer
    return mostly & near


def r3(edges: Floats, region: str, limits: Thresholds = PAPER) -> Flags:
    """R3: the centroid of the box must be there.

    >>> edges, _ = extents([[0, 0, 98, 10], [48, 0, 6, 10]], [100, 100])
    >>> r3(edges, "left").tolist(), r3(edges, "top right").tolist()
    ([True, False], [False, True])
    """
    centres = (edges[:, :2] + edges[:, 2:]) / 2
    if region == "middle":
        near: Flags = np.abs(centres - 0.5) <= limits.central / 2 + _SLACK
        return near[:, 0] & near[:, 1]
    found = np.ones(len(edges), dtype=np.bool_)
    for side in _sides(region):
        at = centres[:, _axis(side)]
        found &= at > limits.half if side in ("right", "bottom") else at < limits.half
    return found


RULES: Mapping[str, Rule] = {"R1": r1, "R2": r2, "R3": r3}


def _sides(region: str) -> tuple[str, ...]:
    sides = tuple(region.removesuffix(" half").split())
    if not sides or any(side not in SIDES for side in sides):
        raise UsageError(f"'{region}' is no place (there are {', '.join(REGIONS)})")
    return sides


def _axis(side: str) -> int:
    return 0 if side in ("left", "right") else 1


def _share(edges: Floats, region: str, limits: Thresholds) -> Floats:
    """The share of each box that lies on one side of the picture's middle line."""
    (side,) = _sides(region)
    low, high = (0.0, limits.half) if side in ("left", "top") else (limits.half, 1.0)
    return _overlap(edges, _axis(side), low, high)


def _inside(edges: Floats, axis: int, central: float) -> Floats:
    """The share of each box, along one axis, that lies in the picture's central part."""
    return _overlap(edges, axis, 0.5 - central / 2, 0.5 + central / 2)


def _overlap(edges: Floats, axis: int, low: float, high: float) -> Floats:
    near, far = edges[:, axis], edges[:, axis + 2]
    length = far - near
    flat = length <= 0
    shared = np.maximum(np.minimum(far, high) - np.maximum(near, low), 0.0)
    # A point lies half on each side of a line that goes through it.
    outside = (near < low) | (near > high)
    on_line = ((near == low) & (low > 0)) | ((near == high) & (high < 1))
    point = np.where(outside, 0.0, np.where(on_line, 0.5, 1.0))
    share: Floats = np.where(flat, point, shared / np.where(flat, 1.0, length))
    return share


def _in_corner(edges: Floats, region: str, limits: Thresholds) -> Flags:
    found = np.ones(len(edges), dtype=np.bool_)
    for side in _sides(region):
        found &= _share(edges, side, limits) >= limits.corner - _SLACK
    return found
