"""`referee evaluate baselines`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli._evaluation import Giving, IntervalsText, Json, Out, show
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.evaluations.baselines import Baselines, Split
    from referee.report.tables import Table

Train = Annotated[
    list[str], typer.Option(help="VERSION=FILE: the training dialogues of v0.9 or v1.0.")
]
Val = Annotated[
    list[str], typer.Option(help="VERSION=FILE: the dialogues whose options are ranked.")
]
Dense = Annotated[
    list[str] | None, typer.Option(help="VERSION=FILE: their dense annotations, for the NDCG.")
]
Vectors = Annotated[
    list[str], typer.Option(help="NAME=FILE: word vectors; the paper's are GloVe and FastText.")
]
Features = Annotated[
    list[str] | None,
    typer.Option(
        help="NAME=FILE[,FILE]: image features of both splits; the paper's are ResNet34, "
        "VGG-16 and VGG-19."
    ),
]
Length = Annotated[int, typer.Option(min=1, help="Words of a sentence that count, with its end.")]
Least = Annotated[int, typer.Option(min=1, help="How often a word must come to be known.")]
End = Annotated[bool, typer.Option(help="Average the end of the sentence in, as published.")]
K = Annotated[int, typer.Option("--k", min=1, help="CCA's directions, at most.")]
P = Annotated[float, typer.Option("--p", help="The power of the eigenvalues that weigh them.")]
Neighbours = Annotated[int, typer.Option(min=1, help="Training rounds that NN-AQ takes.")]
Alike = Annotated[
    int, typer.Option(min=1, help="Of these, how many NN-AQI keeps for their images.")
]


def baselines(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    train: Train,
    val: Val,
    vectors: Vectors,
    dense: Dense = None,
    features: Features = None,
    length: Length = 16,
    least_count: Least = 5,
    end: End = True,
    k: K = 300,
    p: P = 1.0,
    neighbours: Neighbours = 100,
    alike: Alike = 20,
    intervals: IntervalsText = "",
    out: Out = None,
    json: Json = False,
) -> None:
    """Trains CCA and its baselines and ranks VisDial's options with each, laid out as Table 5."""
    from referee.annotate.cca import Directions, Recipe
    from referee.evaluations import baselines as made
    from referee.evaluations import measures, store
    from referee.evaluations.result import to_json
    from referee.report import tables

    store.refuse_existing(out)
    splits = _splits(train, val, dense or [])
    words, pictures = _named("--vectors", vectors), _named("--features", features or [])
    recipe, how = Recipe(length, least_count, end), measures.intervals(intervals)
    settings = made.Settings(recipe, Directions(k, p), neighbours, alike, how)
    lines = tuple(made.lines(splits, words, pictures, settings))
    result = made.Baselines(lines, made.options(splits, words, pictures, settings))
    table = _table(result)
    if out is not None:
        store.write_texts(out, {"baselines.json": to_json(result), **tables.texts([table])})
    show(result, [table], Giving(out, json))


def _splits(train: Sequence[str], val: Sequence[str], dense: Sequence[str]) -> list[Split]:
    from referee.evaluations.baselines import Split

    named = {
        option: _named(option, given)
        for option, given in (("--train", train), ("--val", val), ("--dense", dense))
    }
    if named["--train"].keys() != named["--val"].keys():
        raise UsageError("each version needs one --train and one --val")
    if lost := named["--dense"].keys() - named["--val"].keys():
        raise UsageError(f"--dense {min(lost)} has no --train and --val")
    return [
        Split(
            version,
            Path(file),
            Path(named["--val"][version]),
            Path(named["--dense"][version]) if version in named["--dense"] else None,
        )
        for version, file in named["--train"].items()
    ]


def _named(option: str, given: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        name, equals, file = text.partition("=")
        if not (name and equals and file):
            raise UsageError(f"{option} {text}: write NAME=FILE")
        if name in found:
            raise UsageError(f"{option} {name} is given twice")
        found[name] = file
    return found


def _table(result: Baselines) -> Table:
    """Each row of ours with the paper's row under it, where the paper has it."""
    from referee.cli import _ranks_table as ranks
    from referee.evaluations.result import signature
    from referee.report.tables import Table

    printed = ranks.theirs(("5",))
    rows: list[tuple[str, ...]] = []
    for line in result.lines:
        cells, spans = ranks.ours(line.values)
        rows += [(line.name, *cells, str(line.values["mr"].n)), ("", *spans, "")]
        if (theirs := printed.get(line.name.lower())) is not None:
            rows.append(("  the paper", *theirs, ""))
    return Table(
        "CCA and its baselines beside answers, Table 5",
        ("", *ranks.heads(), "n"),
        tuple(rows),
        ("each row trains on the training rounds and ranks the options of the validation rounds",),
        signature("baselines", result.options),
    )
