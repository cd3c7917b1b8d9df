"""Table 5 of answers.txt: CCA and its baselines by version of VisDial and by features, in one go.

Each row trains on the training dialogues and ranks the options of the validation dialogues. A row has
the paper's name where vectors and features are named as the paper names them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct, structs

from referee.annotate.cca import Directions, Recipe, Sentences, train
from referee.annotate.cca.pairs import vocabulary_texts
from referee.annotate.cca.training import embedding_of
from referee.annotate.cca.words import Images, word_vectors
from referee.datasets import visdial
from referee.evaluations.evaluation import versions
from referee.evaluations.measures import Intervals
from referee.evaluations.ranked import ranked, values
from referee.evaluations.result import Option, Value
from referee.games import VisDial
from referee.players.cca.memory import Memory, memory
from referee.players.cca.playing import Ranker
from referee.players.cca.rankers import Correlating, NearestAnswers, Plain
from referee.players.recorded import digest


class Settings(Struct, frozen=True):
    """What all rows share: sentence embedding, CCA's directions, how many neighbours count, intervals."""

    recipe: Recipe = Recipe()
    directions: Directions = Directions()
    neighbours: int = 100
    alike: int = 20
    intervals: Intervals = Intervals()


@dataclass(frozen=True)
class Split:
    """The files of one version of VisDial."""

    version: str
    train: Path
    val: Path
    dense: Path | None = None


class Line(Struct, frozen=True):
    """One row of the table: a model with its features, on one version; NDCG where relevance is known."""

    name: str
    version: str
    values: dict[str, Value]


class Baselines(Struct, frozen=True):
    """The table, and what it was made with."""

    lines: tuple[Line, ...]
    options: dict[str, Option]


@dataclass
class _Known:
    """What the rows of one version share."""

    split: Split
    memory: Memory
    games: list[VisDial] = field(default_factory=list)


def lines(
    splits: Sequence[Split],
    vectors: Mapping[str, str],
    features: Mapping[str, str],
    settings: Settings,
) -> Iterator[Line]:
    """The rows in the order of the paper's table: neighbours, no CCA, CCA, and CCA with images.

    `vectors` and `features` are files by the names that the rows give them; a row with images is made
    for each of the features with each of the vectors.
    """
    images = {name: Images(file) for name, file in features.items()}
    for split in splits:
        known = _Known(split, memory([split.train], []))
        known.games = list(visdial.games(split.val, split.dense))
        embeddings = {
            name: embedding_of(
                vocabulary_texts(visdial.games(split.train)), word_vectors(file), settings.recipe
            )
            for name, file in vectors.items()
        }
        for name, ranker in _rankers(known.memory, embeddings, images, settings):
            judged = values(ranked(ranker, known.games), settings.intervals)
            yield Line(f"{name}, {split.version}", split.version, judged)


def _rankers(
    known: Memory,
    embeddings: Mapping[str, Sentences],
    images: Mapping[str, Images],
    settings: Settings,
) -> Iterator[tuple[str, Ranker]]:
    pairs, near, alike = known.rounds, settings.neighbours, settings.alike
    for name, sentences in embeddings.items():
        yield f"NN-AQ ({name})", NearestAnswers.of(sentences, known, near)
    for picture, shown in images.items():
        for name, sentences in embeddings.items():
            both = (shown, shown)
            found = NearestAnswers.of(sentences, known, near, both, alike)
            yield f"NN-AQI ({picture}/{name})", found
    for name, sentences in embeddings.items():
        yield f"NCCA-AQ ({name})", Correlating(Plain.over(sentences, known))
    for name, sentences in embeddings.items():
        yield f"CCA-AQ ({name})", Correlating(train(pairs, sentences, settings.directions))
    for picture, shown in images.items():
        for name, sentences in embeddings.items():
            model = train(pairs, sentences, settings.directions, images=shown)
            yield f"CCA-AQI(Q) ({picture}/{name})", Correlating(model)


def options(
    splits: Sequence[Split],
    vectors: Mapping[str, str],
    features: Mapping[str, str],
    settings: Settings,
) -> dict[str, Option]:
    """What the table was made with: settings, hashes of the dialogues, and versions."""
    found: dict[str, Option] = {
        "k": settings.directions.k,
        "p": settings.directions.power,
        "length": settings.recipe.length,
        "least_count": settings.recipe.least_count,
        "end": settings.recipe.end,
        "neighbours": settings.neighbours,
        "alike": settings.alike,
        "vectors": ", ".join(f"{name}={Path(file).name}" for name, file in vectors.items()),
        "features": ", ".join(f"{name}={Path(file).name}" for name, file in features.items()),
    }
    for split in splits:
        files = {"train": split.train, "val": split.val, "dense": split.dense}
        told = {role: digest(file) for role, file in files.items() if file is not None}
        found |= {f"{role} {split.version}": value for role, value in told.items()}
    return found | structs.asdict(settings.intervals) | versions()
