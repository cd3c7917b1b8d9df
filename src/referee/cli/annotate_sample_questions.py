"""`referee annotate sample-questions`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from referee.errors import DataError

Games = Annotated[Path, typer.Option(help="People's dialogues with their scenes, or a run folder.")]
Images = Annotated[
    Path | None,
    typer.Option(help="The folder of the pictures; without them boxes are drawn alone."),
]
Counts = Annotated[str, typer.Option(help="How many first turns of each type are drawn.")]
People = Annotated[int, typer.Option(min=1, help="How many people are asked each question.")]
Annotators = Annotated[int, typer.Option(min=1, help="How many people there are in all.")]
Seed = Annotated[int, typer.Option(help="The same seed draws the same questions.")]
Out = Annotated[Path, typer.Option(help="The new folder.")]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave out bad records, count them and list the first.")
]


def sample_questions(
    *,
    games: Games,
    out: Out,
    images: Images = None,
    counts: Counts = "category=25,object=25,colour=40,spatial=85",
    people: People = 3,
    annotators: Annotators = 9,
    seed: Seed = 0,
    skip_bad: SkipBad = False,
) -> None:
    """Draws first turns for people: pictures with numbered boxes, labels, the question, its answer."""
    from referee.annotate.soft_labels import pictures, sampling
    from referee.annotate.soft_labels.handing_out import hand_out
    from referee.errors import DataError
    from referee.evaluations import sources
    from referee.evaluations.evaluation import left_out
    from referee.evaluations.store import refuse_existing

    refuse_existing(out)
    if images is not None and not images.is_dir():
        raise DataError("there is no such folder", file=images, expected="the games' pictures")
    wanted = sampling.counts(counts)
    skipped: list[DataError] | None = [] if skip_bad else None
    task = sampling.sample(
        sources.transcripts(games, None, skipped),
        wanted,
        people=people,
        annotators=annotators,
        seed=seed,
        source=games.name,
    )
    found = {} if images is None else pictures.found(images, task.items)
    hand_out(out, task, found)
    lacking = len({item.image for item in task.items}) - len(found)
    typer.echo(f"{len(task.items)} questions, {people} people each, are in {out}")
    if lacking:
        typer.echo(f"{lacking} pictures were not found: their boxes are drawn on paper", err=True)
    if skipped:
        typer.echo(left_out(skipped), err=True)
