"""`referee annotate soft-labels`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from referee.errors import DataError

Games = Annotated[Path, typer.Option(help="Dialogues with their scenes, or a run folder.")]
Turns = Annotated[
    Literal["first", "all"],
    typer.Option(help="Label first turns, as the paper does, or every turn with all before it."),
]
Out = Annotated[Path, typer.Option(help="The new file; one that ends in .gz is compressed.")]
Rules = Annotated[str, typer.Option(help="The rules that vote on absolute places.")]
Combine = Annotated[
    Literal["normalise", "softmax"],
    typer.Option(help="How votes become probabilities: over their sum, or as the text has it."),
]
AllZero = Annotated[
    Literal["unlabelled", "uniform"],
    typer.Option(help="What becomes of a turn whose answer no candidate fits."),
]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave out bad records, count them and list the first.")
]


def soft_labels(
    *,
    games: Games,
    out: Out,
    turns: Turns = "first",
    rules: Rules = "R1,R2,R3",
    combine: Combine = "normalise",
    all_zero: AllZero = "unlabelled",
    skip_bad: SkipBad = False,
) -> None:
    """Labels answered questions: how likely each candidate is, by COCO's labels and rules over boxes."""
    from referee.annotate.soft_labels.dialogues import Coverage
    from referee.annotate.soft_labels.dialogues import soft_labels as labels
    from referee.annotate.soft_labels.labelling import How
    from referee.datasets import soft_labels as file
    from referee.evaluations import sources
    from referee.evaluations.evaluation import left_out
    from referee.evaluations.store import refuse_existing

    refuse_existing(out)
    how = How(tuple(name.strip() for name in rules.split(",")), combine, all_zero)
    skipped: list[DataError] | None = [] if skip_bad else None
    coverage = Coverage()
    transcripts = sources.transcripts(games, None, skipped)
    written = file.write(out, labels(transcripts, turns, how, coverage))
    for line in coverage.lines():
        typer.echo(line)
    typer.echo(f"{written} soft labels are in {out}")
    if skipped:
        typer.echo(left_out(skipped), err=True)
