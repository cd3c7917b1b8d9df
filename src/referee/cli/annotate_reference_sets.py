"""`referee annotate reference-sets`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.annotate.reference_sets import Counts
    from referee.datasets.densevisdial import ReferenceSet
    from referee.errors import DataError

File = Annotated[Path, typer.Option("--visdial", help="VisDial dialogues, v0.9 or v1.0.")]
Dense = Annotated[Path | None, typer.Option(help="Their dense annotations, from which H is built.")]
Cca = Annotated[Path | None, typer.Option(help="A trained CCA, for the other methods.")]
Method = Annotated[
    Literal["H", "sigma", "meanshift", "agglomerative"],
    typer.Option(help="People's relevances, or a cluster of the correlations."),
]
Clusters = Annotated[int, typer.Option(min=1, help="Clusters a round, for agglomerative.")]
Pairing = Annotated[
    Literal["gt-rest", "gt-all", "q-gt", "q-max"],
    typer.Option(help="What correlates: ground truth or question, with the rest or with all."),
]
Out = Annotated[Path, typer.Option(help="The new file; one that ends in .gz is compressed.")]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave out bad rounds, count them and list the first.")
]


def reference_sets(
    *,
    file: File,
    out: Out,
    method: Method = "sigma",
    dense: Dense = None,
    cca: Cca = None,
    clusters: Clusters = 5,
    pairing: Pairing = "gt-rest",
    skip_bad: SkipBad = False,
) -> None:
    """Builds the sets of answers that are right, for whole splits, in DenseVisDial's format."""
    from referee.annotate.reference_sets import Counts, How, correlated, human
    from referee.datasets import densevisdial, visdial
    from referee.evaluations.evaluation import left_out
    from referee.evaluations.store import refuse_existing

    refuse_existing(out)
    if (method == "H") != (cca is None):
        raise UsageError("H is built from --dense alone, any other method with --cca MODEL")
    if method == "H" and dense is None:
        raise UsageError("H needs --dense, the annotations")
    if method == "H" and pairing != "gt-rest":
        raise UsageError("--pairing says what correlates; H knows no correlations")
    counts = Counts()
    skipped: list[DataError] | None = [] if skip_bad else None
    games = visdial.games(file, dense, skipped)

    def build() -> Iterator[ReferenceSet]:
        if method == "H" or cca is None:
            return human(games, counts, skipped)
        from referee.annotate.cca import Model

        return correlated(games, Model.load(cca), How(method, pairing, clusters), counts, skipped)

    # A set of the question's best options need not hold the ground truth.
    densevisdial.write_references(out, build(), any_set=pairing == "q-max")
    typer.echo(_summary(counts, out))
    if skipped:
        typer.echo(left_out(skipped), err=True)


def _summary(counts: Counts, out: Path) -> str:
    mean = counts.references / max(counts.built, 1)
    said = [f"{counts.built} sets of {mean:.2f} answers are in {out}"]
    if counts.without_relevance:
        said.append(
            f"{counts.without_relevance} rounds, in which nobody found an answer, have none"
        )
    if counts.unknown_options:
        said.append(f"{counts.unknown_options} options project to nothing and correlate 0")
    return "; ".join(said)
