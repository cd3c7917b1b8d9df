"""`referee export looper`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import _exporting as shared

Out = Annotated[
    Path, typer.Option(help="The new dump; where its name ends in .gz it is compressed.")
]


def looper(*, transcripts: shared.Played, out: Out, games: shared.Games = None) -> None:
    """Writes played games as the original looper dumps them, with the guesser's beliefs."""
    from referee.datasets.dialogues import looper as dump

    shared.export(transcripts, games, out, dump.write)
