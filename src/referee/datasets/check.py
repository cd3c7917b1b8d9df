"""What `referee data check` does: recognises files and folders, and sums up what each holds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from referee.datasets.counting import split_of
from referee.datasets.files import check_gzip, read_head
from referee.datasets.formats import Count, Format, Summary
from referee.errors import DataError

MODULES = (
    "played",
    "grolla",
    "compguesswhat",
    "dialogue_states",
    "dialogues.looper",
    "guesswhat",
    "dialogues.gdse",
    "dialogues.effective",
    "dialogues.effectiveness",
    "dialogues.plain",
    "dialogues.vdst",
    "dialogues.oracle_answers",
    "history_questions",
    "gdse_vocabulary",
    "visdial",
    "dense",
    "evalai",
    "densevisdial",
    "deselection",
    "qbot",
    "pools",
    "genome_mapping",
    "visual_genome",
    "boxes",
    "coco",
    "imsitu",
    "visa",
    "manynames",
    "features",
    "annotations",
    "soft_labels",
    "question_sample",
    "vectors",
    "iconworld.checking",
)
"""The readers' modules, those that look most closely first: the first format to say yes is taken."""


@cache
def formats() -> tuple[Format, ...]:
    """Every format that a reader knows, in the order in which they are asked."""
    found: list[Format] = []
    for name in MODULES:
        found.extend(import_module(f"referee.datasets.{name}").FORMATS)
    return tuple(found)


def recognise(path: Path) -> Format | None:
    """The format of a file or folder, or None."""
    head = b"" if path.is_dir() else read_head(path)
    if not head and not path.is_dir():
        return None
    return next((known for known in formats() if known.recognises(path, head)), None)


def check(path: Path) -> Iterator[Summary]:
    """What a file holds, or what each file under a folder does, and every problem found.

    What no reader recognises comes out with an empty format, and with a problem where it is damaged
    gzip. A folder's files come before the folders in it; those that belong to a format of whole
    folders are counted there and not one by one.
    """
    path = Path(path)
    if not path.exists():
        raise DataError("there is no such file or folder", file=path)
    if path.is_dir():
        yield from _folder(path)
    else:
        yield _summary(path, recognise(path))


def _folder(path: Path) -> Iterator[Summary]:
    known = recognise(path)
    if known is not None:
        yield _summary(path, known)
        return
    with os.scandir(path) as entries:
        shown = [entry for entry in entries if not entry.name.startswith(".")]
    for name in [entry.name for entry in sorted(shown, key=lambda e: (e.is_dir(), e.name))]:
        try:
            yield from check(path / name)
        except DataError as error:
            yield Summary("", path / name, {}, [error])


def _summary(path: Path, known: Format | None) -> Summary:
    problems: list[DataError] = []
    if known is None:
        try:
            check_gzip(path)
        except DataError as error:
            problems.append(error)
        return Summary("", path, {}, problems)
    counts: dict[str, Count] = {}
    split = split_of(path)
    if split is not None:
        counts["split"] = split
    try:
        counts |= known.summarise(path, problems)
    except DataError as error:
        problems.append(error.located(file=path))
    return Summary(known.name, path, counts, problems)
