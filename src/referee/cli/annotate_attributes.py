"""`referee annotate attributes`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from referee.annotate.attributes.report import Report, SplitCounts
    from referee.errors import DataError
    from referee.report.tables import Table

Games = Annotated[
    list[Path], typer.Option(help="GuessWhat?! games; may be given again: a file a split.")
]
VisualGenome = Annotated[
    Path,
    typer.Option(
        help="A folder with image_data.json and scene_graphs.json, or objects.json, attributes.json"
        " and relationships.json."
    ),
]
Visa = Annotated[Path, typer.Option(help="VISA's concepts and their attributes (jsonl).")]
Imsitu = Annotated[
    Path | None,
    typer.Option(help="A folder with imsitu_space.json and train, dev and test: what things do."),
]
Wordnet = Annotated[
    str,
    typer.Option(help="A folder or zip of WordNet, auto to look for one, or none: exact matches."),
]
Out = Annotated[Path, typer.Option(help="A new folder.")]
VariantText = Annotated[
    Literal["paper", "code"], typer.Option(help="What the paper says, or what the code does.")
]
Rule = Annotated[
    Literal["correct", "code"] | None,
    typer.Option(help="Which part of a picture is its center: its central half, or the code's."),
]
Frame = Annotated[
    Literal["own", "genome"] | None,
    typer.Option(help="A thing's location is that in its own picture, or by Visual Genome's."),
]
Kinds = Annotated[
    Literal["abstract", "all"] | None,
    typer.Option(help="Whether VISA's kinds that depend on a picture are left out."),
]
ConceptText = Annotated[
    Literal["synset", "name"] | None,
    typer.Option(help="How a category finds its concept in VISA."),
]
Unmapped = Annotated[
    Literal["abstract", "location"] | None,
    typer.Option(help="What a thing has that is nothing in Visual Genome: or its location too."),
]
Iou = Annotated[float | None, typer.Option(help="Boxes that overlap more are the same; 0.5.")]
Near = Annotated[
    float | None, typer.Option(help="So are those named alike that overlap more than this; 0.05.")
]
Jaccard = Annotated[float | None, typer.Option(help="How alike names must be, above this; 0.")]
Similarity = Annotated[
    float | None, typer.Option(help="Wu and Palmer's, from which on a synset has a concept; 0.75.")
]
LeastAbstract = Annotated[
    int | None, typer.Option(help="How many things must have an abstract attribute; 100.")
]
LeastSituated = Annotated[
    int | None, typer.Option(help="How many things must have a situated attribute; 2.")
]
Over = Annotated[
    Literal["all", "train"] | None, typer.Option(help="Which things are counted for that.")
]
Json = Annotated[bool, typer.Option("--json", help="Print report.json and nothing else.")]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave out bad records, count them and list the first.")
]


def attributes(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    games: Games,
    visual_genome: VisualGenome,
    visa: Visa,
    out: Out,
    imsitu: Imsitu = None,
    wordnet: Wordnet = "auto",
    variant: VariantText = "paper",
    rule: Rule = None,
    frame: Frame = None,
    kinds: Kinds = None,
    concept: ConceptText = None,
    unmapped: Unmapped = None,
    iou: Iou = None,
    near: Near = None,
    jaccard: Jaccard = None,
    similarity: Similarity = None,
    least_abstract: LeastAbstract = None,
    least_situated: LeastSituated = None,
    over: Over = None,
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Gives the things of games their attributes, from Visual Genome, VISA, imSitu and WordNet."""
    from referee.annotate.attributes import building
    from referee.annotate.attributes.how import resolve
    from referee.annotate.attributes.wordnet import open_wordnet
    from referee.evaluations.evaluation import left_out
    from referee.report.tables import texts

    how = resolve(
        variant,
        rule=rule,
        frame=frame,
        kinds=kinds,
        concept=concept,
        unmapped=unmapped,
        iou=iou,
        near=near,
        jaccard=jaccard,
        similarity=similarity,
        least_abstract=least_abstract,
        least_situated=least_situated,
        over=over,
    )
    building.refuse_existing(out)
    skipped: list[DataError] | None = [] if skip_bad else None
    sources = building.Sources(tuple(games), visual_genome, visa, imsitu, open_wordnet(wordnet))
    report = building.build(sources, how, out, skipped)
    shown = _tables(report)
    for name, text in texts(shown).items():
        (out / name).write_text(text, encoding="utf-8")
    if json:
        sys.stdout.write((out / building.REPORT).read_text(encoding="utf-8"))
    else:
        _show(report, shown, out)
    if skipped:
        typer.echo(left_out(skipped), err=True)


def _tables(report: Report) -> tuple[Table, ...]:
    from referee.report.attributes import tables

    return tables({split.split: _row(split) for split in report.splits})


def _show(report: Report, tables: tuple[Table, ...], out: Path) -> None:
    from referee.annotate.attributes.report import lines
    from referee.cli._evaluation import wide_console
    from referee.report.tables import rich_table

    console = wide_console()
    for table in tables:
        console.print(rich_table(table))
    for line in lines(report):
        typer.echo(line)
    typer.echo(f"the attributes are in {out}")


def _row(split: SplitCounts) -> dict[str, str]:
    from referee.annotate.attributes.report import share

    counts = {name: getattr(split, name) for name in ("images", "mapped_images", "dialogues")}
    counts |= {"kept": split.kept, "vocabulary": split.vocabulary} | split.statuses
    texts = {name: str(count) for name, count in counts.items()}
    return texts | {
        "kept_share": share(split.kept, split.dialogues),
        "turns": f"{split.turns:.3f}",
    }
