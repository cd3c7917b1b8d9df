"""`referee annotate rules`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from referee.cli._evaluation import Giving, IntervalsText, Json, Out, SkipBad
from referee.errors import MissingExtra, UsageError

Games = Annotated[
    Path | None, typer.Option(help="People's dialogues: how often the rules have the target right.")
]
Turns = Annotated[
    Literal["first", "all"], typer.Option(help="Whether to look at first turns or at all of them.")
]


def rules(
    *,
    games: Games = None,
    turns: Turns = "first",
    intervals: IntervalsText = "",
    out: Out = None,
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """The rules for absolute places: how often they have the target right, and figures of them."""
    from referee.evaluations import measures, rule_accuracy, sources, store
    from referee.report import figures, published, rule_figures, tables

    if games is None and out is None:
        raise UsageError("give --games to judge the rules, or --out for their figures")
    if games is None and not figures.available():
        raise MissingExtra("matplotlib", "report")
    store.refuse_existing(out)
    giving = Giving(out, json, skip_bad)
    drawn = rule_figures.rule_figures() if out is not None and figures.available() else {}
    if games is None:
        assert out is not None  # noqa: S101 - one of the two was given
        store.write_texts(out, drawn)
        typer.echo(f"{len(drawn)} figures are in {out}")
        return
    from referee.cli._evaluation import show

    skipped = giving.skipped()
    played = sources.transcripts(games, None, skipped)
    judged = rule_accuracy.judge(
        played, turns, intervals=measures.intervals(intervals), skipped=skipped
    )
    beside = tables.published_tables(judged.result, published.numbers("belief"))
    all_tables = (*beside, tables.result_table(judged.result))
    if out is not None:
        store.write(out, judged, {**tables.texts(all_tables), **drawn})
    show(judged.result, all_tables, giving)
