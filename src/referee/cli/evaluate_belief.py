"""`referee evaluate belief`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

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
    from referee.evaluations.belief.options import Variant
    from referee.games import Transcript
    from referee.metrics.belief.labels import Combine

Guesser = Annotated[
    str | None,
    typer.Option(
        help="The player who is fed the dialogues, turn by turn; by default the beliefs are those of the"
        " transcripts."
    ),
]
Oracle = Annotated[
    str | None,
    typer.Option(
        help="The player by whose answers an ideal observer goes; by default the one who played."
    ),
]
SoftLabels = Annotated[
    str | None, typer.Option(help="Soft labels of first turns; by default the rules make them.")
]
ThetaRs = Annotated[
    float, typer.Option(help="Every candidate of the reference set must have more than this.")
]
ThetaCs = Annotated[
    float, typer.Option(help="Every candidate of the complement set must have less than this.")
]
Status = Annotated[
    str,
    typer.Option(
        help="Which games: success or all; by default success where a guesser is fed, else all."
    ),
]
Variant_ = Annotated[
    str,
    typer.Option("--variant", help="paper, or code: padding slots keep their share of the mass."),
]
Mass = Annotated[
    str,
    typer.Option(
        help="What the litmus test judges: the belief over candidates, or what slots leave of it; by the"
        " variant."
    ),
]
Combine_ = Annotated[
    str,
    typer.Option("--combine", help="How rules' votes become labels: normalise or softmax."),
]
Turns = Annotated[int, typer.Option(help="Up to which turn values are given by turn.")]


def belief(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    transcripts: Transcripts,
    games: Games = None,
    guesser: Guesser = None,
    oracle: Oracle = None,
    soft_labels: SoftLabels = None,
    theta_rs: ThetaRs = 0.001,
    theta_cs: ThetaCs = 0.004,
    status: Status = "",
    variant: Variant_ = "paper",
    mass: Mass = "",
    combine: Combine_ = "normalise",
    turns: Turns = 10,
    intervals: IntervalsText = "",
    out: Out = None,
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Judges a guesser's probabilities: the litmus test, calibration, and what the answers warrant."""
    from referee.datasets.dialogues import Report
    from referee.evaluations import sources
    from referee.evaluations.belief import Options

    report = Report()

    def read(skipped: list[DataError] | None) -> Iterator[Transcript]:
        return sources.transcripts(transcripts, games, skipped, report)

    options = Options(
        variant=cast("Variant", variant),
        guesser=guesser,
        oracle=oracle,
        soft_labels=soft_labels,
        theta_rs=theta_rs,
        theta_cs=theta_cs,
        status=status,
        mass=mass,
        combine=cast("Combine", combine),
        turns=turns,
        skip_bad=skip_bad,
        padding=report,
    )
    evaluate("belief", read, options, Giving(out, json, skip_bad, intervals=intervals))
