"""`referee export evalai`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from referee.cli._evaluation import TRANSCRIPTS

if TYPE_CHECKING:
    from referee.datasets.submission import Split

Played = Annotated[Path, typer.Option(help=f"What is submitted: {TRANSCRIPTS}, with scores.")]
Out = Annotated[Path, typer.Option(help="The new file of ranks.")]
SplitName = Annotated[
    str | None,
    typer.Option(help="val (every round) or test (last rounds); by default as the dialogues are."),
]
Dialogues = Annotated[
    Path | None, typer.Option(help="The split's dialogues: each of their rounds must be ranked.")
]

_SHOWN = 10


def evalai(
    *, transcripts: Played, out: Out, split: SplitName = None, visdial: Dialogues = None
) -> None:
    """Writes a run's ranks as VisDial's server takes them, and says what it would refuse."""
    from referee.datasets import evalai as ranks
    from referee.datasets import visdial as reader
    from referee.datasets.submission import of_transcripts
    from referee.evaluations import sources
    from referee.evaluations.store import refuse_existing

    refuse_existing(out)
    played = sources.transcripts(transcripts)
    rows = of_transcripts(played, cast("Split | None", split))
    ranks.write(out, rows)
    images = len({row.image for row in rows})
    typer.echo(f"{len(rows)} rows about {images} images are in {out}")
    wanted = [] if visdial is None else ranks.wanted_rounds(reader.games(visdial))
    problems = ranks.refusals(out, wanted or [row.key for row in rows])
    for problem in problems[:_SHOWN]:
        typer.echo(f"refused: {problem}", err=True)
    if len(problems) > _SHOWN:
        typer.echo(f"refused: {len(problems) - _SHOWN} further problems", err=True)
    said = ranks.verdict(row.key for row in rows)
    typer.echo(f"the v1.0 server would say, by the counts: {said}")
    # The dialogues given may be part of a split on purpose; without them the counts are all there is.
    if problems or (not wanted and not said.startswith("accepted")):
        raise typer.Exit(1)
