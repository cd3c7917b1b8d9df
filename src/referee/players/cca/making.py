"""From the settings of a `cca:` player to the player."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from referee.annotate.cca import Model, Recipe, Sentences
from referee.annotate.cca.model import THREE, places
from referee.annotate.cca.pairs import reference_texts, vocabulary_texts
from referee.annotate.cca.training import embedding_of
from referee.annotate.cca.words import Images, word_vectors
from referee.datasets import densevisdial, visdial
from referee.errors import UsageError
from referee.players.cca.memory import Memory, memory
from referee.players.cca.playing import Ranker, Ranks, RanksAndWrites, Writer
from referee.players.cca.rankers import (
    Correlating,
    InProportion,
    NearestAnswers,
    OnTheFly,
    Plain,
    by_correlation,
)
from referee.players.naming import Settings
from referee.players.recorded import digest


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a `cca:` player; files are separated by commas."""

    model: str = ""
    """A trained model; for `ncca` and the neighbours its sentence embedding is what counts."""
    vectors: str = ""
    """In place of a model, where no CCA is needed: word vectors, with a vocabulary of the training texts."""
    visdial: str = ""
    """Dialogues of the training split."""
    references: str = ""
    """In place of them, or beside them: files of reference sets."""
    on_the_fly: int = 100
    """How many candidates are taken from the training rounds."""
    neighbours: int = 100
    features: str = ""
    """The features of the images that are shown."""
    train_features: str = ""
    """The features of the training images, where they are in other files."""
    alike: int = 20
    """How many of the neighbours are kept for their images."""
    length: int = 16
    least_count: int = 5
    end: bool = True

    @property
    def recipe(self) -> Recipe:
        """The sentence embedding, where word vectors are given."""
        return Recipe(self.length, self.least_count, self.end)


class Maker:
    """Reads what the settings name, once."""

    def __init__(self, name: str, given: Given, settings: Settings) -> None:
        self.name = name
        self.given = given
        self._settings = settings
        self._dialogues = _paths(given.visdial)
        self._references = _paths(given.references)

    def player(self, maker: Callable[[Maker], tuple[Ranker, Writer | None, str]]) -> Ranks:
        """The player, with the hashes of its files as its version."""
        ranker, writer, habit = maker(self)
        files = [*self._dialogues, *self._references]
        files += places(Path(self.given.model)) if self.given.model else ()
        version = " ".join(digest(file) for file in files)
        if writer is None:
            return Ranks(ranker, self._settings, version)
        return RanksAndWrites(ranker, self._settings, version, writer, habit)

    def model(self) -> Model:
        """The trained model."""
        if not self.given.model:
            raise UsageError(
                f"{self.name} needs a model: {self.name}?model=FOLDER (referee train cca)"
            )
        return Model.load(Path(self.given.model))

    def memory(self, what: str) -> Memory:
        """The training rounds."""
        found = self.remembered()
        if found is None:
            raise UsageError(f"{self.name} {what}: visdial=F, or references=F")
        return found

    def remembered(self) -> Memory | None:
        """The training rounds, where any are named."""
        if not self._dialogues and not self._references:
            return None
        return memory(self._dialogues, self._references)

    def sentences(self) -> Sentences:
        """The embedding of a model, or one of word vectors with the training texts' vocabulary."""
        if self.given.model:
            return self.model().sentences
        if not self.given.vectors:
            raise UsageError(f"{self.name} needs word vectors: vectors=F, or model=FOLDER")
        self.memory("counts its vocabulary in the training texts")
        texts = [vocabulary_texts(visdial.games(path)) for path in self._dialogues]
        texts += [reference_texts(densevisdial.read_references(it)) for it in self._references]
        every = (text for source in texts for text in source)
        return embedding_of(every, word_vectors(self.given.vectors), self.given.recipe)

    def images(self) -> tuple[Images, Images]:
        """The features of the training images and of the shown ones."""
        if not self.given.features:
            raise UsageError(f"{self.name} needs image features: features=F")
        shown = Images(self.given.features)
        trained = Images(self.given.train_features) if self.given.train_features else shown
        return trained, shown


def _aq(maker: Maker, views: int = 2) -> tuple[Ranker, Writer | None, str]:
    model = maker.model()
    if len(model.views) != views:
        better = "aqi" if model.views == THREE else "aq"
        raise UsageError(
            f"{maker.name}: {maker.given.model} is a model of {', '.join(model.views)}: use cca:{better}"
        )
    return _with_candidates(maker, Correlating(model))


def _aqi(maker: Maker) -> tuple[Ranker, Writer | None, str]:
    return _aq(maker, len(THREE))


def _ncca(maker: Maker) -> tuple[Ranker, Writer | None, str]:
    if maker.given.model:
        return _with_candidates(maker, Correlating(Plain.of(maker.model())))
    known = maker.memory("takes its means over the training rounds")
    return _with_candidates(maker, Correlating(Plain.over(maker.sentences(), known)))


def _with_candidates(maker: Maker, ranker: Correlating) -> tuple[Ranker, Writer | None, str]:
    known = maker.remembered()
    writer = None if known is None else OnTheFly.of(ranker, known, maker.given.on_the_fly)
    return ranker, writer, "greedy"


def _aq_g(maker: Maker) -> tuple[Ranker, Writer | None, str]:
    model = maker.model()
    known = maker.memory("draws from the answers of training rounds")
    ranker = Correlating(model)
    near = by_correlation(ranker, known)
    return ranker, InProportion(ranker, near, maker.given.neighbours), "sample"


def _nn(maker: Maker, images: tuple[Images, Images] | None) -> tuple[Ranker, Writer | None, str]:
    known = maker.memory("looks for neighbours among training rounds")
    given = maker.given
    found = NearestAnswers.of(maker.sentences(), known, given.neighbours, images, given.alike)
    return found, found, "greedy"


MAKERS: dict[str, Callable[[Maker], tuple[Ranker, Writer | None, str]]] = {
    "aq": _aq,
    "aqi": _aqi,
    "aq-g": _aq_g,
    "ncca": _ncca,
    "nn-aq": lambda maker: _nn(maker, None),
    "nn-aqi": lambda maker: _nn(maker, maker.images()),
}


def _paths(names: str) -> list[Path]:
    return [Path(name) for name in names.split(",") if name]
