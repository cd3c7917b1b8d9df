"""`referee annotate votes`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli._evaluation import Giving, IntervalsText, Json, Out, SkipBad
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.datasets.annotations import Vote
    from referee.datasets.files import Skipped
    from referee.datasets.question_sample import Item

Task = Annotated[
    Path | None, typer.Option(help="The task.json (or its folder) that sample-questions wrote.")
]
Games = Annotated[
    Path | None, typer.Option(help="In place of a task: the dialogues people voted on.")
]
Votes = Annotated[
    list[Path] | None, typer.Option(help="A table with game, turn, annotator, object and vote.")
]
Makesense = Annotated[
    list[str] | None,
    typer.Option(help="NAME=FILE: one annotator's export from makesense.ai (needs --task)."),
]
Rules = Annotated[str, typer.Option(help="The rules that are compared with people.")]


def votes(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    task: Task = None,
    games: Games = None,
    votes: Votes = None,
    makesense: Makesense = None,
    rules: Rules = "R1,R2,R3",
    intervals: IntervalsText = "",
    out: Out = None,
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Turns people's votes into soft labels, and says how far people, and the rules, agree."""
    import msgspec

    from referee.annotate.soft_labels import How
    from referee.annotate.soft_labels.votes import distributions, voted
    from referee.cli._evaluation import show
    from referee.evaluations import measures, store
    from referee.evaluations import votes as evaluation
    from referee.report import agreement, published, tables

    store.refuse_existing(out)
    giving = Giving(out, json, skip_bad)
    skipped = giving.skipped()
    items = _items(task, games, skipped)
    rows = voted(_votes(items, votes or [], makesense or [], task, skipped), items, skipped)
    how = How(tuple(name.strip() for name in rules.split(",")))
    judged = evaluation.judge(rows, how, intervals=measures.intervals(intervals), skipped=skipped)
    beside = tables.published_tables(judged.result, published.numbers("belief"))
    all_tables = (*beside, tables.result_table(judged.result))
    if out is not None:
        encoder = msgspec.json.Encoder()
        lines = "".join(f"{encoder.encode(each).decode()}\n" for each in distributions(rows))
        figures = agreement.figures(judged)
        store.write(
            out, judged, {**tables.texts(all_tables), "soft_labels.jsonl": lines, **figures}
        )
    show(judged.result, all_tables, giving)


def _items(task: Path | None, games: Path | None, skipped: Skipped) -> tuple[Item, ...]:
    from referee.annotate.soft_labels.handing_out import TASK
    from referee.annotate.soft_labels.votes import questions
    from referee.datasets import question_sample
    from referee.evaluations import sources

    if (task is None) == (games is None):
        raise UsageError("give what people voted on: --task, or --games")
    if task is not None:
        return question_sample.read(task / TASK if task.is_dir() else task).items
    assert games is not None  # noqa: S101 - one of the two was given
    return tuple(questions(sources.transcripts(games, None, skipped)))


def _votes(
    items: Sequence[Item],
    files: Sequence[Path],
    exports: Sequence[str],
    task: Path | None,
    skipped: Skipped,
) -> Iterator[Vote]:
    from referee.annotate.soft_labels.handing_out import label_names, picture_sizes
    from referee.annotate.soft_labels.votes import of_makesense
    from referee.datasets import annotations

    if not files and not exports:
        raise UsageError("give people's votes: --votes FILE, or --makesense NAME=FILE")
    if exports and task is None:
        raise UsageError("exports of makesense.ai are about the pictures of a task: give --task")
    for file in files:
        yield from annotations.read_votes(file, skipped)
    sizes = {}
    if task is not None:
        sizes = picture_sizes(task if task.is_dir() else task.parent)
    for text in exports:
        name, sign, export = text.partition("=")
        if not (name and sign and export):
            raise UsageError(f"'{text}': expected NAME=FILE, who labelled and the export")
        marks = annotations.read(Path(export), skipped, names=label_names(items), sizes=sizes)
        yield from of_makesense(marks, name, items, skipped)
