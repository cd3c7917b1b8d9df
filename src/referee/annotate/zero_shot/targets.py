"""Which things are targets: the rarer its category, the likelier (appendix A.4).

Each thing waits for a time that is exponential with the rate 1 / (how often its category occurs), and
the first of a picture to come are its targets: what drawing one after the other by these weights, without
putting back, would give. The time follows from the seed, the picture, the class and the box, so that no
order of tables, rows or pictures changes a target.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.annotate.zero_shot.how import How
from referee.annotate.zero_shot.kinds import Kinds
from referee.annotate.zero_shot.pictures import Pictures
from referee.annotate.zero_shot.reading import Boxes
from referee.randomness import key, mixes, uniforms


def draw_keys(boxes: Boxes, pictures: Pictures, kinds: Kinds, seed: int) -> NDArray[np.uint64]:
    """What the draws about each box follow from."""
    of_picture = np.zeros(len(pictures), np.uint64)
    for place in np.unique(boxes.picture).tolist():
        of_picture[place] = key("zero-shot targets", seed, pictures.images[place].open_images)
    return identities(boxes, of_picture[boxes.picture], kinds.keys)


def identities(
    boxes: Boxes, pictures: NDArray[np.uint64], labels: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """A number for each box, to which the number of its picture, that of its class and its sides lead."""
    found = mixes(pictures, labels[boxes.kind])
    for side in (boxes.sides + 0.0).T:  # -0.0 and 0.0 are one place
        found = mixes(found, np.ascontiguousarray(side).view(np.uint64))
    return found


def draw(
    boxes: Boxes, frequency: NDArray[np.int64], keys: NDArray[np.uint64], how: How
) -> NDArray[np.int64]:
    """The rows of the targets, picture by picture, in the order in which they were drawn.

    `frequency` says of each box how often its category occurs; the boxes of a picture stand together.
    """
    if not len(boxes):
        return np.empty(0, np.int64)
    if how.targets == "unique":
        return _first(boxes.picture, _times(keys, frequency, 0), how.per_image)
    drawn = [
        _first(boxes.picture, _times(keys, frequency, number), 1) for number in range(how.per_image)
    ]
    return np.stack(drawn, axis=1).ravel()


def _times(
    keys: NDArray[np.uint64], frequency: NDArray[np.int64], number: int
) -> NDArray[np.float64]:
    result: NDArray[np.float64] = -np.log1p(-uniforms(keys, number)) * frequency
    return result


def _first(
    picture: NDArray[np.uint32], times: NDArray[np.float64], count: int
) -> NDArray[np.int64]:
    """The rows of each picture that come first, as many as `count`."""
    order = np.lexsort((times, picture))
    starts = np.flatnonzero(np.diff(picture[order].astype(np.int64), prepend=-1) != 0)
    lengths = np.diff(starts, append=len(order))
    within = np.arange(len(order)) - np.repeat(starts, lengths)
    return order[within < count]
