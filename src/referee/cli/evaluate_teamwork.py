"""`referee evaluate teamwork`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli._evaluation import Giving, IntervalsText, Json, Out, SkipBad, Transcripts, evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.errors import DataError
    from referee.games import Transcript


def teamwork(
    *,
    transcripts: Transcripts,
    intervals: IntervalsText = "",
    out: Out = None,
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Judges how soon GuessWhich's secret picture is found: ranks, score, and picks by round."""
    from referee.evaluations import sources
    from referee.evaluations.teamwork import Options

    def read(skipped: list[DataError] | None) -> Iterator[Transcript]:
        return sources.transcripts(transcripts, None, skipped)

    evaluate("teamwork", read, Options(), Giving(out, json, skip_bad, intervals=intervals))
