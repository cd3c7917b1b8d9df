"""Which box of one version of a picture is which of another: COCO's and Visual Genome's.

The procedure of grounding.txt, appendix A.2, for many pictures at once. The boxes of all pictures stand
one after the other, with the number of each picture's; a box of one version is compared with those of
the same picture in the other only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.int8]
Arrays: TypeAlias = tuple[Floats, Counts, Counts, Counts]
"""Boxes, the number of each picture's, the tokens of all, and where each one's begin."""

UNMAPPED, BY_IOU, BY_NAME = 0, 1, 2
"""How a box was mapped: not at all, by its overlap, or by its overlap and its name."""

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Thresholds:
    """Each must be exceeded. The paper names no Jaccard index: any token in common is enough."""

    iou: float = 0.5
    near: float = 0.05
    jaccard: float = 0.0


PAPER: Final = Thresholds()


class Tokens(NamedTuple):
    """The token sets of things: `ids` of one after the other, each set sorted; `widths` how many."""

    ids: Counts
    widths: Counts


@dataclass(frozen=True)
class Side:
    """One version of the pictures: boxes [N, 4], how many each picture has, and the boxes' names."""

    boxes: Floats
    widths: Counts
    names: Tokens

    def __post_init__(self) -> None:
        if self.boxes.shape != (int(self.widths.sum()), 4) or len(self.names.widths) != len(
            self.boxes
        ):
            raise ValueError("there must be a row of four and a set of tokens for each box")


@dataclass(frozen=True)
class Mapping:
    """For each box of ours the row of theirs, -1 for none; how; and the IoU and Jaccard of the pair.

    Of a box that is not mapped, `iou` is the greatest there was and `jaccard` is 0.
    """

    rows: Counts
    how: Codes
    iou: Floats
    jaccard: Floats


def words(names: Iterable[str]) -> set[str]:
    """The tokens of a thing's names, in lower case.

    >>> sorted(words(["Fire hydrant", "hydrant"]))
    ['fire', 'hydrant']
    """
    return {token for name in names for token in _WORD.findall(name.lower())}


def tokens(things: Sequence[Iterable[str]], known: dict[str, int]) -> Tokens:
    """The token sets of things with these names; `known` numbers the tokens and grows."""
    sets = [sorted(known.setdefault(t, len(known)) for t in words(names)) for names in things]
    ids = np.array([number for each in sets for number in each], dtype=np.int64)
    return Tokens(ids, np.array([len(each) for each in sets], dtype=np.int64))


def scaled(boxes: Floats, widths: Counts, sizes: Floats, to: Floats) -> Floats:
    """Boxes in the pixels of pictures of another size; `sizes` and `to` are [I, 2], width and height.

    >>> box = np.array([[50.0, 10.0, 100.0, 20.0]])
    >>> scaled(box, np.array([1]), np.array([[500.0, 100.0]]), np.array([[1000.0, 300.0]])).tolist()
    [[100.0, 30.0, 200.0, 60.0]]
    """
    factors = np.repeat(to / sizes, widths, axis=0)
    moved: Floats = boxes * np.concatenate([factors, factors], axis=1)
    return moved


def map_boxes(ours: Side, theirs: Side, thresholds: Thresholds = PAPER) -> Mapping:
    """For each of our boxes the box of theirs that shows the same thing, in pictures of the same size.

    It is the largest of theirs with IoU > `iou`; where there is none, the largest with IoU > `near`
    whose name has a Jaccard index > `jaccard` with ours. Of equally large ones the first is taken. The
    Jaccard index is that of the two token sets. A box without area overlaps nothing.
    """
    if len(ours.widths) != len(theirs.widths):
        raise ValueError("both sides must have the same pictures")
    rows = np.full(len(ours.boxes), -1, dtype=np.int64)
    how = np.zeros(len(rows), dtype=np.int8)
    iou, jaccard = np.zeros(len(rows)), np.zeros(len(rows))
    _map(
        _arrays(ours),
        _arrays(theirs),
        (thresholds.iou, thresholds.near, thresholds.jaccard),
        (rows, how, iou, jaccard),
    )
    return Mapping(rows, how, iou, jaccard)


def _arrays(side: Side) -> Arrays:
    ends = np.concatenate([[0], np.cumsum(side.names.widths)]).astype(np.int64)
    left, top, wide, high = np.asarray(side.boxes, dtype=np.float64).T
    edges = np.stack([left, top, left + wide, top + high, wide * high])
    return edges, side.widths.astype(np.int64), side.names.ids.astype(np.int64), ends


@njit(cache=True, nogil=True)
def _common(first: Counts, second: Counts) -> float:
    """The Jaccard index of two sorted sets."""
    i = j = both = 0
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            both += 1
            i += 1
            j += 1
        elif first[i] < second[j]:
            i += 1
        else:
            j += 1
    either = len(first) + len(second) - both
    return both / either if either else 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def _overlaps(box: Floats, others: Floats, begin: int, end: int, into: Floats) -> None:
    """The IoU of a box with each of some; without a branch, so that several are done at once."""
    x, y, right, bottom, size = box[0], box[1], box[2], box[3], box[4]
    lefts, tops, rights, bottoms = others[0], others[1], others[2], others[3]
    areas = others[4]
    for place in range(end - begin):
        other = begin + place
        far = min(right, rights[other])
        close = max(x, lefts[other])
        low = min(bottom, bottoms[other])
        high = max(y, tops[other])
        across, down = far - close, low - high
        shared = (across if across > 0 else 0.0) * (down if down > 0 else 0.0)
        into[place] = shared / (size + areas[other] - shared)


@njit(cache=True, nogil=True)
def _best(
    overlaps: Floats,
    areas: Floats,
    tokens: Counts,
    other_ids: Counts,
    other_ends: Counts,
    thresholds: tuple[float, float, float],
) -> tuple[int, int]:
    """The place of the box of theirs that is ours, and how it was found."""
    least, near, alike = thresholds
    best, how, largest = -1, 0, -1.0
    for place in range(len(areas)):
        iou, area = overlaps[place], areas[place]
        if iou > least:
            if how != BY_IOU or area > largest:
                best, how, largest = place, BY_IOU, area
        elif iou > near and how != BY_IOU and area > largest:
            begin, end = other_ends[place], other_ends[place + 1]
            if _common(tokens, other_ids[begin:end]) > alike:
                best, how, largest = place, BY_NAME, area
    return best, how


@njit(cache=True, nogil=True)
def _map(
    ours: Arrays,
    theirs: Arrays,
    thresholds: tuple[float, float, float],
    found: tuple[Counts, Codes, Floats, Floats],
) -> None:
    boxes, widths, ids, ends = ours
    other_boxes, other_widths, other_ids, other_ends = theirs
    rows, how, ious, jaccards = found
    overlaps = np.empty(other_widths.max() if len(other_widths) else 0)
    row = begin = 0
    for image in range(len(widths)):
        end = begin + other_widths[image]
        for own in range(row, row + widths[image]):
            tokens = ids[ends[own] : ends[own + 1]]
            _overlaps(boxes[:, own], other_boxes, begin, end, overlaps)
            best, way = _best(
                overlaps,
                other_boxes[4, begin:end],
                tokens,
                other_ids,
                other_ends[begin : end + 1],
                thresholds,
            )
            how[own] = way
            if best < 0:
                for place in range(end - begin):
                    ious[own] = max(ious[own], overlaps[place])
                continue
            rows[own], ious[own] = begin + best, overlaps[best]
            first, last = other_ends[begin + best], other_ends[begin + best + 1]
            jaccards[own] = _common(tokens, other_ids[first:last])
        row += widths[image]
        begin = end
