"""What people think of reference sets: the answers that they did not deselect (answers.txt, Table 2)."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from referee.datasets.deselection import Item, Response, Task
from referee.datasets.files import Skipped
from referee.evaluations.evaluation import left_out, versions
from referee.evaluations.measures import PERCENT, Intervals, Measure, summarise
from referee.evaluations.result import Judged, Option, Result, Row

NAME = "deselection"
MEASURES = (
    Measure("selected", "selected", "turns", PERCENT, higher_is_better=True),
    Measure("selected_by_any", "selected_by_any", "turns", PERCENT, higher_is_better=True),
    Measure("size", "size", "turns"),
)


def judge(
    task: Task,
    responses: Iterable[Response],
    *,
    intervals: Intervals | None = None,
    skipped: Skipped = None,
) -> Judged:
    """Scores what people left selected, item by item.

    `selected` is the share of an item's answers that a person left selected, averaged over its people;
    `selected_by_any` is the share that at least one of them left. An item that fewer or more people
    answered than the task says has failed, since `selected_by_any` depends on their number.
    """
    interval = intervals or Intervals()
    data = hashlib.sha256(msgspec.json.encode(task))
    left: dict[str, dict[str, tuple[bool, ...]]] = defaultdict(dict)
    for response in responses:
        left[response.item][response.person] = response.selected
    for name, people in sorted(left.items()):
        data.update(msgspec.json.encode([name, sorted(people.items())]))
    rows = [_row(item, list(left.get(item.id, {}).values()), task.people) for item in task.items]
    options: dict[str, Option] = {
        "source": task.source,
        "people": task.people,
        "task_seed": task.seed,
        **msgspec.structs.asdict(interval),
        "data": f"sha256:{data.hexdigest()[:16]}",
        **versions(),
    }
    notes = [*_short(rows, task.people), *([left_out(skipped)] if skipped else [])]
    values = {measure.name: summarise(measure, rows, interval, 0) for measure in MEASURES}
    counted = Counter(str(row["image"]) for row in rows)
    games: list[Row] = [
        {"game": image, "image": image, "n_rounds": count} for image, count in counted.items()
    ]
    return Judged(Result(NAME, options, values, tuple(notes)), games, rows)


def _row(item: Item, left: Sequence[tuple[bool, ...]], people: int) -> Row:
    image = str(item.image_id)
    row: Row = {"game": image, "image": image, "turn": item.round_id + 1}
    row |= {"people": len(left), "size": float(len(item.answers))}
    if len(left) != people:
        return row | dict.fromkeys(("selected", "selected_by_any"))
    marks = np.array(left, dtype=np.bool_)
    by_any = float(marks.any(axis=0).mean())
    return row | {"selected": float(marks.mean()), "selected_by_any": by_any}


def _short(rows: Iterable[Row], people: int) -> list[str]:
    wrong = Counter(row["people"] for row in rows if row["people"] != people)
    counts = ", ".join(f"{count} by {number}" for number, count in sorted(wrong.items(), key=str))
    many = wrong.total()
    return [f"{many} items were not answered by {people} people: {counts}"] if many else []
