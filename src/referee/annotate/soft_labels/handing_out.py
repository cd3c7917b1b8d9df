"""The folder that people are given: pictures, makesense.ai's list of labels, sheets to fill in."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp

from PIL import Image

from referee.annotate.soft_labels.pictures import drawn
from referee.datasets import question_sample
from referee.datasets.question_sample import NONE, Item, Task

TASK, LABELS, INSTRUCTIONS = "task.json", "labels.txt", "instructions.txt"
PICTURES, SHEETS = "pictures", "sheets"
COLUMNS = ("game", "turn", "annotator", "object", "vote", "picture", "question", "answer", "label")
"""The columns of a sheet: those of a table of votes, and what a person needs to see beside them."""


def hand_out(folder: Path, task: Task, images: Mapping[str, Path]) -> None:
    """Writes the folder of a task, whole or not at all; `images` are the pictures there are, by image."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    making = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        _write(making, task, images)
        making.chmod(0o755)
        making.rename(folder)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _write(folder: Path, task: Task, images: Mapping[str, Path]) -> None:
    (folder / PICTURES).mkdir()
    (folder / SHEETS).mkdir()
    for item in task.items:
        picture = drawn(item, images.get(item.image))
        picture.save(folder / PICTURES / item.picture)
    for annotator, text in sheets(task):
        (folder / SHEETS / f"{annotator}.csv").write_text(text, "utf-8")
    (folder / LABELS).write_text("".join(f"{name}\n" for name in label_names(task.items)), "utf-8")
    (folder / INSTRUCTIONS).write_text(_instructions(task), "utf-8")
    question_sample.write(folder / TASK, task)


def label_names(items: Sequence[Item]) -> tuple[str, ...]:
    """The labels that makesense.ai offers: the numbers of the objects, and one for none of them."""
    most = max((len(item.objects) for item in items), default=0)
    return (*map(str, range(1, most + 1)), NONE)


def picture_sizes(folder: Path) -> dict[str, tuple[float, float]]:
    """Width and height of the pictures that people were given, by name without suffix."""
    found: dict[str, tuple[float, float]] = {}
    for path in sorted((folder / PICTURES).glob("*.png")):
        with Image.open(path) as picture:
            found[path.stem] = picture.size
    return found


def sheets(task: Task) -> Iterator[tuple[str, str]]:
    """For each annotator a table of votes to fill in."""
    names = sorted({name for item in task.items for name in item.annotators}, key=_by_number)
    for name in names:
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        for item in task.items:
            if name in item.annotators:
                writer.writerows(_rows(item, name))
        yield name, stream.getvalue()


def _rows(item: Item, annotator: str) -> Iterator[tuple[object, ...]]:
    for each in item.objects:
        label = f"{each.number} {each.category}"
        begin = (item.game, item.turn, annotator, each.id, "")
        yield (*begin, item.picture, item.question.strip(), item.answer, label)


def _by_number(name: str) -> tuple[int, str]:
    return len(name), name


def _instructions(task: Task) -> str:
    listed = "\n".join(
        f"{name}: {' '.join(item.picture for item in task.items if name in item.annotators)}"
        for name in sorted({who for item in task.items for who in item.annotators}, key=_by_number)
    )
    return (
        f"{task.instruction}\n\n"
        f"On makesense.ai: drop your pictures, choose image recognition, load {LABELS}, and give each\n"
        f"picture the numbers of all objects that could be meant, or '{NONE}'; then export the labels.\n"
        f"Or fill in your sheet: vote 1 where the object could be meant, else 0.\n\n{listed}\n"
    )
