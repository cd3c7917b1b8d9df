"""`referee data fetch`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

    from referee.datasets.fetch import DataSet, Pictures
    from referee.datasets.transfer import Progress

_SHOWN = 20

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="NAME",
        help="A data set, or 'images' for the pictures of a games file; without it the data sets are listed.",
    ),
]
Out = Annotated[
    Path,
    typer.Option(
        help="The folder of the pictures, or of the folder that is named for the data set."
    ),
]
Url = Annotated[
    str | None,
    typer.Option(help="Where the one file of the data set is, instead of its own address."),
]
BaseUrl = Annotated[
    str | None, typer.Option(help="A mirror: the file names are appended to this address.")
]
Games = Annotated[Path | None, typer.Option(help="The games file whose pictures are fetched.")]
Connections = Annotated[int, typer.Option(help="How many pictures are fetched at once.")]


def fetch(
    name: Name = None,
    *,
    out: Out = Path("data"),
    games: Games = None,
    url: Url = None,
    base_url: BaseUrl = None,
    connections: Connections = 4,
) -> None:
    """Downloads a published data set, or the pictures of a games file; resumes and checks."""
    from referee.datasets import fetch as fetching
    from referee.errors import UsageError

    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is no folder")
    if name == "images":
        if games is None:
            raise UsageError("'images' needs --games FILE")
        if url is not None:
            raise UsageError("pictures have an address each: give --base-url, not --url")
        _pictures(games, out, base_url, connections)
        return
    if games is not None:
        raise UsageError("--games goes with 'images'")
    if name is None:
        _list()
        return
    _data_set(fetching.chosen(name, url=url, base_url=base_url), out)


def _list() -> None:
    from rich.console import Console
    from rich.table import Table

    from referee.datasets.fetch import table

    grid = Table("name", "files", "checksums", "what it is", box=None, pad_edge=False)
    for entry in table().values():
        known = sum(bool(each.sha256) for each in entry.files)
        grid.add_row(entry.name, str(len(entry.files)), f"{known} known", entry.about)
    grid.add_row("images", "", "", "the pictures that a games file needs (--games FILE)")
    Console().print(grid)


def _data_set(data: DataSet, out: Path) -> None:
    from referee.datasets.fetch import SUMS, fetch

    with _bars() as bars:

        def told(name: str) -> Progress:
            return _updating(bars, name)

        for came in fetch(data, out / data.name, told):
            verb = "fetched" if came.fresh else "there already"
            checked = "as published" if came.known else f"no published checksum; see {SUMS}"
            bars.console.print(f"{came.path} {verb}", markup=False, highlight=False, soft_wrap=True)
            bars.console.print(
                f"  sha256 {came.sha256} ({checked})", highlight=False, soft_wrap=True
            )


def _pictures(games: Path, out: Path, base_url: str | None, connections: int) -> None:
    from referee.datasets.fetch import FAILURES, fetch_pictures
    from referee.datasets.guesswhat import games as read
    from referee.errors import TransferError

    scenes = (game.scene for game in read(games))
    with _bars() as bars:
        told = _updating(bars, "pictures")
        result = fetch_pictures(scenes, out, base_url, connections, told)
        _say(bars, result)
    listing = out / FAILURES
    listing.unlink(missing_ok=True)
    if result.failed:
        listing.parent.mkdir(parents=True, exist_ok=True)
        rows = (f"{name}\t{reason}\n" for name, reason in result.failed.items())
        listing.write_text("".join(rows), encoding="utf-8")
        raise TransferError(f"{len(result.failed)} pictures did not come: see {listing}")


def _say(bars: Bars, result: Pictures) -> None:
    bars.console.print(f"{result.fetched} fetched, {result.present} there already")
    for name, reason in list(result.failed.items())[:_SHOWN]:
        bars.console.print(f"  {name}: {reason}", markup=False, highlight=False, soft_wrap=True)


@contextmanager
def _bars() -> Iterator[Bars]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console()
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[amount]}"))
    # A log or a pipe gets what was fetched, and no trace of a bar.
    bare = not console.is_terminal
    with Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True, disable=bare
    ) as bars:
        yield bars


def _updating(bars: Bars, name: str) -> Progress:
    task = bars.add_task(name, total=None, amount="")

    def update(done: int, total: int | None) -> None:
        amount = f"{done:,}" if total is None else f"{done:,} / {total:,}"
        bars.update(task, completed=done, total=total, amount=amount)

    return update
