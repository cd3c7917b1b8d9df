"""GuessWhich's pools: a target and nineteen other pictures, chosen to be unlike it or like it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from referee.datasets import pools
from referee.datasets.iconworld.parts.coco import captions_of
from referee.datasets.iconworld.scenes import Drawn
from referee.datasets.iconworld.world import POOLS, World, picture_name
from referee.datasets.pools import Pool
from referee.games import Forms
from referee.randomness import Stream, key, mix

SIZE = 20
_POOLS = 15


def write(world: World, folder: Path) -> dict[str, int]:
    """guesswhich/pools.json; the pictures are those of annotations/instances_pools.json."""
    if not world.plan.pools:
        return {}
    (folder / "guesswhich").mkdir(parents=True, exist_ok=True)
    made = [_pool(world, number) for number in range(world.plan.pools)]
    pools.write(folder / "guesswhich/pools.json", made)
    return {"guesswhich/pools.json": len(made)}


def likeness(one: Drawn, two: Drawn) -> int:
    """How much two pictures have in common: kinds of things, and kinds in the same colours twice."""
    return 2 * (_coloured(one) & _coloured(two)).total() + (_kinds(one) & _kinds(two)).total()


def _kinds(drawn: Drawn) -> Counter[str]:
    return Counter(thing.category for thing in drawn.scene.things)


def _coloured(drawn: Drawn) -> Counter[tuple[str, str]]:
    return Counter((thing.category, thing.attributes[0]) for thing in drawn.scene.things)


def _pool(world: World, number: int) -> Pool:
    scenes = world.splits[POOLS]
    target = scenes[number]
    draw = Stream(mix(mix(world.key, _POOLS), number))
    others = [drawn for drawn in draw.sample(scenes, len(scenes)) if drawn is not target]
    others.sort(key=lambda drawn: -likeness(target, drawn))
    most, least = others[: SIZE - 1], others[len(others) // 2 :]
    levels = {
        "easy": draw.sample(least, SIZE - 1),
        "medium": draw.sample(most, SIZE // 2) + draw.sample(others[SIZE:], SIZE - 1 - SIZE // 2),
        "hard": most,
    }
    captions = captions_of(world, target, 2)
    identity = f"{key(world.key, 'pool', number):016x}{key(world.key, 'id', number):016x}"
    cuts = (0, 8, 12, 16, 20, 32)
    return Pool(
        "-".join(identity[start:end] for start, end in pairwise(cuts)),
        _name(target),
        {level: (*_names(chosen, draw), _name(target)) for level, chosen in levels.items()},
        _kinds(target).most_common(1)[0][0],
        captions[0],
        captions[-1],
        Forms(game="str", scene="str"),
    )


def _names(chosen: Sequence[Drawn], draw: Stream) -> list[str]:
    return [_name(drawn) for drawn in draw.sample(chosen, len(chosen))]


def _name(drawn: Drawn) -> str:
    return picture_name(drawn.scene.id)
