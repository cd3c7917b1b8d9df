"""`referee features extract`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from referee.players.neural.features.making import Told
    from referee.players.neural.features.pictures import Found

_SHOWN = 5

Images = Annotated[
    Path, typer.Option(help="The folder of the pictures; it may have folders in it.")
]
Model = Annotated[
    str,
    typer.Option(
        help="icons, efficientnet-lite0, hf:<id or folder>, or a folder of 'train icons'."
    ),
]
Out = Annotated[Path, typer.Option(help="The new file: .h5, or .npy for arrays and regions.")]
Boxes = Annotated[
    Path | None,
    typer.Option(
        help="Games or COCO's instances: a row for each object in them; with --grid, regions."
    ),
]
Grid = Annotated[
    str | None,
    typer.Option(help="So many regions of each picture, as 6x6: objects first, then cells."),
]
Games = Annotated[
    list[str] | None,
    typer.Option(
        help="Only the pictures of these games, F or SPLIT=F (may be given again)."
        " By default every picture of the folder, or of --boxes."
    ),
]
Layout = Annotated[
    Literal["devries", "gdse", "array", "targets", "regions", "vdst"] | None,
    typer.Option(
        help="The published layout; by default devries (.h5), array (.npy) or regions (--grid)."
    ),
]
Split = Annotated[
    Literal["train", "valid", "test"],
    typer.Option(help="The split, for the layout gdse, of pictures whose games do not say it."),
]
Fit = Annotated[
    Literal["stretch", "centre"] | None,
    typer.Option(
        help="How a whole picture enters: stretched, or its middle (the default for gdse)."
    ),
]
Batch = Annotated[int, typer.Option(min=1, help="Pictures or crops at once.")]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")]
SkipBroken = Annotated[
    bool,
    typer.Option("--skip-broken", help="Leave out missing and damaged pictures, and list them."),
]


def extract(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    images: Images,
    model: Model,
    out: Out,
    boxes: Boxes = None,
    grid: Grid = None,
    games: Games = None,
    layout: Layout = None,
    split: Split = "train",
    fit: Fit = None,
    batch: Batch = 32,
    device: Device = "auto",
    skip_broken: SkipBroken = False,
) -> None:
    """Writes image features of pictures, objects or regions, in the published layouts."""
    from referee.datasets.features_writing import refuse
    from referee.players.neural.features import layouts, making, open_extractor
    from referee.players.neural.features.crops import Grid as Cells

    chosen = layouts.chosen(layout, out, boxes=boxes is not None, grid=grid is not None)
    refuse(out)
    wanted = making.Wanted(
        images,
        out,
        chosen,
        games=tuple(_game(each, split) for each in games or ()),
        boxes=boxes,
        grid=None if grid is None else Cells.parsed(grid),
        split=split,
        skip_broken=skip_broken,
    )
    extractor = open_extractor(model, device)
    made, found = making.planned(wanted)
    _lacking(found)
    with _shown(len(made.rows)) as told:
        how = fit or ("centre" if chosen == "gdse" else "stretch")
        for state in making.make(made, extractor, how, batch):
            told(state)
    rows, width = len(made.rows), extractor.width
    typer.echo(f"{rows} rows of {width} numbers from {len(found.pictures)} pictures: {out}")
    for beside in made.companions:
        typer.echo(f"beside it: {beside}")


def _game(text: str, split: str) -> tuple[str, Path]:
    """The split and the file of an option's text; a file whose name has an equals sign is a file."""
    name, equals, file = text.partition("=")
    return (name, Path(file)) if equals and not Path(text).exists() else (split, Path(text))


def _lacking(found: Found) -> None:
    if not found.lacking:
        return
    count = len(found.lacking)
    which = "picture is" if count == 1 else "pictures are"
    typer.echo(f"{count} {which} left out:", err=True)
    for name, reason in found.lacking[:_SHOWN]:
        typer.echo(f"  {name}: {reason}", err=True)
    if (more := len(found.lacking) - _SHOWN) > 0:
        typer.echo(f"  and {more} more", err=True)


@contextmanager
def _shown(rows: int) -> Iterator[Callable[[Told], None]]:
    """What to call after each batch: a bar on a terminal; elsewhere only what was kept is said."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bare = not sys.stderr.isatty()
    with Progress(*columns, console=console, transient=True, disable=bare) as bars:
        bar = bars.add_task("", total=rows)
        started: list[int] = []

        def told(state: Told) -> None:
            if not started and state.done:
                console.print(f"going on after {state.done} of {state.rows} rows", markup=False)
            started.append(state.done)
            bars.update(bar, completed=state.done)

        yield told
