"""`referee annotate zero-shot`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from referee.annotate.zero_shot import How, Made, Sources
    from referee.errors import DataError
    from referee.report.tables import Table

Boxes = Annotated[
    list[Path], typer.Option(help="Open Images' boxes (csv); may be given several times.")
]
Classes = Annotated[Path, typer.Option(help="The names of the classes (label,name).")]
Valid = Annotated[
    Path | None, typer.Option(help="nocaps' list of the pictures of the validation split.")
]
Test = Annotated[Path | None, typer.Option(help="nocaps' list of the pictures of the test split.")]
Hierarchy = Annotated[
    Path | None, typer.Option(help="The hierarchy of the classes, for the parts of the body.")
]
PerImage = Annotated[int, typer.Option(min=1, help="Targets of a picture, where it has so many.")]
Near = Annotated[
    Literal["kept", "annotated"],
    typer.Option(help="Which boxes of COCO's categories make a picture near-domain."),
]
Targets = Annotated[
    Literal["unique", "repeat"],
    typer.Option(help="A thing is a target once at most, or as often as it is drawn."),
]
Unseen = Annotated[
    bool, typer.Option("--unseen-only", help="Only things of no COCO category are targets.")
]
Coco = Annotated[
    Literal["names", "things"],
    typer.Option(
        help="A class is COCO's by its name, or also where COCO names the thing otherwise."
    ),
]
Seed = Annotated[int, typer.Option(help="The same seed draws the same targets.")]
Out = Annotated[Path, typer.Option(help="A new folder for the games, table and figures.")]
Json = Annotated[bool, typer.Option("--json", help="Print zero_shot.json and nothing else.")]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave out bad records, count them and list the first.")
]


def zero_shot(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    boxes: Boxes,
    classes: Classes,
    out: Out,
    valid: Valid = None,
    test: Test = None,
    hierarchy: Hierarchy = None,
    per_image: PerImage = 5,
    near: Near = "kept",
    targets: Targets = "unique",
    unseen_only: Unseen = False,
    coco: Coco = "names",
    seed: Seed = 0,
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Makes zero-shot games from tables of labelled boxes, in CompGuessWhat?!'s released format."""
    from referee.annotate import zero_shot as making
    from referee.evaluations.evaluation import left_out
    from referee.evaluations.store import refuse_existing

    refuse_existing(out)
    sources = making.Sources(tuple(boxes), classes, valid, test, hierarchy)
    how = making.How(per_image, near, targets, unseen_only, coco, seed)
    skipped: list[DataError] | None = [] if skip_bad else None
    made = making.make(sources, how, skipped)
    said = _written(out, made, how, sources)
    if json:
        sys.stdout.write(said)
    else:
        _show(out, made)
    if skipped:
        typer.echo(left_out(skipped), err=True)


def _written(out: Path, made: Made, how: How, sources: Sources) -> str:
    """Writes the folder whole or not at all; what zero_shot.json says of it."""
    from referee.annotate import zero_shot as making
    from referee.evaluations import store
    from referee.report import figures, tables, zero_shot

    said = _summary(made, how, sources)
    coco = frozenset(
        name
        for name, number in zip(made.kinds.names, made.kinds.categories.tolist(), strict=True)
        if number
    )
    texts = {"zero_shot.json": said, **tables.texts([_table(made)])}
    if figures.available():
        texts |= zero_shot.figures({d: made.categories(d) for d in ("nd", "od")}, coco)
    with store.new_folder(out) as folder:
        making.write(folder, made)
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")
    return said


def _summary(made: Made, how: How, sources: Sources) -> str:
    import msgspec

    splits = {
        split: {"images": images, "games": games}
        for split, (images, games) in made.counts().items()
    }
    files = [*sources.boxes, sources.classes, sources.hierarchy, sources.valid, sources.test]
    record = {
        "splits": splits,
        "left_out": dict(made.left_out),
        "options": msgspec.to_builtins(how),
        "files": [path.name for path in files if path is not None],
    }
    return msgspec.json.format(msgspec.json.encode(record), indent=2).decode() + "\n"


def _table(made: Made) -> Table:
    from referee.report import zero_shot

    return zero_shot.table(made.counts(), tuple(made.notes()))


def _show(out: Path, made: Made) -> None:
    from referee.cli._evaluation import wide_console
    from referee.errors import MissingExtra
    from referee.report import figures
    from referee.report.tables import rich_table

    wide_console().print(rich_table(_table(made)))
    if not figures.available():
        typer.echo(f"without Figures 4 and 5: {MissingExtra('matplotlib', 'report')}", err=True)
    typer.echo(f"written to {out}")
