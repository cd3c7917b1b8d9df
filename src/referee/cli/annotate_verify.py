"""`referee annotate verify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from referee.cli._annotating import give
from referee.cli._evaluation import Giving, Json, Out, SkipBad
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.datasets.densevisdial import ReferenceSet

Reference = Annotated[Path, typer.Option(help="The sets that are taken as right, such as H.")]
Candidate = Annotated[Path, typer.Option(help="The sets that are compared with them.")]
Cca = Annotated[Path | None, typer.Option(help="A trained CCA: the correlations inside the sets.")]
Dialogues = Annotated[
    Path | None, typer.Option(help="VisDial's dialogues, whose options the sets must be.")
]
With = Annotated[
    Literal["ground-truth", "question"],
    typer.Option("--correlated-with", help="What the members' correlations are with."),
]


def verify(
    *,
    reference: Reference,
    candidate: Candidate,
    cca: Cca = None,
    visdial: Dialogues = None,
    correlated_with: With = "ground-truth",
    out: Out = None,
    json: Json = False,
    skip_bad: SkipBad = False,
) -> None:
    """Compares reference sets with others: overlap, precision, recall, size, correlations."""
    from referee.annotate.reference_sets.checking import of_dialogues
    from referee.datasets import densevisdial
    from referee.datasets import visdial as reader
    from referee.evaluations import reference_sets, store

    if cca is None and correlated_with == "question":
        raise UsageError("--correlated-with question needs --cca, the model that correlates")
    store.refuse_existing(out)
    giving = Giving(out, json, skip_bad)
    skipped = giving.skipped()
    games = None if visdial is None else list(reader.games(visdial, skipped=skipped))

    def read(path: Path) -> Iterator[ReferenceSet]:
        sets = densevisdial.read_references(path, skipped, any_set=True)
        return sets if games is None else of_dialogues(sets, games, skipped, path)

    model = None
    if cca is not None:
        from referee.annotate.cca import Model

        model = Model.load(cca)
    options = reference_sets.Options(
        reference=reference.name,
        candidate=candidate.name,
        cca=None if cca is None else cca.name,
        correlated_with=correlated_with,
    )
    judged = reference_sets.verify(
        read(reference), read(candidate), model, options, skipped=skipped
    )
    give(judged, giving, ("1", "10"))
