"""Captions of scenes: sentences that are true of them."""

from __future__ import annotations

from collections.abc import Iterable

from referee.datasets.iconworld.questions import placed
from referee.datasets.iconworld.truth import members, sight
from referee.datasets.iconworld.vocabulary import PLACES, Noun, vocabulary, with_article
from referee.games import Scene, Thing
from referee.randomness import Stream

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NEIGHBOURS = ("next to", "left of", "right of", "above", "below")
_LISTED = 4


def captions(scene: Scene, key: int, count: int = 5) -> list[str]:
    """Different true captions of a scene, as many as asked for, or as there are."""
    draw = Stream(key)
    found: dict[str, None] = {}
    makers = (_kinds, _neighbours, _somewhere, _several, _super_kinds)
    for attempt in range(4 * count):
        text = makers[attempt % len(makers)](scene, draw)
        if text:
            found[text] = None
        if len(found) == count:
            break
    return list(found)


def _groups(scene: Scene) -> dict[str, list[Thing]]:
    groups: dict[str, list[Thing]] = {}
    for thing in scene.things:
        groups.setdefault(thing.category, []).append(thing)
    return groups


def listed(parts: Iterable[str]) -> str:
    """The parts as people list them: "a, b and c"."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def number(count: int) -> str:
    """The number in words, up to ten."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def one(thing: Thing, *, sized: bool = False) -> str:
    """A thing with its colour: "a red dog", "green scissors"."""
    known = vocabulary()
    noun = known.noun(thing.category)
    words = [a for a in thing.attributes if a in known.colours or (sized and a in known.sizes)]
    text = " ".join((*reversed(words), noun.name))
    return text if noun.indefinite == noun.name else with_article(text)


def counted(noun: Noun, count: int) -> str:
    """So many of a kind: "three dogs"."""
    return noun.indefinite if count == 1 else f"{number(count)} {noun.plural}"


def _group(things: list[Thing]) -> str:
    if len(things) == 1:
        return one(things[0])
    return counted(vocabulary().noun(things[0].category), len(things))


def _kinds(scene: Scene, draw: Stream) -> str:
    groups = list(_groups(scene).values())
    return listed(_group(things) for things in draw.sample(groups, min(len(groups), _LISTED)))


def _several(scene: Scene, draw: Stream) -> str:
    groups = [things for things in _groups(scene).values() if len(things) > 1]
    if not groups:
        return ""
    things = draw.choice(groups)
    return f"{_group(things)}, one of them {_looks(draw.choice(things))}"


def _looks(thing: Thing) -> str:
    return next(a for a in thing.attributes if a in vocabulary().colours)


def _neighbours(scene: Scene, draw: Stream) -> str:
    place = draw.below(len(scene.things))
    single = [things[0] for things in _groups(scene).values() if len(things) == 1]
    view = sight(scene)
    pairs = [
        (relation, other)
        for other in single
        for relation in NEIGHBOURS
        if view.related(relation, other.category)[0] >> place & 1
    ]
    if not pairs:
        return ""
    relation, other = draw.choice(pairs)
    words = f"to the {relation}" if relation in ("left of", "right of") else relation
    return f"{one(scene.things[place], sized=True)} {words} {one(other)}"


def _somewhere(scene: Scene, draw: Stream) -> str:
    view = sight(scene)
    at = draw.choice(PLACES)
    there = members(view.placed(at))
    return f"{one(scene.things[draw.choice(there)])} {placed(at)}" if there else ""


def _super_kinds(scene: Scene, draw: Stream) -> str:
    supers = list(sight(scene).values("super_category").items())
    chosen = draw.sample(supers, min(len(supers), 3))
    known = vocabulary().super_categories
    return listed(counted(known[name], mask.bit_count()) for name, mask in chosen)
