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

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
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
    # A column an edge, since the rules look at one edge at a time.
    kept = np.empty((4, len(pixels)))
    cut = np.zeros(len(pixels), dtype=np.bool_)
    for axis, limit in enumerate(size.T):
        near = pixels[:, axis]
        for place, edge in ((axis, near), (axis + 2, near + pixels[:, axis + 2])):
            kept[place] = np.clip(edge, 0.0, limit)
            cut |= np.abs(edge - kept[place]) > 1.0
            kept[place] /= limit
    return kept.T, int(cut.sum())


def r1(edges: Floats, region: str, limits: Thresholds = PAPER) -> Flags:
    """R1: nearly the whole box must be there.

    >>> edges, _ = extents([[0, 0, 60, 10], [0, 0, 64, 10]], [100, 100])
    >>> r1(edges, "left").tolist()
    [True, False]
    """
    return _r1(_Seen(edges, region, limits))


def r2(edges: Floats, region: str, limits: Thresholds = PAPER) -> Flags:
    """R2: kinder to large boxes that stick out, stricter with small ones near the middle.

    >>> edges, _ = extents([[0, 0, 70, 10], [42, 0, 8, 10]], [100, 100])
    >>> r2(edges, "left").tolist(), r2(edges, "left half").tolist()
    ([True, False], [True, True])
    """
    return _r2(_Seen(edges, region, limits))


def r3(edges: Floats, region: str, limits: Thresholds = PAPER) -> Flags:
    """R3: the centroid of the box must be there.

    >>> edges, _ = extents([[0, 0, 98, 10], [48, 0, 6, 10]], [100, 100])
    >>> r3(edges, "left").tolist(), r3(edges, "top right").tolist()
    ([True, False], [False, True])
    """
    return _r3(_Seen(edges, region, limits))


RULES: Mapping[str, Rule] = {"R1": r1, "R2": r2, "R3": r3}


def votes(
    edges: Floats, region: str, rules: Iterable[str] = tuple(RULES), limits: Thresholds = PAPER
) -> NDArray[np.uint8]:
    """How many of these rules put each box there, shape (n,).

    >>> edges, _ = extents([[0, 0, 60, 10], [0, 0, 70, 10], [0, 0, 98, 10]], [100, 100])
    >>> votes(edges, "left").tolist()
    [3, 2, 1]
    """
    seen = _Seen(edges, region, limits)
    found = np.zeros(len(edges), dtype=np.uint8)
    for rule in rules:
        found += _OF_SEEN[rule](seen)
    return found


class _Seen:
    """Boxes as the rules look at them for one place; what two rules look at is computed once."""

    def __init__(self, edges: Floats, region: str, limits: Thresholds) -> None:
        self.edges, self.region, self.limits = edges, region, limits
        self.sides = () if region == "middle" else _sides(region)

    @cached_property
    def shares(self) -> tuple[Floats, ...]:
        """The share of each box on each of the sides; of the middle, in the central part each way."""
        half, rim = self.limits.half, self.limits.central / 2
        if not self.sides:
            return tuple(_overlap(self.edges, axis, 0.5 - rim, 0.5 + rim) for axis in (0, 1))
        ends = {"left": (0.0, half), "right": (half, 1.0)}
        ends |= {"top": ends["left"], "bottom": ends["right"]}
        return tuple(_overlap(self.edges, _axis(side), *ends[side]) for side in self.sides)

    @cached_property
    def in_corner(self) -> Flags:
        """Whether the whole box is in the quadrant, for which R1 and R2 have the same rule."""
        least = self.limits.corner - _SLACK
        first, second = self.shares
        return (first >= least) & (second >= least)


def _r1(seen: _Seen) -> Flags:
    limits, shares = seen.limits, seen.shares
    if not seen.sides:
        across, down = (share >= limits.r1_middle - _SLACK for share in shares)
        return across & down
    if len(seen.sides) > 1:
        return seen.in_corner
    return shares[0] > limits.r1_side + _SLACK


def _r2(seen: _Seen) -> Flags:
    limits, shares = seen.limits, seen.shares
    if not seen.sides:
        across, down = (share >= limits.r2_middle - _SLACK for share in shares)
        return across | down
    if len(seen.sides) > 1:
        return seen.in_corner
    (side,) = seen.sides
    if side in SIDES[2:]:
        return shares[0] >= limits.r2_half - _SLACK
    mostly = shares[0] >= limits.r2_side - _SLACK
    if seen.region.endswith("half"):
        return mostly
    if side == "left":
        mostly &= seen.edges[:, 0] < limits.r2_outer
    else:
        mostly &= seen.edges[:, 2] > 1 - limits.r2_outer
    return mostly


def _r3(seen: _Seen) -> Flags:
    edges, limits = seen.edges, seen.limits
    if not seen.sides:
        rim = limits.central / 2 + _SLACK
        across, down = (np.abs(_centres(edges, axis) - 0.5) <= rim for axis in (0, 1))
        return across & down
    there = []
    for side in seen.sides:
        at = _centres(edges, _axis(side))
        there.append(at > limits.half if side in ("right", "bottom") else at < limits.half)
    return there[0] if len(there) == 1 else there[0] & there[1]


_OF_SEEN: Mapping[str, Callable[[_Seen], Flags]] = {"R1": _r1, "R2": _r2, "R3": _r3}


def _sides(region: str) -> tuple[str, ...]:
    if region not in REGIONS:
        raise UsageError(f"'{region}' is no place (there are {', '.join(REGIONS)})")
    return tuple(region.removesuffix(" half").split())


def _axis(side: str) -> int:
    return 0 if side in ("left", "right") else 1


def _centres(edges: Floats, axis: int) -> Floats:
    found: Floats = edges[:, axis] + edges[:, axis + 2]
    found *= 0.5
    return found


def _overlap(edges: Floats, axis: int, low: float, high: float) -> Floats:
    near, far = edges[:, axis], edges[:, axis + 2]
    length = far - near
    shared = np.minimum(far, high)
    shared -= np.maximum(near, low)
    np.maximum(shared, 0.0, out=shared)
    flat = length <= 0
    if flat.any():
        length[flat] = 1.0
        shared[flat] = _points(near[flat], low, high)
    shared /= length
    return shared


def _points(at: Floats, low: float, high: float) -> Floats:
    """1 for a point between the lines; half of one on a line lies on each side."""
    on_line = ((at == low) & (low > 0)) | ((at == high) & (high < 1))
    return np.where((at < low) | (at > high), 0.0, np.where(on_line, 0.5, 1.0))
