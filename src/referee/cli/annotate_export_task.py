"""`referee annotate export-task`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from referee.errors import DataError

References = Annotated[Path, typer.Option(help="The reference sets that people are to judge.")]
Dialogues = Annotated[
    Path | None, typer.Option(help="VisDial's dialogues, for captions and picture files.")
]
Count = Annotated[
    int | None, typer.Option("--tasks", min=1, help="How many sets are drawn; by default all.")
]
People = Annotated[int, typer.Option(min=1, help="How many people are to see each set.")]
Seed = Annotated[int, typer.Option(help="The same seed draws the same sets.")]
Out = Annotated[Path, typer.Option(help="The new task file.")]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave out bad sets, count them and list the first.")
]


def export_task(
    *,
    references: References,
    out: Out,
    visdial: Dialogues = None,
    count: Count = None,
    people: People = 5,
    seed: Seed = 0,
    skip_bad: SkipBad = False,
) -> None:
    """Writes the task in which people deselect the infeasible answers of reference sets."""
    from referee.annotate.reference_sets.checking import of_dialogues
    from referee.annotate.reference_sets.sampling import drawn
    from referee.datasets import densevisdial, deselection
    from referee.datasets import visdial as reader
    from referee.evaluations.evaluation import left_out
    from referee.evaluations.store import refuse_existing

    refuse_existing(out)
    skipped: list[DataError] | None = [] if skip_bad else None
    sets = densevisdial.read_references(references, skipped, any_set=True)
    games = [] if visdial is None else list(reader.games(visdial, skipped=skipped))
    task = drawn(
        sets if visdial is None else of_dialogues(sets, games, skipped, references),
        games,
        count=count,
        people=people,
        seed=seed,
        source=references.name,
    )
    deselection.write_task(out, task)
    typer.echo(f"{len(task.items)} items for {people} people each are in {out}")
    if skipped:
        typer.echo(left_out(skipped), err=True)
