"""`referee data check`: what a file or folder holds, and what is wrong with it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from referee.datasets.formats import Count, Summary

Where = Annotated[Path, typer.Argument(metavar="PATH", help="A file, or a folder of files.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Exit with 0 in spite of problems.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def check(*, path: Where, skip_bad: SkipBad = False, as_json: AsJson = False) -> None:
    """Recognises a file or folder, counts what it holds, and lists every problem."""
    from referee.datasets.check import check as summaries

    found = summaries(path)
    recognised = problems = 0
    unrecognised: list[Path] = []
    rows: list[dict[str, Any]] = []
    for summary in found:
        if not summary.format and not summary.problems:
            unrecognised.append(summary.path)
            continue
        recognised += bool(summary.format)
        problems += len(summary.problems)
        if as_json:
            rows.append(_row(summary))
        else:
            _show(summary)
    if not recognised and not problems:
        _say_unknown(path)
        raise typer.Exit(1)
    if as_json:
        _print_json(path, rows, unrecognised)
    else:
        _conclude(recognised, problems, unrecognised)
    if problems and not skip_bad:
        raise typer.Exit(1)


def _row(summary: Summary) -> dict[str, Any]:
    return {
        "path": str(summary.path),
        "format": summary.format,
        "counts": summary.counts,
        "problems": [
            {
                "message": problem.message,
                "file": problem.file,
                "record": problem.record,
                "field": problem.field,
                "expected": problem.expected,
            }
            for problem in summary.problems
        ],
    }


def _print_json(path: Path, rows: list[dict[str, Any]], unrecognised: list[Path]) -> None:
    document = {"path": str(path), "files": rows, "unrecognised": list(map(str, unrecognised))}
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2))


def _show(summary: Summary) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False)
    table.add_column("what")
    table.add_column("count", justify="right")
    for name, value in _lines(summary.counts):
        table.add_row(Text(name), Text(value))
    table.add_row("problems", str(len(summary.problems)), style="red" if summary.problems else "")
    console = Console(file=sys.stdout)
    console.print(Text(f"{summary.path}: {summary.format or 'damaged'}", "bold"), soft_wrap=True)
    console.print(table)
    for problem in summary.problems:
        console.print(Text(f"  {problem}"), soft_wrap=True)


def _lines(counts: dict[str, Count]) -> Iterator[tuple[str, str]]:
    for name, value in counts.items():
        share = counts.get(f"{name} %")
        if share is not None:
            yield name, f"{_written(value)} ({share} %)"
        elif not (name.endswith(" %") and name.removesuffix(" %") in counts):
            yield name, _written(value)


def _written(value: Count) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _conclude(recognised: int, problems: int, unrecognised: list[Path]) -> None:
    said = f"{recognised} recognised, {problems} problems"
    if unrecognised:
        said += f", {len(unrecognised)} not recognised: {_few(unrecognised)}"
    typer.echo(said)


def _few(paths: list[Path]) -> str:
    shown = 5
    names = ", ".join(path.name for path in paths[:shown])
    return names if len(paths) <= shown else f"{names} …"


def _say_unknown(path: Path) -> None:
    from referee.datasets.check import formats

    typer.echo(f"referee: {path}: no format that a reader knows", err=True)
    typer.echo(f"known are: {', '.join(known.name for known in formats())}", err=True)
