"""VISA-like concepts, and imSitu-like verbs and pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from referee.datasets import imsitu, visa
from referee.datasets.iconworld.concepts import Action, knowledge
from referee.datasets.iconworld.vocabulary import vocabulary
from referee.datasets.iconworld.world import World
from referee.datasets.imsitu import Noun, Role, Situation, Space, Verb
from referee.randomness import Stream, mix

SITUATIONS = {"train": 25, "dev": 5, "test": 5}
"""How many pictures of each verb a split has; in all, more than any role has nouns, so that each noun
that can fill a role does."""
Orders: TypeAlias = dict[str, dict[str, list[str]]]
"""By verb and role the nouns in the order in which pictures show them."""
ANNOTATORS = 3
LEFT_OPEN = 0.1
_SITUATIONS = 13


def write(world: World, folder: Path) -> dict[str, int]:
    """visa.jsonl, and imsitu/{imsitu_space,train,dev,test}.json."""
    known = knowledge()
    visa.write(folder / "visa.jsonl", known.concepts)
    (folder / "imsitu").mkdir(parents=True, exist_ok=True)
    imsitu.write_space(folder / "imsitu/imsitu_space.json", _space())
    counts = {"visa.jsonl": len(known.concepts), "imsitu/imsitu_space.json": len(known.actions)}
    draw = Stream(mix(world.key, _SITUATIONS))
    orders = {
        action.name: {r: draw.sample(names, len(names)) for r, names in action.roles.items()}
        for action in known.actions
    }
    first = 1
    for split, count in SITUATIONS.items():
        found = list(_situations(draw, orders, range(first, first + count)))
        imsitu.write(folder / f"imsitu/{split}.json", found)
        counts[f"imsitu/{split}.json"] = len(found)
        first += count
    return counts


def _nouns() -> dict[str, str]:
    # imSitu's ids are WordNet's offsets; ours begin with 9, as none of WordNet's nouns does.
    return {name: f"n9{place:07d}" for place, name in enumerate(vocabulary().categories)}


def _space() -> Space:
    kinds = vocabulary().categories
    return Space(
        {
            identity: Noun((name,), kinds[name].super_category)
            for name, identity in _nouns().items()
        },
        {action.name: _verb(action) for action in knowledge().actions},
    )


def _verb(action: Action) -> Verb:
    roles = {role: Role(role, f"the {role} of {action.name}") for role in action.roles}
    return Verb(action.frame, action.sentence, tuple(roles), roles, action.sentence.lower())


def _situations(draw: Stream, orders: Orders, numbers: range) -> Iterator[Situation]:
    nouns = _nouns()
    for verb, roles in orders.items():
        for number in numbers:
            frame: dict[str, str | None] = {
                role: nouns[order[number % len(order)]] for role, order in roles.items()
            }
            frames = (frame, *(_seen(frame, draw) for _ in range(ANNOTATORS - 1)))
            yield Situation(f"{verb}_{number}.jpg", verb, frames)


def _seen(frame: dict[str, str | None], draw: Stream) -> dict[str, str | None]:
    """The frame as an annotator but the first filled it in: the agent, and mostly the rest."""
    return {
        role: noun if role == "agent" or draw.random() >= LEFT_OPEN else None
        for role, noun in frame.items()
    }
