"""What is true of the things of a scene: bit masks, bit i for thing i.

The rules, in pixels with y growing downwards, c = the centre of a thing's box, W x H the scene:

- category, super-category: by name; the super-category of an unknown category is not known.
- colour, size, style: by the thing's attributes; where none of them is of that sort, not known.
- left, left half: c.x < W/2; right: c.x > W/2; top, bottom likewise; corners: both. Middle: c within
  the central half of the picture, both ways. (Rule R3 of the belief paper.)
- left of the X: c.x smaller than that of some other X; right of, above and below likewise. Next to
  the X: at most W/10 of empty space between the boxes, in x and in y. In a scene without any X not
  known; of the only X itself false.
- the second X from the left: the second of the X in order of c.x (of c.y for top and bottom), equal
  centres in the order of the scene.

A conjunction is false where any condition is false, else not known where any is not known.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Generic, TypeVar

from referee.datasets.iconworld.questions import Predicate, parse
from referee.datasets.iconworld.vocabulary import SIDES, STYLES, vocabulary
from referee.games import Scene

T = TypeVar("T")

NEAR = 0.1
"""How much empty space there may be between neighbours, as a share of the picture's width."""
_RECENT = 1024
SORTS = ("super_category", "category", "colour", "size", "style")
"""The conditions that name a value which a thing has by itself."""


@lru_cache(maxsize=1)
def _attribute_sorts() -> dict[str, str]:
    known = vocabulary()
    return (
        dict.fromkeys(known.colours, "colour")
        | dict.fromkeys(known.sizes, "size")
        | dict.fromkeys(STYLES, "style")
    )


class Sight:
    """The truths of one scene: what single conditions need at once, the rest when it is asked for."""

    __slots__ = ("_edges", "_halves", "_masks", "_of", "_sorts", "centres", "everything", "scene")

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.everything = (1 << len(scene.things)) - 1
        self._halves: dict[str, int] | None = None
        self._masks: dict[Predicate, tuple[int, int]] = {}
        self._of: dict[str, dict[str, int]] = {sort: {} for sort in SORTS}
        self._sorts = dict.fromkeys(SORTS, 0) | {"category": self.everything}
        self.centres: list[tuple[float, float]] = []
        self._edges: list[tuple[float, float, float, float]] = []
        known, sorts = vocabulary().categories, _attribute_sorts()
        for place, thing in enumerate(scene.things):
            bit = 1 << place
            box = thing.box
            x, y, width, height = box.x, box.y, box.width, box.height
            self.centres.append((x + width / 2, y + height / 2))
            self._edges.append((x, y, x + width, y + height))
            self._note("category", thing.category, bit)
            kind = known.get(thing.category)
            if kind is not None:
                self._note("super_category", kind.super_category, bit)
            for attribute in thing.attributes:
                if attribute in sorts:
                    self._note(sorts[attribute], attribute, bit)

    def _note(self, sort: str, value: str, bit: int) -> None:
        of = self._of[sort]
        of[value] = of.get(value, 0) | bit
        self._sorts[sort] |= bit

    def values(self, sort: str) -> dict[str, int]:
        """The values of one of `SORTS` in this scene, in order of appearance, and the things of each."""
        return self._of[sort]

    def known(self, sort: str) -> int:
        """The things of which it is known how they are in this respect."""
        return self._sorts[sort]

    def masks(self, predicate: Predicate) -> tuple[int, int]:
        """The things of which the predicate is true, and those of which it is true or false."""
        found = self._masks.get(predicate)
        if found is None:
            found = self._masks[predicate] = self._conjunction(predicate)
        return found

    def category(self, name: str) -> int:
        """The things of a category, of a super-category, or all for ""."""
        if not name:
            return self.everything
        sort = "category" if name in vocabulary().categories else "super_category"
        return self._of[sort].get(name, 0)

    def _conjunction(self, predicate: Predicate) -> tuple[int, int]:
        yes, no = self.everything, 0
        for sort in SORTS:
            value = getattr(predicate, sort)
            if value:
                true = self._of[sort].get(value, 0)
                yes, no = yes & true, no | (self._sorts[sort] & ~true)
        if predicate.place:
            true = self.placed(predicate.place)
            yes, no = yes & true, no | (self.everything & ~true)
        if predicate.relation:
            true, known = self.related(predicate.relation, predicate.other)
            yes, no = yes & true, no | (known & ~true)
        if predicate.rank:
            true = self.ranked(yes, predicate.rank, predicate.side)
            yes, no = true, no | (self.everything & ~true)
        return yes, yes | no

    def placed(self, place: str) -> int:
        """The things at a named place."""
        if self._halves is None:
            width, height = self.scene.width, self.scene.height
            self._halves = {
                side: bits([within(side, x, y, width, height) for x, y in self.centres])
                for side in (*SIDES, "middle")
            }
        halves = self._halves
        if place == "middle":
            return halves[place]
        first, _, second = place.removesuffix(" half").partition(" ")
        return halves[first] & halves[second or first]

    def related(self, relation: str, other: str) -> tuple[int, int]:
        """The things in a relation to some thing of a category, and those of which that is known."""
        others = members(self._of["category"].get(other, 0))
        if not others:
            return 0, 0
        if relation == "next to":
            near = 0
            for j in others:
                near |= self.near(j)
            return near, self.everything
        axis = 0 if relation in ("left of", "right of") else 1
        at = [centre[axis] for centre in self.centres]
        if relation in ("left of", "above"):
            furthest = max([at[j] for j in others])
            return bits([here < furthest for here in at]), self.everything
        furthest = min([at[j] for j in others])
        return bits([here > furthest for here in at]), self.everything

    def stands(self, relation: str, thing: int, other: int) -> bool:
        """Whether one thing stands in a relation to one other."""
        if relation == "next to":
            return bool(self.near(other) >> thing & 1)
        axis = 0 if relation in ("left of", "right of") else 1
        here, there = self.centres[thing][axis], self.centres[other][axis]
        return here < there if relation in ("left of", "above") else here > there

    def near(self, thing: int) -> int:
        """The things next to one of them."""
        space = NEAR * self.scene.width
        left, top, right, bottom = self._edges[thing]
        left, top, right, bottom = left - space, top - space, right + space, bottom + space
        reached = [
            x0 <= right and x1 >= left and y0 <= bottom and y1 >= top
            for x0, y0, x1, y1 in self._edges
        ]
        return bits(reached) & ~(1 << thing)

    def ranked(self, among: int, rank: int, side: str) -> int:
        """The thing that comes at this rank from a side, among some; none where they are too few."""
        axis = 0 if side in ("left", "right") else 1
        sign = 1 if side in ("left", "top") else -1
        order = sorted(members(among), key=lambda i: sign * self.centres[i][axis])
        return 1 << order[rank - 1] if rank <= len(order) else 0


def within(place: str, x: float, y: float, width: float, height: float) -> bool:
    """Whether a point is at a named place of a picture."""
    if place == "middle":
        return width / 4 <= x <= width * 3 / 4 and height / 4 <= y <= height * 3 / 4
    across, down = x - width / 2, y - height / 2
    return not (
        ("left" in place and across >= 0)
        or ("right" in place and across <= 0)
        or ("top" in place and down >= 0)
        or ("bottom" in place and down <= 0)
    )


def bits(truths: Iterable[bool]) -> int:
    """The mask of a row of truths."""
    mask, bit = 0, 1
    for true in truths:
        if true:
            mask |= bit
        bit <<= 1
    return mask


def members(mask: int) -> list[int]:
    """The places of the bits that are set."""
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


class Recent(Generic[T]):
    """What is known of each of the scenes looked at last.

    The key is the scene's identity, as hashing it would cost more than the answer; a kept entry holds
    its scene, so that no other scene can have that identity.
    """

    def __init__(self, build: Callable[[Scene], T]) -> None:
        self._build = build
        self._kept: OrderedDict[int, tuple[Scene, T]] = OrderedDict()

    def __call__(self, scene: Scene) -> T:
        """What `build` makes of the scene."""
        found = self._kept.get(id(scene))
        if found is not None and found[0] is scene:
            return found[1]
        built = self._build(scene)
        self._kept[id(scene)] = scene, built
        if len(self._kept) > _RECENT:
            self._kept.popitem(last=False)
        return built


sight = Recent(Sight)
"""The truths of a scene; those of the scenes looked at last are kept."""


def truths(predicate: Predicate, scene: Scene) -> int:
    """The things of which the predicate is true."""
    return sight(scene).masks(predicate)[0]


def applicable(predicate: Predicate, scene: Scene) -> int:
    """The things of which it is true or false; of the others the answer is N/A."""
    return sight(scene).masks(predicate)[1]


def answer(question: str, scene: Scene, thing: int) -> str | None:
    """The right answer about one thing of the scene; None where the question is not understood."""
    predicate = parse(question)
    if predicate is None:
        return None
    yes, known = sight(scene).masks(predicate)
    return "Yes" if yes >> thing & 1 else "No" if known >> thing & 1 else "N/A"


def answers(question: str, scene: Scene) -> tuple[str, ...] | None:
    """The right answer about every thing of the scene; None where the question is not understood."""
    predicate = parse(question)
    if predicate is None:
        return None
    yes, known = sight(scene).masks(predicate)
    places = range(len(scene.things))
    return tuple("Yes" if yes >> i & 1 else "No" if known >> i & 1 else "N/A" for i in places)
