"""The task in which people say which objects an answered question leaves (belief.txt, section 3.1).

A task is one JSON document: the questions, the numbered objects of each, its picture, and who is asked.
Answers come back as votes (`datasets.annotations`), in a plain table or as exports of makesense.ai.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from referee.datasets.files import read_json, writing
from referee.datasets.formats import Count, Format
from referee.errors import DataError
from referee.games.model import Box

INSTRUCTION = (
    "Select every object that could be meant, given the question and its answer. There are no right and"
    " no wrong answers: say what you would understand. Select 'none' where no object could be meant."
)
NONE = "none"
"""The label of a picture of which nobody could be meant: one without a label was not looked at."""
PEOPLE = 3
"""How many people the paper asked about each question."""
ANNOTATORS = 9
"""How many people took part."""

_TASK = "reference-set"
_HEAD = 256


class Object(Struct, frozen=True):
    """One object as people see it: its number in the picture, from 1, and COCO's name for it."""

    number: int
    id: str
    category: str
    box: Box


class Item(Struct, frozen=True):
    """One question and answer about a picture; `annotators` are asked, `picture` is its drawing."""

    game: str
    image: str
    turn: Annotated[int, Meta(ge=1)]
    type: Literal["category", "object", "spatial", "colour", "other"]
    question: str
    answer: str
    picture: str
    width: float
    height: float
    objects: tuple[Object, ...]
    annotators: tuple[str, ...] = ()
    image_file: str = ""

    @property
    def key(self) -> tuple[str, int]:
        """The turn of the game."""
        return self.game, self.turn


class Task(Struct, frozen=True, kw_only=True):
    """The questions, and how many people are asked each."""

    task: str = _TASK
    version: int = 1
    instruction: str = INSTRUCTION
    people: Annotated[int, Meta(ge=1)] = PEOPLE
    seed: int = 0
    source: str = ""
    items: tuple[Item, ...]


_TASKS = msgspec.json.Decoder(Task)


def read(path: Path) -> Task:
    """A task file."""
    task = read_json(path, _TASKS)
    if task.task != _TASK or task.version != 1:
        raise DataError(
            f"is version {task.version} of the task {task.task!r}",
            file=path,
            field="task",
            expected=f"version 1 of {_TASK!r}",
        )
    seen: set[object] = set()
    for item in task.items:
        problem = _problem(item, seen)
        if problem is not None:
            raise problem.located(file=path, record=f"game {item.game}, turn {item.turn}")
        seen |= {item.key, item.picture}
    return task


def _problem(item: Item, seen: set[object]) -> DataError | None:
    if item.key in seen:
        return DataError("comes twice", field="game, turn", expected="distinct turns")
    if item.picture in seen:
        return DataError(f"{item.picture!r} comes twice", field="picture", expected="one each")
    if [each.number for each in item.objects] != list(range(1, len(item.objects) + 1)):
        return DataError("are not numbered from 1", field="objects", expected="1, 2, 3 …")
    return None


def write(path: Path, task: Task) -> None:
    """A task as a file, indented for people."""
    with writing(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(task), indent=1) + b"\n")


def _is_task(path: Path, head: bytes) -> bool:
    del path
    return head.lstrip().startswith(b"{") and b'"task": "reference-set"' in head[:_HEAD]


def _count(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    try:
        task = read(path)
    except DataError as error:
        skipped.append(error)
        return {}
    types = Counter(str(item.type) for item in task.items)
    return {
        "questions": len(task.items),
        "images": len({item.image for item in task.items}),
        "objects": sum(len(item.objects) for item in task.items),
        "annotators": len({name for item in task.items for name in item.annotators}),
        "drawn from": task.source,
        **types,
    }


FORMATS = (
    Format(
        "question-sample",
        "first turns of which people say whom the answer leaves",
        _is_task,
        _count,
    ),
)
