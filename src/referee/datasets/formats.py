"""What `referee data check` knows of a format: how to recognise a file, and what to count in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from referee.errors import DataError

Count = int | float | str


@dataclass(frozen=True)
class Summary:
    """What a file or folder was found to hold, and every problem found in it."""

    format: str
    path: Path
    counts: dict[str, Count] = field(default_factory=dict)
    problems: list[DataError] = field(default_factory=list)


@dataclass(frozen=True)
class Format:
    """A published format.

    `recognises(path, head)` looks at the name and the first 64 KiB (inflated) and must not raise;
    for a folder the head is empty. `summarise(path, skipped)` reads it all.
    """

    name: str
    describes: str
    recognises: Callable[[Path, bytes], bool]
    summarise: Callable[[Path, list[DataError]], dict[str, Count]]
