"""`referee evaluate answers`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from referee.cli._evaluation import TRANSCRIPTS, Giving, Json, Out, SkipBad, Ties, evaluate
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.errors import DataError
    from referee.games import Transcript
    from referee.metrics import ranking

Ranks = Annotated[Path | None, typer.Option(help="Ranks of the options, as EvalAI takes them.")]
Played = Annotated[Path | None, typer.Option(help=f"In place of ranks: {TRANSCRIPTS}.")]
Dialogues = Annotated[Path | None, typer.Option(help="VisDial's dialogues; needed with --ranks.")]
Dense = Annotated[Path | None, typer.Option(help="VisDial's dense annotations, for the NDCG.")]


def answers(
    *,
    ranks: Ranks = None,
    transcripts: Played = None,
    visdial: Dialogues = None,
    dense: Dense = None,
    ties: Ties = "stable",
    out: Out = None,
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Judges where the human answer, and all relevant ones, stand among VisDial's options."""
    from referee.evaluations.answers import Options

    if (ranks is None) == (transcripts is None):
        raise UsageError("give either --ranks or --transcripts")
    if visdial is None and (ranks is not None or dense is not None):
        raise UsageError(f"--{'ranks' if ranks else 'dense'} needs --visdial, the dialogues")

    def read(skipped: list[DataError] | None) -> Iterator[Transcript]:
        from referee.evaluations import sources

        if ranks is not None and visdial is not None:
            return sources.ranked(ranks, visdial, dense, skipped)
        assert transcripts is not None  # noqa: S101 - checked above
        played = sources.transcripts(transcripts, None, skipped)
        return (
            played if visdial is None else sources.with_relevance(played, visdial, dense, skipped)
        )

    options = Options(ties=cast("ranking.Ties", ties))
    evaluate("answers", read, options, Giving(out, json, skip_bad))
