"""`referee demo`: the whole way through, on a world made for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Out = Annotated[
    Path | None, typer.Option(help="A new folder; by default demo, or demo-2 where that exists.")
]
Seed = Annotated[int, typer.Option(help="The seed of the world and of play.")]
Quick = Annotated[bool, typer.Option("--quick", help="A tenth of the games, for a first look.")]


def demo(*, out: Out = None, seed: Seed = 0, quick: Quick = False) -> None:
    """Makes a small world, plays games in it, judges them, and writes an HTML report."""
    from referee.cli._demo import run

    run(out or _free(), seed, 10 if quick else 1)


def _free() -> Path:
    """The first of demo, demo-2, demo-3 … that does not exist."""
    folder, number = Path("demo"), 1
    while folder.exists():
        number += 1
        folder = Path(f"demo-{number}")
    return folder
