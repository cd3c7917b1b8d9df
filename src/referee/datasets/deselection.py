"""Files of the task in which people deselect the answers that are infeasible (answers.txt, section D.1).

The task file is one JSON document: the items that people see, with every answer selected. The
responses are a line of JSON for each person and item, so that a study can append to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from referee.datasets.files import Skipped, read_json, records, refuse, write_lines, writing
from referee.datasets.formats import Count, Format
from referee.datasets.records import Id
from referee.datasets.visdial_file import FromZero
from referee.errors import DataError

INSTRUCTION = "Deselect every answer that is wrong or does not fit the question about this picture."
PEOPLE = 5
"""How many people the paper asked about each item."""

_TASK = "deselect"
_HEAD = 256


class Item(Struct, frozen=True):
    """One question with the answers of its reference set, all of them selected at first."""

    id: str
    image_id: Id
    round_id: FromZero
    question: str
    answers: tuple[str, ...]
    selected: tuple[bool, ...]
    caption: str = ""
    image_file: str = ""


class Task(Struct, frozen=True, kw_only=True):
    """The items, and how many people are to see each."""

    task: str = _TASK
    version: int = 1
    instruction: str = INSTRUCTION
    people: int = PEOPLE
    seed: int = 0
    source: str = ""
    items: tuple[Item, ...]


class Response(Struct, frozen=True):
    """Which of an item's answers one person left selected."""

    item: str
    person: str
    selected: tuple[bool, ...]


_TASKS = msgspec.json.Decoder(Task)
_RESPONSES = msgspec.json.Decoder(Response)


def read_task(path: Path) -> Task:
    """A task file."""
    task = read_json(path, _TASKS)
    if task.task != _TASK or task.version != 1:
        raise DataError(
            f"is version {task.version} of the task {task.task!r}",
            file=path,
            field="task",
            expected=f"version 1 of {_TASK!r}",
        )
    if task.people < 1:
        raise DataError(f"is {task.people}", file=path, field="people", expected="at least 1")
    seen: set[str] = set()
    for item in task.items:
        problem = _problem(item, seen)
        if problem is not None:
            raise problem.located(file=path, record=item.id)
        seen.add(item.id)
    return task


def _problem(item: Item, seen: set[str]) -> DataError | None:
    if item.id in seen:
        return DataError("comes twice", field="id", expected="distinct items")
    if not item.answers:
        return DataError("has no answers", field="answers", expected="at least one")
    if len(set(item.answers)) < len(item.answers):
        return DataError("holds an answer twice", field="answers", expected="distinct answers")
    if len(item.selected) != len(item.answers) or not all(item.selected):
        return DataError("are not all selected", field="selected", expected="true for each answer")
    return None


def write_task(path: Path, task: Task) -> None:
    """A task as a file, indented for people."""
    with writing(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(task), indent=1) + b"\n")


def read_responses(path: Path, task: Task | None, skipped: Skipped = None) -> Iterator[Response]:
    """The responses to a task; each person answers an item once, and says something of each answer.

    Without the task it is not known which items there are, and how many answers they have.
    """
    sizes = {item.id: len(item.answers) for item in task.items} if task is not None else None
    seen: set[tuple[str, str]] = set()

    def build(row: Response) -> Response:
        if sizes is not None and row.item not in sizes:
            raise DataError(
                f"is about {row.item!r}", field="item", expected="an item of the task file"
            )
        if sizes is not None and len(row.selected) != sizes[row.item]:
            raise DataError(
                f"has {len(row.selected)} marks for item {row.item}",
                field="selected",
                expected=f"{sizes[row.item]}, one an answer",
            )
        if not row.person:
            raise DataError("is empty", field="person", expected="who answered")
        if (row.item, row.person) in seen:
            raise DataError(
                f"{row.person!r} answered item {row.item} before", field="person", expected="once"
            )
        seen.add((row.item, row.person))
        return row

    yield from records(path, _RESPONSES, build, skipped)
    if not seen:
        refuse(DataError("holds no response", file=path, expected="a line each"), skipped)


def write_responses(path: Path, responses: Iterable[Response]) -> int:
    """The responses as lines, and how many they are."""
    return write_lines(path, map(msgspec.to_builtins, responses))


def _is_task(path: Path, head: bytes) -> bool:
    del path
    return head.lstrip().startswith(b"{") and b'"task": "deselect"' in head[:_HEAD]


def _are_responses(path: Path, head: bytes) -> bool:
    del path
    first = head.lstrip().partition(b"\n")[0]
    fields = (b'"item"', b'"person"', b'"selected"')
    return first.startswith(b"{") and all(field in first for field in fields)


def _count_task(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    try:
        task = read_task(path)
    except DataError as error:
        skipped.append(error)
        return {}
    return {
        "items": len(task.items),
        "images": len({item.image_id for item in task.items}),
        "answers": sum(len(item.answers) for item in task.items),
        "people an item": task.people,
        "drawn from": task.source,
    }


def _count_responses(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    rows = list(read_responses(path, None, skipped))
    marks = [mark for row in rows for mark in row.selected]
    return {
        "responses": len(rows),
        "items": len({row.item for row in rows}),
        "people": len({row.person for row in rows}),
        "answers left selected %": round(100 * sum(marks) / max(len(marks), 1), 2),
    }


FORMATS = (
    Format(
        "deselection-task",
        "reference sets of which people deselect the infeasible answers",
        _is_task,
        _count_task,
    ),
    Format(
        "deselection-responses",
        "what people left selected of reference sets",
        _are_responses,
        _count_responses,
    ),
)
