"""`referee evaluate questions`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

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
    from referee.evaluations.questions.options import Variant
    from referee.games import Transcript

Variant_ = Annotated[str, typer.Option("--variant", help="paper, or code: what the authors ran.")]
TargetAnswer = Annotated[
    str,
    typer.Option(
        help="What answers about other things are compared with: oracle or dialogue; by the variant."
    ),
]
QuestionText = Annotated[
    str,
    typer.Option(help="What the oracle is asked: asked (as it stands) or code; by the variant."),
]
KeywordList = Annotated[
    str, typer.Option("--keywords", help="The list that tells question types: exact or corrected.")
]
Grouping = Annotated[
    str,
    typer.Option(
        help="What counts as an attribute in shifts: compguesswhat or effectiveness; by the variant."
    ),
]
Reguess = Annotated[
    bool, typer.Option("--reguess", help="With --truncate: guess again after these turns.")
]
Guesser = Annotated[
    str | None,
    typer.Option(help="The player who guesses again; by default the one who played."),
]
Accuracy = Annotated[
    float | None,
    typer.Option(help="How often the oracle is right: adds values corrected for its errors."),
]


def questions(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    transcripts: Transcripts,
    games: Games = None,
    oracle: Oracle = None,
    variant: Variant_ = "paper",
    target_answer: TargetAnswer = "",
    question_text: QuestionText = "",
    keywords: KeywordList = "",
    grouping: Grouping = "",
    truncate: Truncate = None,
    reguess: Reguess = False,
    guesser: Guesser = None,
    oracle_accuracy: Accuracy = None,
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

    options = Options(
        variant=cast("Variant", variant),
        oracle=oracle,
        target_answer=target_answer,
        question_text=question_text,
        keywords=keywords,
        grouping=grouping,
        truncate=truncate,
        reguess=reguess,
        guesser=guesser,
        oracle_accuracy=oracle_accuracy,
    )
    evaluate("questions", read, options, Giving(out, json, skip_bad, intervals=intervals))
