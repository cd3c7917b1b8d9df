"""`referee export gdse`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from referee.cli import _exporting as shared

Out = Annotated[Path, typer.Option(help="The new log, one JSON object.")]
Split = Annotated[str, typer.Option(help="What the log says each game's split is.")]


def gdse(
    *, transcripts: shared.Played, out: Out, games: shared.Games = None, split: Split = "test"
) -> None:
    """Writes played games as GDSE logs them, with the guesser's beliefs."""
    from referee.datasets.dialogues import gdse as log

    shared.export(transcripts, games, out, partial(log.write, split=split))
