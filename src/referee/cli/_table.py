"""The names of the commands; each summary is the first line of the command's docstring (a test checks)."""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """Where a command's function is, what it does in a line, and how it is called."""

    target: str
    summary: str
    example: str = ""


COMMANDS: dict[tuple[str, ...], Command] = {
    ("demo",): Command(
        "demo:demo",
        "Makes a small world, plays games in it, judges them, and writes an HTML report.",
        "referee demo --out demo",
    ),
}
