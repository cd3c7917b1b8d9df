"""Where labels go: near their box, on the canvas, and on as little else as possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.games.rendering.ink import Area

_CLASH = 20.0
"""What covering another label costs, against covering the inside of a box."""
_OWN = 1.0
_OTHER = 3.0
_FAR = 0.6
"""What each label's height of distance between a label and its box costs."""
_GOOD = 2.0
"""A longer label that costs more than this gives way to a shorter one."""


def place(
    boxes: Sequence[Area], sizes: Sequence[Sequence[tuple[int, int]]], canvas: tuple[int, int]
) -> list[tuple[int, Area]]:
    """For each box which of its label sizes to use, and where the label goes.

    A box offers sizes from the best to the shortest; a shorter one is used only where the longer ones
    would hide too much. Small boxes choose first, for they have the fewest places.
    """
    chosen: dict[int, tuple[int, Area]] = {}
    for index in sorted(range(len(boxes)), key=lambda each: (_size(boxes[each]), each)):
        taken = [area for _, area in chosen.values()]
        best: tuple[float, int, Area] | None = None
        for option, size in enumerate(sizes[index]):
            for area in _spots(boxes[index], size, canvas):
                cost = _cost(area, index, boxes, taken)
                if best is None or cost < best[0]:
                    best = cost, option, area
            if best is not None and best[0] < _GOOD:
                break
        if best is not None:
            chosen[index] = best[1:]
    return [chosen[index] for index in range(len(boxes))]


def _spots(box: Area, size: tuple[int, int], canvas: tuple[int, int]) -> Iterator[Area]:
    left, top, right, bottom = box
    width, height = size
    middle = (top + bottom - height) // 2
    near = (
        (left, top - height),
        (left, top),
        (right - width, top - height),
        (right - width, top),
        (left, bottom),
        (left, bottom - height),
        (right - width, bottom),
        (right - width, bottom - height),
        (right, top),
        (left - width, top),
        (right, middle),
        (left - width, middle),
        ((left + right - width) // 2, middle),
    )
    far = (
        (x + across * step * height, y + down * step * height)
        for step in (1, 2, 3, 5)
        for x, y, across, down in (
            (left, top - height, 0, -1),
            (left, bottom, 0, 1),
            (right, top, 1, 0),
            (left - width, top, -1, 0),
            (right, top - height, 1, -1),
            (left - width, top - height, -1, -1),
            (right, bottom, 1, 1),
            (left - width, bottom, -1, 1),
        )
    )
    for x, y in (*near, *far):
        kept = max(0, min(x, canvas[0] - width)), max(0, min(y, canvas[1] - height))
        yield (*kept, kept[0] + width, kept[1] + height)


def _cost(area: Area, index: int, boxes: Sequence[Area], taken: Sequence[Area]) -> float:
    own = boxes[index]
    cost = _OWN * _shared(area, own) / max(1, _size(own))
    cost += _FAR * gap(area, own) / (area[3] - area[1])
    for other, box in enumerate(boxes):
        if other != index:
            cost += _OTHER * _shared(area, box) / max(1, min(_size(box), 4 * _size(area)))
    for label in taken:
        if _shared(area, label):
            cost += _CLASH / 2 + _CLASH * _shared(area, label) / max(1, _size(area))
    return cost


def _size(area: Area) -> int:
    return (area[2] - area[0]) * (area[3] - area[1])


def _shared(one: Area, other: Area) -> int:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across * down if across > 0 and down > 0 else 0


def gap(one: Area, other: Area) -> int:
    """How far two areas are apart, in pixels across and down together."""
    across = max(0, one[0] - other[2], other[0] - one[2])
    down = max(0, one[1] - other[3], other[1] - one[3])
    return across + down
