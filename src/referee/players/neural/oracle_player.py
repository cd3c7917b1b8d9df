"""The oracle in its seat: each distinct question is read once, each thing looked at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Annotated

import numpy as np
import torch
from jaxtyping import Float
from msgspec import Meta, Struct
from numpy.typing import NDArray
from torch import Tensor

from referee.errors import DataError
from referee.players.naming import Settings
from referee.players.neural.batches import Looks
from referee.players.neural.checkpoint import DESCRIPTION, Checkpoint
from referee.players.neural.images import ImageFeatures, features
from referee.players.neural.oracle import Oracle, OracleConfig, Things
from referee.players.neural.settings import convert, device
from referee.players.neural.vocabulary import Vocabulary
from referee.players.seats import Query

_PAIRS = 4096
_LOOKED_AT = 16_384
"""Queries whose things are looked at together: what is known of things takes room for these alone."""
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
        self._looks = Looks(model.config.categories)
        self._read = _Read(model.first, self._device)
        self.version = version

    @torch.inference_mode()
    def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """Probabilities [query, 3] of Yes, No and N/A."""
        asked = self._questions([query.question for query in queries])
        found = np.empty((len(queries), 3))
        for start in range(0, len(queries), _LOOKED_AT):
            part = slice(start, start + _LOOKED_AT)
            self._judge(asked[part], queries[part], found[part])
        return found

    def _judge(
        self, asked: NDArray[np.int64], queries: Sequence[Query], found: NDArray[np.float64]
    ) -> None:
        """Fills the probabilities of some queries; `asked` is where their questions are in the table."""
        seen, looked = self._things(queries)
        for start in range(0, len(queries), self._given.batch):
            part = slice(start, start + self._given.batch)
            scores = self._model.judge(self._read.table[asked[part]] + seen[looked[part]])
            found[part] = scores.probabilities().cpu().numpy()

    def _questions(self, questions: Sequence[str]) -> NDArray[np.int64]:
        """Where in the table each question is, once those are read that are not in it yet."""
        read = self._read
        if len(read.rows) > _REMEMBERED:
            read.clear()
        new = list(dict.fromkeys(question for question in questions if question not in read.rows))
        if new:
            longest = self._model.config.longest
            words = [self._vocabulary.question(question, longest) for question in new]
            read.add(new, self._model.read_many(words))
        return np.fromiter(map(read.rows.__getitem__, questions), np.int64, len(questions))

    def _things(
        self, queries: Sequence[Query]
    ) -> tuple[Float[Tensor, "thing first"], NDArray[np.int64]]:
        """What the first layer makes of the things that are asked about, and which of them each query has."""
        # The scenes of a batch are alive, so that their addresses name them.
        scenes: dict[int, Query] = {}
        for query in queries:
            scenes.setdefault(id(query.scene), query)
        many = [self._looks.of(query.scene, query.game) for query in scenes.values()]
        starts = dict(zip(scenes, accumulate(map(len, many), initial=0), strict=False))
        places = [starts[id(query.scene)] + query.thing for query in queries]
        used, first, looked = np.unique(places, return_index=True, return_inverse=True)
        shown = [queries[place] for place in first.tolist()]
        things = Things(
            torch.from_numpy(np.concatenate([scene.categories for scene in many])[used]),
            torch.from_numpy(np.concatenate([scene.spatial for scene in many])[used]),
            _of(self._images, [query.scene.id for query in shown], shown),
            _of(self._crops, [query.scene.things[query.thing].id for query in shown], shown),
        )
        return self._model.look_many(things.to(self._device)), looked


class _Read:
    """What the first layer makes of questions, a row each; the table has room to grow."""

    def __init__(self, width: int, device: torch.device) -> None:
        self._empty = torch.empty((0, width), device=device)
        self.clear()

    def clear(self) -> None:
        """Forgets all."""
        self.table: Float[Tensor, "question first"] = self._empty
        self.rows: dict[str, int] = {}

    def add(self, questions: Sequence[str], read: Float[Tensor, "question first"]) -> None:
        """Adds questions that are not in it."""
        known = len(self.rows)
        most = known + len(questions)
        if most > len(self.table):
            table = self._empty.new_empty((max(most, 2 * known), self._empty.shape[1]))
            table[:known] = self.table[:known]
            self.table = table
        self.table[known:most] = read
        self.rows.update(zip(questions, range(known, most), strict=True))


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
