"""`referee compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli._evaluation import TRANSCRIPTS, Giving, IntervalsText, Oracle, show

if TYPE_CHECKING:
    from referee.evaluations.evaluation import Evaluation
    from referee.evaluations.result import Judged

_RUN = f"{TRANSCRIPTS}, or a folder that an evaluate command wrote"

Run = Annotated[Path, typer.Argument(metavar="RUN", help=f"Compared: {_RUN}.")]
Name = Annotated[
    str | None, typer.Option(help="Which evaluation compares; by default the first that can.")
]
Out = Annotated[Path | None, typer.Option(help="A new folder for compare.json and the table.")]

Json = Annotated[bool, typer.Option("--json", help="Print compare.json and nothing else.")]


def compare(
    first: Run,
    second: Run,
    *,
    evaluation: Name = None,
    oracle: Oracle = None,
    intervals: IntervalsText = "",
    out: Out = None,
    json: Json = False,
) -> None:
    """Compares two runs on the same games: differences with intervals, and tests of them."""
    from referee.evaluations import comparison, measures, registry, store
    from referee.evaluations.result import to_json
    from referee.report import tables

    store.refuse_existing(out)
    how = measures.intervals(intervals)
    chosen = registry.load(evaluation or _evaluation_of(first))
    judged_a, judged_b = (_judged(path, chosen, oracle) for path in (first, second))
    found = comparison.compare(chosen, judged_a, judged_b, how)
    table = tables.comparison_table(found, tables.short_names(first, second))
    if out is not None:
        store.write_texts(out, {"compare.json": to_json(found), **tables.texts([table])})
    show(found, [table], Giving(out, json))


def _evaluation_of(path: Path) -> str:
    """The evaluation of a folder of results, or the first that judges the games of a run."""
    from referee.errors import DataError
    from referee.evaluations import registry, sources, store

    if store.holds_results(path):
        return store.read(path).result.evaluation
    for transcript in sources.transcripts(path):
        for evaluation in registry.suiting(transcript.game):
            return evaluation.name
    raise DataError("holds no games", file=path)


def _judged(path: Path, evaluation: Evaluation, oracle: str | None) -> Judged:
    from referee.errors import UsageError
    from referee.evaluations import sources, store
    from referee.evaluations.evaluation import judge

    if store.holds_results(path):
        judged = store.read(path)
        if judged.result.evaluation != evaluation.name:
            raise UsageError(f"{path} holds results of '{judged.result.evaluation}'")
        asked = judged.result.options.get("oracle")
        if oracle not in (None, asked):
            raise UsageError(
                f"{path} holds results with the oracle {asked}: compare the runs instead"
            )
        return judged
    if oracle is None:
        return judge(evaluation, sources.transcripts(path))
    if "oracle" not in evaluation.options.__struct_fields__:
        raise UsageError(f"'{evaluation.name}' asks no oracle")
    return judge(evaluation, sources.transcripts(path), evaluation.options(oracle=oracle))
