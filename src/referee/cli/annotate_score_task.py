"""`referee annotate score-task`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli._annotating import give
from referee.cli._evaluation import Giving, Json, Out, SkipBad

Task = Annotated[Path, typer.Option(help="The task file that `annotate export-task` wrote.")]
Responses = Annotated[Path, typer.Option(help="What people left selected, a line of JSON each.")]


def score_task(
    *,
    task: Task,
    responses: Responses,
    out: Out = None,
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Scores what people left of reference sets: by each on average, and by at least one."""
    from referee.datasets import deselection
    from referee.evaluations import deselection as evaluation
    from referee.evaluations import store

    store.refuse_existing(out)
    giving = Giving(out, json, skip_bad)
    skipped = giving.skipped()
    asked = deselection.read_task(task)
    found = deselection.read_responses(responses, asked, skipped)
    give(evaluation.judge(asked, found, skipped=skipped), giving, ("2",))
