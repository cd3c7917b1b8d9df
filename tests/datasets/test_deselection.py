"""The deselection task's files: written, read again, and refused where they are not what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.datasets import deselection
from referee.datasets.check import check
from referee.datasets.deselection import Item, Response, Task
from referee.errors import DataError

ITEMS = tuple(
    Item(f"{image}:2", image, 2, "is it sunny", ("yes", "very", "no"), (True,) * 3, "a beach")
    for image in (7, 8)
)
TASK = Task(items=ITEMS, people=2, seed=5, source="refs.json")
RESPONSES = [
    Response("7:2", "ann", (True, True, False)),
    Response("7:2", "bo", (True, False, False)),
    Response("8:2", "ann", (True, True, True)),
]


def test_a_task_is_written_and_read_again(tmp_path: Path) -> None:
    """What people see comes first, for whoever looks into the file."""
    path = tmp_path / "task.json"
    deselection.write_task(path, TASK)
    assert deselection.read_task(path) == TASK
    document = json.loads(path.read_text())
    assert list(document)[:3] == ["task", "version", "instruction"]
    assert document["items"][0]["selected"] == [True, True, True]


def test_responses_are_written_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "responses.jsonl"
    assert deselection.write_responses(path, RESPONSES) == 3
    assert list(deselection.read_responses(path, TASK)) == RESPONSES


BAD_TASKS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "another task": ({"task": "rank"}, {}, "task"),
    "another version": ({"version": 2}, {}, "task"),
    "nobody": ({"people": 0}, {}, "people"),
    "an item twice": ({}, {"id": "7:2"}, "id"),
    "no answers": ({}, {"answers": [], "selected": []}, "answers"),
    "an answer twice": ({}, {"answers": ["yes", "no", "yes"]}, "answers"),
    "too few marks": ({}, {"selected": [True]}, "selected"),
    "one deselected": ({}, {"selected": [True, False, True]}, "selected"),
    "answers no list": ({}, {"answers": "yes"}, "answers"),
    "round eleven": ({}, {"round_id": 10}, "round_id"),
}


@pytest.mark.parametrize("name", BAD_TASKS)
def test_a_bad_task_names_its_place(tmp_path: Path, name: str) -> None:
    whole, item, field = BAD_TASKS[name]
    path = tmp_path / "task.json"
    deselection.write_task(path, TASK)
    document = json.loads(path.read_text()) | whole
    document["items"][1] |= item
    path.write_text(json.dumps(document))
    with pytest.raises(DataError) as caught:
        deselection.read_task(path)
    assert caught.value.file == str(path)
    assert field in (caught.value.field or "")


BAD_RESPONSES: dict[str, tuple[dict[str, Any], str]] = {
    "unknown item": ({"item": "9:2"}, "item"),
    "too few marks": ({"selected": [True]}, "selected"),
    "too many marks": ({"selected": [True] * 4}, "selected"),
    "no marks": ({"selected": [1, 0, 1]}, "selected"),
    "nobody": ({"person": ""}, "person"),
    "twice by one": ({"person": "ann", "item": "7:2"}, "person"),
}


@pytest.mark.parametrize("name", BAD_RESPONSES)
def test_a_bad_response_is_named_or_collected(tmp_path: Path, name: str) -> None:
    changes, field = BAD_RESPONSES[name]
    path = tmp_path / "responses.jsonl"
    deselection.write_responses(path, RESPONSES[:2])
    row = {"item": "8:2", "person": "cy", "selected": [True, True, True]} | changes
    path.write_text(path.read_text() + json.dumps(row) + "\n")
    with pytest.raises(DataError) as caught:
        list(deselection.read_responses(path, TASK))
    assert (caught.value.file, caught.value.record) == (str(path), 3)
    assert field in (caught.value.field or "")
    skipped: list[DataError] = []
    assert list(deselection.read_responses(path, TASK, skipped)) == RESPONSES[:2]
    assert [str(error) for error in skipped] == [str(caught.value)]


def test_no_responses_are_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "responses.jsonl"
    path.write_text("\n")
    with pytest.raises(DataError, match="holds no response"):
        list(deselection.read_responses(path, TASK))


def test_the_check_counts_tasks_and_responses(tmp_path: Path) -> None:
    deselection.write_task(tmp_path / "task.json", TASK)
    deselection.write_responses(tmp_path / "responses.jsonl", RESPONSES)
    responses, task = check(tmp_path)
    assert task.format == "deselection-task"
    assert task.counts == {
        "items": 2,
        "images": 2,
        "answers": 6,
        "people an item": 2,
        "drawn from": "refs.json",
    }
    assert responses.format == "deselection-responses"
    assert responses.counts == {
        "responses": 3,
        "items": 2,
        "people": 2,
        "answers left selected %": 66.67,
    }
    assert not task.problems
    assert not responses.problems


def test_the_check_lists_the_problems_of_tasks_and_responses(tmp_path: Path) -> None:
    deselection.write_task(tmp_path / "task.json", Task(items=ITEMS * 2))
    deselection.write_responses(tmp_path / "responses.jsonl", RESPONSES * 2)
    responses, task = check(tmp_path)
    assert [problem.field for problem in task.problems] == ["id"]
    assert [problem.record for problem in responses.problems] == [4, 5, 6]
