"""Counts and shares as `referee data check` prints them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from referee.datasets.formats import Count
from referee.games import GuessWhat, Transcript

_SPLITS = ("nd_valid", "nd_test", "od_valid", "od_test", "train", "valid", "val", "test")


def shares(counted: Counter[str], order: Iterable[str], prefix: str = "") -> dict[str, Count]:
    """Each count and, beside it, its share in percent; what the order names comes first."""
    total = sum(counted.values())
    names = [name for name in order if name in counted]
    names += sorted(set(counted) - set(names))
    found: dict[str, Count] = {}
    for name in names:
        found[f"{prefix}{name}"] = counted[name]
        found[f"{prefix}{name} %"] = round(100 * counted[name] / total, 2)
    return found


def split_of(path: Path) -> str | None:
    """The split that a file's name speaks of."""
    words = "_".join(re.findall("[a-z]+", path.name.lower()))
    return next((split for split in _SPLITS if f"_{split}_" in f"_{words}_"), None)


def count_games(transcripts: Iterable[Transcript]) -> dict[str, Count]:
    """What a reader of games must find: games, turns, objects, images, shares."""
    statuses: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    images: set[str] = set()
    for transcript in transcripts:
        game = transcript.game
        statuses[transcript.status] += 1
        answers.update(turn.answer for turn in transcript.turns)
        totals["believed"] += sum(turn.belief is not None for turn in transcript.turns)
        totals["guessed"] += transcript.guess is not None
        images.add(game.image)
        if isinstance(game, GuessWhat):
            things = game.scene.things
            totals["objects"] += len(things)
            totals["unseen"] += sum(thing.category_id == 0 for thing in things)
            totals["outside"] += sum(
                thing.box.x + thing.box.width > game.scene.width + 1
                or thing.box.y + thing.box.height > game.scene.height + 1
                for thing in things
            )
    counts: dict[str, Count] = {
        "games": sum(statuses.values()),
        "turns": sum(answers.values()),
        "objects": totals["objects"],
        "images": len(images),
    }
    optional = {
        "objects of no COCO category": "unseen",
        "boxes that leave the picture": "outside",
        "turns with a belief": "believed",
        "games with a guess": "guessed",
    }
    counts |= {name: totals[key] for name, key in optional.items() if totals[key]}
    counts |= shares(statuses, ("success", "failure", "incomplete"))
    return counts | shares(answers, ("Yes", "No", "N/A"), "answer ")
