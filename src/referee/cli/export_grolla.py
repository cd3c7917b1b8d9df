"""`referee export grolla`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli._evaluation import TRANSCRIPTS

Played = Annotated[
    list[Path],
    typer.Option(
        help=f"What is submitted: {TRANSCRIPTS}, or a folder that evaluate grounding wrote."
    ),
]
Out = Annotated[Path, typer.Option(help="The new submission, .jsonl or .jsonl.gz.")]
Games = Annotated[
    Path | None, typer.Option(help="The human games, by which a run's test games are known.")
]
ZeroShot = Annotated[
    Path | None, typer.Option(help="The zero-shot games, by which a run's are known.")
]
Player = Annotated[str, typer.Option(help="Whose submission it is; by default who played.")]
Note = Annotated[str, typer.Option(help="What a reader of the submission should know.")]


def grolla(
    *,
    transcripts: Played,
    out: Out,
    games: Games = None,
    zero_shot: ZeroShot = None,
    player: Player = "",
    note: Note = "",
) -> None:
    """Writes played games, and attributes that were predicted, as a submission to GROLLA."""
    from referee.datasets import grolla as submission
    from referee.datasets.grolla import Submission
    from referee.evaluations.grounding import submitting
    from referee.evaluations.store import refuse_existing

    refuse_existing(out)
    found = submitting.gathered(transcripts, games, zero_shot)
    whose = player or found.player
    submission.write(out, Submission(1, whose, note), (*found.games, *found.attributes))
    parts = ", ".join(f"{many:,} games of {part}" for part, many in found.counts.items())
    typer.echo(
        f"{parts or 'no games'} and the attributes of {len(found.attributes):,} dialogues are in {out}"
    )
    for line in found.notes:
        typer.echo(line)
    typer.echo(f"next: referee data check {out}")
