"""`referee evaluate own`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli._evaluation import (
    Games,
    Giving,
    IntervalsText,
    Json,
    Out,
    SkipBad,
    Transcripts,
    evaluate,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.errors import DataError
    from referee.games import Transcript

Name = Annotated[
    str, typer.Argument(help="./mine.py:EVALUATION, or the name that a package offers.")
]


def own(
    name: Name,
    *,
    transcripts: Transcripts,
    games: Games = None,
    intervals: IntervalsText = "",
    out: Out = None,
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Judges by an evaluation of one's own, in a file or an installed package."""
    from referee.evaluations import registry, sources

    def read(skipped: list[DataError] | None) -> Iterator[Transcript]:
        return sources.transcripts(transcripts, games, skipped)

    evaluate(
        name, read, registry.load(name).options(), Giving(out, json, skip_bad, intervals=intervals)
    )
