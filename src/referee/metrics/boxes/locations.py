"""Where in its picture a box is: CompGuessWhat?!'s five location attributes (grounding.txt, section 3.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Edges: TypeAlias = tuple[Floats, Floats, Floats, Floats]
"""Left, top, right and bottom of the central part of each picture."""

LOCATIONS: Final = ("bottom_image", "right_image", "left_image", "top_image", "center")
"""The names of the columns, in the order of the published code."""


def _correct(width: Floats, height: Floats) -> Edges:
    return width / 4, height / 4, 3 * width / 4, 3 * height / 4


def _code(width: Floats, height: Floats) -> Edges:
    far = width / 4 + height / 2
    return height / 4, height / 4, far, far


CORRECT, CODE = "correct", "code"
RULES: Final[dict[str, Callable[[Floats, Floats], Edges]]] = {CORRECT: _correct, CODE: _code}
"""What the central part of a picture is: its central half both ways, or what the published code makes
of that, which takes the height for both corners near the origin and adds it to the far ones."""


def locations(boxes: Floats, sizes: Floats, rule: str = CORRECT) -> Flags:
    """The locations of boxes, [N, 5], in pictures of these sizes (width and height, [N, 2] or [2]).

    With [x1, y1, x2, y2] the central part: right where the box begins right of x2, else left where it
    ends left of x1; top where it ends above y1, else bottom where it begins below y2; center where it
    is none of these. So a box has one label, or two in a corner.

    >>> inside, corner = [100, 100, 50, 50], [0, 0, 40, 30]
    >>> found = locations(np.array([inside, corner], float), np.array([320.0, 240.0]))
    >>> [[name for name, one in zip(LOCATIONS, row) if one] for row in found]
    [['center'], ['left_image', 'top_image']]
    """
    boxes = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    sizes = np.broadcast_to(np.asarray(sizes, dtype=np.float64), (len(boxes), 2))
    x1, y1, x2, y2 = RULES[rule](sizes[:, 0], sizes[:, 1])
    left, top = boxes[:, 0], boxes[:, 1]
    right, bottom = left + boxes[:, 2], top + boxes[:, 3]
    is_right, is_top = left > x2, bottom < y1
    is_left, is_bottom = ~is_right & (right < x1), ~is_top & (top > y2)
    center = ~(is_right | is_left | is_top | is_bottom)
    return np.stack([is_bottom, is_right, is_left, is_top, center], axis=1)
