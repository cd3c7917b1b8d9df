"""Where a thing is in its picture, as eight numbers (facts 2.1).

    [x_left, y_lower, x_right, y_upper, x_center, y_center, width, height]

The y axis points up, as in the original code and against COCO's; places run from -1 to 1 over the
picture, sizes from 0 to 2. A picture without a size makes no sense here.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from referee.errors import DataError
from referee.games import Box, Scene

SIZE = 8
"""How many numbers say where a thing is."""


def spatial(boxes: Sequence[Box], width: float, height: float) -> NDArray[np.float32]:
    """The eight numbers of each of n boxes in a picture of this size, [n, 8].

    >>> spatial([Box(0, 0, 50, 100)], 100, 100)[0].tolist()
    [-1.0, -1.0, 0.0, 1.0, -0.5, 0.0, 1.0, 2.0]
    """
    x, y, w, h = np.array([_numbers(box) for box in boxes], np.float64).reshape(-1, 4).T
    left, right, upper = x, x + w, height - y
    lower = upper - h
    columns = [
        left / width * 2 - 1,
        lower / height * 2 - 1,
        right / width * 2 - 1,
        upper / height * 2 - 1,
        (left + right) / width - 1,
        (lower + upper) / height - 1,
        w / width * 2,
        h / height * 2,
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def of_scene(scene: Scene, game: str) -> NDArray[np.float32]:
    """The eight numbers of each thing of a scene, [n, 8].

    A scene without a size, or a thing without a box, is an error that names the game.
    """
    if not (scene.width > 0 and scene.height > 0):
        raise DataError(
            f"the picture {scene.id} has the size {scene.width:g} x {scene.height:g}",
            record=game,
            field="image",
            expected="its width and height in pixels, to say where things are",
        )
    for thing in scene.things:
        # A reader refuses such a thing; a game that was made in code may hold one.
        box: Box | None = thing.box
        if box is None or not _real(box):
            raise DataError(
                f"the object {thing.id} has no box ({box})",
                record=game,
                field="bbox",
                expected="x, y, width and height in pixels",
            )
    return spatial([thing.box for thing in scene.things], scene.width, scene.height)


def _numbers(box: Box) -> tuple[float, float, float, float]:
    return box.x, box.y, box.width, box.height


def _real(box: Box) -> bool:
    return all(map(isfinite, _numbers(box))) and box.width > 0 and box.height > 0
