"""What the exports of played GuessWhat?! games share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from referee.cli._evaluation import TRANSCRIPTS

if TYPE_CHECKING:
    from referee.games import Transcript

Played: TypeAlias = Annotated[Path, typer.Option(help=f"What is exported: {TRANSCRIPTS}.")]
Games: TypeAlias = Annotated[
    Path | None, typer.Option(help="The games, where the transcripts do not hold their objects.")
]


@dataclass
class _Counted:
    """Transcripts, counted on their way into a file."""

    transcripts: Iterable[Transcript]
    turns: int = 0
    beliefs: int = 0

    def __iter__(self) -> Iterator[Transcript]:
        for transcript in self.transcripts:
            turns = transcript.turns
            self.turns += len(turns)
            self.beliefs += sum(turn.belief is not None for turn in turns)
            yield transcript


def export(
    transcripts: Path,
    games: Path | None,
    out: Path,
    write: Callable[[Path, Iterable[Transcript]], int],
) -> None:
    """Writes a run as a file of another tool, and says how much is in it."""
    from referee.evaluations import sources
    from referee.evaluations.store import refuse_existing

    refuse_existing(out)
    counted = _Counted(sources.transcripts(transcripts, games))
    number = write(out, counted)
    typer.echo(
        f"{number} games with {counted.turns} questions and {counted.beliefs} beliefs are in {out}"
    )
    typer.echo(f"next: referee data check {out}")
