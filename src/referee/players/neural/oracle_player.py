"""The oracle in its seat: each distinct question is read once, each thing looked at once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Annotated, TypeVar

import numpy as np
import torch
from jaxtyping import Float
from msgspec import Meta, Struct
from numpy.typing import NDArray
from torch import Tensor

from referee.errors import DataError
from referee.players.naming import Settings
from referee.players.neural.batches import seen
from referee.players.neural.checkpoint import DESCRIPTION, Checkpoint
from referee.players.neural.images import ImageFeatures, features
from referee.players.neural.oracle import Oracle, OracleConfig, Things
from referee.players.neural.settings import convert, device
from referee.players.neural.vocabulary import Vocabulary
from referee.players.seats import Query

T = TypeVar("T", bound=Hashable)

_PAIRS = 4096
_TEXTS = 2048
_REMEMBERED = 32_768


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a neural oracle."""

    device: str = "cpu"
    features: str = ""
    """The features of whole images, where the model reads them."""
    crops: str = ""
    """The features of things cut out, by object id."""
    batch: Annotated[int, Meta(ge=1)] = _PAIRS
    """The pairs of question and thing judged at once."""


class NeuralOracle:
    """Answers with a trained oracle."""

    def __init__(
        self,
        model: Oracle,
        vocabulary: Vocabulary,
        given: Given,
        images: tuple[ImageFeatures | None, ImageFeatures | None] = (None, None),
        version: str = "",
    ) -> None:
        self._device = device(given.device)
        self._model = model.eval().to(self._device)
        self._vocabulary = vocabulary
        self._given = given
        self._images, self._crops = images
        self._known: dict[str, Tensor] = {}
        self.version = version

    @torch.inference_mode()
    def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """Probabilities [query, 3] of Yes, No and N/A."""
        # The scenes of a batch are alive, so that their addresses name them.
        asked, questions = _numbered([query.question for query in queries])
        looked, things = _numbered([(id(query.scene), query.thing) for query in queries])
        shown = dict(zip(reversed(looked.tolist()), reversed(queries), strict=True))
        read = self._questions(questions)
        seen = self._things([shown[number] for number in range(len(things))])
        found = np.empty((len(queries), 3))
        for start in range(0, len(queries), self._given.batch):
            part = slice(start, start + self._given.batch)
            scores = self._model.judge(read[asked[part]] + seen[looked[part]])
            found[part] = scores.probabilities().cpu().numpy()
        return found

    def _questions(self, questions: Sequence[str]) -> Float[Tensor, "question first"]:
        """What the first layer makes of each question."""
        known = self._known
        if len(known) > _REMEMBERED:
            known.clear()
        new = [question for question in questions if question not in known]
        longest = self._model.config.longest
        for start in range(0, len(new), _TEXTS):
            part = new[start : start + _TEXTS]
            words = [self._vocabulary.question(question, longest) for question in part]
            known.update(zip(part, self._model.read_many(words), strict=True))
        return torch.stack([known[question] for question in questions])

    def _things(self, shown: Sequence[Query]) -> Float[Tensor, "thing first"]:
        """What the first layer makes of the thing of each query."""
        categories = self._model.config.categories
        scenes = {id(query.scene): query for query in shown}
        seen_ = {number: seen(it.scene, categories, it.game) for number, it in scenes.items()}
        rows = [(seen_[id(query.scene)], query.thing) for query in shown]
        things = Things(
            torch.tensor([scene.categories[thing] for scene, thing in rows], dtype=torch.long),
            torch.from_numpy(np.stack([scene.spatial[thing] for scene, thing in rows])),
            _of(self._images, [query.scene.id for query in shown], shown),
            _of(self._crops, [query.scene.things[query.thing].id for query in shown], shown),
        )
        return self._model.look(things.to(self._device))


def _numbered(values: list[T]) -> tuple[NDArray[np.int64], list[T]]:
    """The number of each value among the distinct ones, and those."""
    distinct = list(dict.fromkeys(values))
    numbers = dict(zip(distinct, range(len(distinct)), strict=True))
    return np.fromiter(map(numbers.__getitem__, values), np.int64, len(values)), distinct


def _of(images: ImageFeatures | None, ids: list[str], shown: Sequence[Query]) -> Tensor | None:
    return None if images is None else images.of(ids, [query.game for query in shown])


def build(name: str, found: Checkpoint, settings: Settings) -> NeuralOracle:
    """The player of a checkpoint of kind "oracle"."""
    given = convert(name, settings, Given)
    model = load(found)
    config = model.config
    images = features(given.features, config.image, name, "features")
    crops = features(given.crops, config.crop, name, "crops")
    return NeuralOracle(model, found.vocabulary, given, (images, crops), found.version)


def load(found: Checkpoint) -> Oracle:
    """The oracle of a checkpoint."""
    config = found.require("oracle").config(OracleConfig)
    if config.order.value != found.description.answers:
        raise DataError(
            f"has the classes {'/'.join(found.description.answers)}",
            file=found.folder / DESCRIPTION,
            field="answers",
            expected=f"{'/'.join(config.order.value)}, the order of {config.variant}",
        )
    return found.fill(Oracle(config, len(found.vocabulary)))
