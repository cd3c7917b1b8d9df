"""`referee evaluate questions`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli._evaluation import (
    Games,
    Giving,
    IntervalsText,
    Json,
    Oracle,
    Out,
    SkipBad,
    Transcripts,
    Truncate,
    evaluate,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.errors import DataError
    from referee.games import Transcript


def questions(
    *,
    transcripts: Transcripts,
    games: Games = None,
    oracle: Oracle = None,
    truncate: Truncate = None,
    intervals: IntervalsText = "",
    out: Out = None,
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Judges what each question of GuessWhat?! games is worth: effective, referring."""
    from referee.evaluations import sources
    from referee.evaluations.questions import Options

    def read(skipped: list[DataError] | None) -> Iterator[Transcript]:
        return sources.transcripts(transcripts, games, skipped)

    options = Options(oracle=oracle, truncate=truncate)
    evaluate("questions", read, options, Giving(out, json, skip_bad, intervals=intervals))
