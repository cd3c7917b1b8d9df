"""`referee report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Results = Annotated[
    list[Path], typer.Argument(help="Folders that an evaluate command wrote with --out.")
]
Transcripts = Annotated[
    Path | None, typer.Option(help="The run (or dialogue file) whose games are shown.")
]
Pictures = Annotated[Path | None, typer.Option(help="The folder of the games' pictures.")]
Games = Annotated[int, typer.Option(help="How many games are shown.", min=0, max=200)]
Out = Annotated[Path, typer.Option(help="The HTML file to write.")]
Title = Annotated[str, typer.Option(help="The page's title.")]


def report(
    results: Results,
    *,
    out: Out,
    transcripts: Transcripts = None,
    pictures: Pictures = None,
    games: Games = 6,
    title: Title = "Referee's report",
) -> None:
    """Writes results, and games to look at, as one HTML file."""
    from referee import __version__
    from referee.errors import DataError
    from referee.evaluations import registry, sources, store
    from referee.evaluations.result import Judged
    from referee.report import gather, page

    if pictures is not None and not pictures.is_dir():
        raise DataError("there is no such folder", file=pictures, expected="the games' pictures")
    judged: dict[str, dict[str, Judged]] = {}
    drawn: dict[str, list[page.Figure]] = {}
    for folder in results:
        if not store.holds_results(folder):
            raise DataError("no results here", file=folder, expected="a folder of evaluate --out")
        read = store.read(folder)
        named = judged.setdefault(read.result.evaluation, {})
        name = str(folder) if folder.name in named else folder.name
        named[name] = read
        drawn.setdefault(read.result.evaluation, []).extend(gather.figures(folder, name))
    shown = list(sources.transcripts(transcripts)) if transcripts else []
    sections = []
    for name, found in judged.items():
        evaluation = registry.known(name)
        kind = evaluation.game if evaluation else object
        fitting = [transcript for transcript in shown if isinstance(transcript.game, kind)]
        sections.append(gather.section(found, fitting, pictures, games=games, drawn=drawn[name]))
    footer = f"Referee {__version__}"
    lead = "What was played, and what each evaluation says of it, with intervals."
    typer.echo(page.write(out, title, lead, sections, footer))
