"""`referee data check`: what a file or folder holds, and what is wrong with it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from referee.datasets.formats import Count, Summary

Where = Annotated[Path, typer.Argument(metavar="PATH", help="A file, or a folder of files.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Exit with 0 in spite of problems.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]

GAP = "  "
PICTURES = frozenset({".jpg", ".jpeg", ".png"})


def check(*, path: Where, skip_bad: SkipBad = False, as_json: AsJson = False) -> None:
    """Recognises a file or folder, counts what it holds, and lists every problem."""
    from rich.console import Console

    from referee.datasets.check import check as summaries

    console = Console(file=sys.stdout, highlight=False)
    known: list[Summary] = []
    unknown: list[Path] = []
    for summary in summaries(path):
        if not summary.format and not summary.problems:
            unknown.append(summary.path)
            continue
        known.append(summary)
        if not as_json:
            _show(console, summary)
    if not known:
        _say_unknown(path)
        raise typer.Exit(1)
    if as_json:
        _print_json(path, known, unknown)
    else:
        _conclude(console, path, known, unknown)
    if any(summary.problems for summary in known) and not skip_bad:
        raise typer.Exit(1)


def _print_json(path: Path, known: list[Summary], unknown: list[Path]) -> None:
    document = {
        "path": str(path),
        "files": [_row(summary) for summary in known],
        "unrecognised": list(map(str, unknown)),
    }
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2))


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


def _show(console: Console, summary: Summary) -> None:
    """A line with path and format, a line for each count, and one for each problem."""
    from rich.text import Text

    problems = len(summary.problems)
    counts = {**summary.counts, "problems": problems}
    width = max(len(name.removesuffix(" %")) for name in counts)
    digits = max(len(_written(value)) for value in counts.values() if not isinstance(value, str))
    title = Text.assemble((str(summary.path), "bold"), f"  {summary.format or 'damaged'}")
    console.print(title, soft_wrap=True)
    for name, value, share in _lines(counts):
        aligned = value if isinstance(counts.get(name), str) else value.rjust(digits)
        style = "red" if problems and name == "problems" else ""
        line = f"  {name:<{width}}  {aligned}  {share:>8}".rstrip()
        console.print(Text(line, style), soft_wrap=True)
    for problem in summary.problems:
        console.print(Text(f"  {problem}"), soft_wrap=True)
    console.print()


def _lines(counts: dict[str, Count]) -> Iterator[tuple[str, str, str]]:
    """Each count as (name, value, share); a share without a count has a line of its own."""
    for name, value in counts.items():
        whole = name.removesuffix(" %")
        if whole == name:
            share = counts.get(f"{name} %")
            yield name, _written(value), "" if share is None else f"{share:.2f} %"
        elif whole not in counts:
            yield whole, "", f"{value:.2f} %"


def _written(value: Count) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else value


def _conclude(console: Console, path: Path, known: list[Summary], unknown: list[Path]) -> None:
    if path.is_dir() and [summary.path for summary in known] != [path]:
        _show_table(console, path, known)
    problems = sum(len(summary.problems) for summary in known)
    said = [f"{len(known)} recognised, {problems:,} problem{'' if problems == 1 else 's'}"]
    others = [each for each in unknown if each.suffix.lower() not in PICTURES]
    if len(others) < len(unknown):
        said.append(f"{len(unknown) - len(others):,} pictures")
    if others:
        said.append(f"{len(others):,} not recognised: {_few(others)}")
    console.print("; ".join(said), soft_wrap=True, markup=False)


def _show_table(console: Console, folder: Path, known: list[Summary]) -> None:
    """A row for each file, under the name of its folder; two lines a row where one is too narrow."""
    from rich.table import Table
    from rich.text import Text

    rows = list(_rows(folder, known))
    widths = [max(map(len, column)) for column in zip(("", "", "", "problems"), *rows, strict=True)]
    narrow = sum(widths) + 3 * len(GAP) > console.width
    table = Table(box=None, pad_edge=False, padding=(0, len(GAP), 0, 0), header_style="bold")
    for name in ("file",) if narrow else ("file", "format", "holds"):
        table.add_column(name, no_wrap=not narrow)
    table.add_column("problems", justify="right", no_wrap=True)
    for file, kind, holds, wrong in rows:
        indent = " " * (len(file) - len(file.lstrip()))
        cells = (
            [f"{file}\n{indent}{GAP}{kind}: {holds}"] if narrow and kind else [file, kind, holds]
        )
        style = "" if wrong in ("", "0") else "red"
        table.add_row(*map(Text, cells[:1] if narrow else cells), Text(wrong, style))
    console.print(table)
    console.print()


def _rows(folder: Path, known: list[Summary]) -> Iterator[tuple[str, str, str, str]]:
    inside = folder
    for summary in known:
        if summary.path.parent != inside:
            inside = summary.path.parent
            if inside != folder:
                yield f"{inside.relative_to(folder)}/", "", "", ""
        holds = ", ".join(islice(_amounts(summary.counts), 2))
        name = summary.path.name if inside == folder else f"{GAP}{summary.path.name}"
        yield name, summary.format or "damaged", holds, f"{len(summary.problems):,}"


def _amounts(counts: dict[str, Count]) -> Iterator[str]:
    return (f"{name} {value:,}" for name, value in counts.items() if isinstance(value, int))


def _few(paths: list[Path]) -> str:
    shown = 5
    names = ", ".join(path.name for path in paths[:shown])
    return names if len(paths) <= shown else f"{names} …"


def _say_unknown(path: Path) -> None:
    from referee.datasets.check import formats

    typer.echo(f"referee: {path}: no format that a reader knows", err=True)
    typer.echo(f"known are: {', '.join(known.name for known in formats())}", err=True)
