"""Zero-shot games as section A.4 of the grounding paper makes them from nocaps' boxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from referee.datasets.iconworld.scenes import Drawn
from referee.games import Scene, Thing
from referee.randomness import Stream, mix

LEAST_AREA = 500
"""A box must be larger than this, in pixels."""
TARGETS = 5
"""How many targets a picture has, where it holds so many things."""


def kept(scene: Scene) -> list[Thing]:
    """The things that can be candidates. None is hidden or cut off in Iconworld, some are too small."""
    return [t for t in scene.things if t.box.width * t.box.height > LEAST_AREA]


def targets(scenes: Sequence[Drawn], key: int) -> Iterator[tuple[Drawn, Thing]]:
    """The games of a split: rare categories are targets more often, by the inverse of their frequency."""
    counts = Counter(thing.category for drawn in scenes for thing in kept(drawn.scene))
    for drawn in scenes:
        draw = Stream(mix(key, int(drawn.scene.id)))
        for thing in _drawn(kept(drawn.scene), counts, draw):
            yield drawn, thing


def _drawn(things: Iterable[Thing], counts: Counter[str], draw: Stream) -> Iterator[Thing]:
    left = list(things)
    for _ in range(min(TARGETS, len(left))):
        reached = list(accumulate(1 / counts[thing.category] for thing in left))
        at = draw.random() * reached[-1]
        place = next(i for i, sum_so_far in enumerate(reached) if at < sum_so_far)
        yield left.pop(place)
