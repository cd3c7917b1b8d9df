"""Reference sets drawn for people to look at (answers.txt, sections 4.2.2 and D.1)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.datasets.densevisdial import ReferenceSet
from referee.datasets.deselection import PEOPLE, Item, Task
from referee.datasets.records import written
from referee.errors import UsageError
from referee.games.model import VisDial
from referee.randomness import Stream, key


def drawn(
    sets: Iterable[ReferenceSet],
    games: Iterable[VisDial] = (),
    *,
    count: int | None = None,
    people: int = PEOPLE,
    seed: int = 0,
    source: str = "",
) -> Task:
    """A task of `count` sets (all of them by default) in random order.

    What is drawn depends on the seed and the rounds alone, not on their order in the file. The games
    give captions and picture files; without them the items have neither.
    """
    rows = sorted(sets, key=lambda row: row.key)
    if count is not None and not 1 <= count <= len(rows):
        raise UsageError(f"{count} of {len(rows)} sets cannot be drawn")
    chosen = Stream(key("deselect", seed)).sample(rows, len(rows) if count is None else count)
    known = {game.image: game for game in games}
    items = tuple(_item(row, known.get(row.image)) for row in chosen)
    return Task(items=items, people=people, seed=seed, source=source)


def _item(row: ReferenceSet, game: VisDial | None) -> Item:
    return Item(
        id=f"{row.image}:{row.round}",
        image_id=written(row.image, row.form),
        round_id=row.round,
        question=row.question,
        answers=row.references,
        selected=(True,) * len(row.references),
        caption="" if game is None else game.caption,
        image_file="" if game is None else game.scene.file,
    )
