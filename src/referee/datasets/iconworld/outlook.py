"""What can be asked of a scene, and what each question would tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from referee.datasets.iconworld.questions import Predicate
from referee.datasets.iconworld.truth import SORTS, Recent, sight
from referee.datasets.iconworld.vocabulary import PLACES, RELATIONS, SIDES, vocabulary
from referee.games import Scene
from referee.randomness import Stream


class Option(NamedTuple):
    """A question that could be asked of a scene, and the things about which its answer is yes, or known."""

    predicate: Predicate
    yes: int
    known: int


BESIDE = 0.07
"""How often a question for what the scene lacks is whether it is next to such a thing: it has no answer."""


class Outlook:
    """What can be asked of a scene: the options by aspect, and descriptions of single things."""

    __slots__ = ("_counts", "_names", "_options", "sight")

    def __init__(self, scene: Scene) -> None:
        self.sight = sight(scene)
        self._names: dict[int, tuple[Option, ...]] = {}
        self._options: dict[str, tuple[Option, ...]] = {}
        self._counts: dict[str, int] = {}
        known = vocabulary().categories
        for thing in scene.things:
            if thing.category in known:
                self._counts[thing.category] = self._counts.get(thing.category, 0) + 1

    def option(self, predicate: Predicate) -> Option:
        """The predicate with its truths in this scene."""
        return Option(predicate, *self.sight.masks(predicate))

    def options(self, aspect: str) -> tuple[Option, ...]:
        """Every question on one aspect that is true of something in the scene."""
        found = self._options.get(aspect)
        if found is None:
            asked = self._own(aspect) if aspect in SORTS else self._placed(aspect)
            found = self._options[aspect] = tuple([o for o in asked if o.yes])
        return found

    def _own(self, aspect: str) -> Iterable[Option]:
        known, values = self.sight.known(aspect), self.sight.values(aspect)
        options = (
            Option(_of(aspect, value), yes, known)
            for value, yes in values.items()
            # Iconworld has no words for the kinds that other data name.
            if aspect != "category" or value in self._counts
        )
        # Nobody could tell this one from the question for the category, which has the same words.
        return (option for option in options if option.predicate.super_category != "person")

    def _placed(self, aspect: str) -> Iterable[Option]:
        view, counts = self.sight, self._counts
        if aspect == "place":
            return (Option(_of(aspect, at), view.placed(at), view.everything) for at in PLACES)
        if aspect == "relation":
            return (
                Option(_relation(relation, name), *view.related(relation, name))
                for name, count in counts.items()
                if count == 1
                for relation in RELATIONS
            )
        return (
            Option(_rank(name, rank, side), view.ranked(among, rank, side), view.everything)
            for name, among in view.values("category").items()
            if counts.get(name, 0) > 1
            for rank in range(1, min(counts[name], 3) + 1)
            for side in SIDES[:2]
        )

    def absent(self, draw: Stream, asked: Sequence[Predicate]) -> Option:
        """A question, not asked before if there is one, for something that the scene does not hold."""
        elsewhere = _general() if draw.random() >= BESIDE else _beside()
        for _ in range(len(elsewhere)):
            option = self.option(draw.choice(elsewhere))
            if not option.yes and option.predicate not in asked:
                break
        return option

    def names(self, thing: int) -> tuple[Option, ...]:
        """The shortest descriptions that fit this thing and no other, so that a yes refers to it."""
        found = self._names.get(thing)
        if found is None:
            found = self._names[thing] = tuple(self._describing(thing))
        return found

    def _describing(self, thing: int) -> Iterable[Option]:
        mask = 1 << thing
        single = [
            option
            for aspect in ("category", "rank", "place", "relation")
            for option in self.options(aspect)
            if option.yes == mask and option.known == self.sight.everything
        ]
        if single:
            return single
        fits = [
            option
            for aspect in ("colour", "size", "place", "relation")
            for option in self.options(aspect)
            if option.yes & mask
        ]
        category = self.sight.scene.things[thing].category
        kind = (self.option(_of("category", category)),) if category in self._counts else ()
        for count in (1, 2, 3):
            joined = (_joined((*kind, *parts)) for parts in combinations(fits, count))
            options = [self.option(predicate) for predicate in joined if predicate is not None]
            named = [o for o in options if o.yes == mask and o.known == self.sight.everything]
            if named:
                return named
        return ()


def _joined(parts: Iterable[Option]) -> Predicate | None:
    fields: dict[str, str] = {}
    for part in parts:
        for name in part.predicate.__struct_fields__:
            value = getattr(part.predicate, name)
            if value and name in fields:
                return None
            if value:
                fields[name] = value
    return Predicate(**fields)  # type: ignore[arg-type]


@lru_cache(maxsize=1024)
def _of(sort: str, value: str) -> Predicate:
    return Predicate(**{sort: value})  # type: ignore[arg-type]


@lru_cache(maxsize=2048)
def _relation(relation: str, other: str) -> Predicate:
    return Predicate(relation=relation, other=other)


@lru_cache(maxsize=2048)
def _rank(category: str, rank: int, side: str) -> Predicate:
    return Predicate(category=category, rank=rank, side=side)


@lru_cache(maxsize=1)
def _general() -> tuple[Predicate, ...]:
    known = vocabulary()
    return (
        *(_of("super_category", name) for name in known.super_categories if name != "person"),
        *(_of("category", kind.name) for kind in known.drawn(unseen=False)),
    )


@lru_cache(maxsize=1)
def _beside() -> tuple[Predicate, ...]:
    kinds = vocabulary().drawn(unseen=False)
    return tuple(_relation("next to", kind.name) for kind in kinds)


outlook = Recent(Outlook)
"""What can be asked of a scene; that of the scenes looked at last is kept."""
