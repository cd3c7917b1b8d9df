"""What the evaluate commands and `compare` share: their common options, and how a result is given."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from referee.errors import DataError, MissingExtra, UsageError

if TYPE_CHECKING:
    from msgspec import Struct
    from rich.console import Console

    from referee.evaluations.result import Result
    from referee.games import Transcript
    from referee.report.tables import Table

    Read: TypeAlias = Callable[[list[DataError] | None], Iterator[Transcript]]

_WIDTH = 200
TRANSCRIPTS = "a run folder, or a file of dialogues"

Transcripts: TypeAlias = Annotated[Path, typer.Option(help=f"What to judge: {TRANSCRIPTS}.")]
Games: TypeAlias = Annotated[
    Path | None, typer.Option(help="The data set's games, where the dialogue file lacks them.")
]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="A new folder for results.json, games.parquet, turns.parquet and tables."),
]
Json: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print results.json and nothing else.")
]
SkipBad: TypeAlias = Annotated[
    bool, typer.Option("--skip-bad", help="Leave out bad records, count them and list the first.")
]
Oracle: TypeAlias = Annotated[
    str | None,
    typer.Option(help="The player who answers about every thing; by default the one who played."),
]
IntervalsText: TypeAlias = Annotated[
    str,
    typer.Option(
        "--intervals",
        help="How intervals are made, as in method=bca,by=game,level=0.9,resamples=10000.",
    ),
]
Truncate: TypeAlias = Annotated[int | None, typer.Option(help="Judge the first turns only.")]
Ties: TypeAlias = Annotated[
    str, typer.Option(help="Where a tie stands: stable, expected, optimistic or pessimistic.")
]


@dataclass(frozen=True)
class Giving:
    """How a result is given: into which folder, whether as JSON, and what of bad records."""

    out: Path | None
    json: bool
    skip_bad: bool = False
    beside: tuple[Path, ...] = ()
    """Folders of results that the figures show beside this one."""
    intervals: str = ""
    """How the intervals are made, where not as always."""

    def skipped(self) -> list[DataError] | None:
        """The list for bad records, or None where the first of them is an error."""
        return [] if self.skip_bad else None


def evaluate(name: str, read: Read, options: Struct, giving: Giving) -> None:
    """Judges what `read` reads and gives the result: printed, and as a folder where one is asked for."""
    from referee.evaluations import evaluation, measures, registry, store
    from referee.report import by_metric, published, tables

    store.refuse_existing(giving.out)
    beside_us = _others(giving)
    skipped = giving.skipped()
    chosen = registry.load(name)
    intervals = measures.intervals(giving.intervals)
    # The list is handed on empty: it fills while the transcripts are read.
    judged = evaluation.judge(
        chosen, read(skipped), options, intervals, skipped=() if skipped is None else skipped
    )
    if not judged.games:
        why = f": {evaluation.left_out(skipped)}" if skipped else ""
        raise DataError(f"there is no game to judge{why}")
    ours = by_metric.by_metric(judged.result)
    beside = tables.published_tables(judged.result, published.beside(chosen.name))
    all_tables = (*beside, *ours, tables.result_table(by_metric.rest(judged.result)))
    if giving.out is not None:
        from referee.report.figures import figures

        files = {**tables.texts(all_tables), **figures(judged, beside_us)}
        store.write(giving.out, judged, files)
    show(judged.result, all_tables, giving)


def _others(giving: Giving) -> dict[str, Result]:
    """The results that are to be drawn beside, by their folders' names."""
    if not giving.beside:
        return {}
    from referee.evaluations import store
    from referee.report import figures

    if giving.out is None:
        raise UsageError("--beside draws figures, and they are written to --out")
    if not figures.available():
        raise MissingExtra("matplotlib", "report")
    return {folder.name: store.read(folder).result for folder in giving.beside}


def wide_console() -> Console:
    """Where tables are printed: a file or a pipe has no width into which they would have to be squeezed."""
    from rich.console import Console

    narrow = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if narrow else _WIDTH)


def show(result: Struct, all_tables: Sequence[Table], giving: Giving) -> None:
    """Prints JSON and nothing else, or the tables (ours last, next to the prompt) and the folder.

    A signature stands under the last of the tables that share it; in the files it is under each, which may
    be taken from there alone.
    """
    from referee.evaluations.result import to_json
    from referee.report.tables import rich_table

    if giving.json:
        sys.stdout.write(to_json(result))
        return
    console = wide_console()
    following = [table.signature for table in all_tables[1:]]
    for table, other in zip_longest(all_tables, following):
        console.print(
            rich_table(replace(table, signature="") if table.signature == other else table)
        )
    if giving.out is not None:
        console.print(f"written to {giving.out}", highlight=False, markup=False, soft_wrap=True)
