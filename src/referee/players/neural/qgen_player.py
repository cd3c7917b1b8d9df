"""DeVries in its seats: the QGen asks, a guesser trained by itself guesses. SL and RL differ in weights only.

    guesser           whose beliefs are told: a checkpoint's folder, or a name that comes in the package; by
                      default the guesser that it was trained to go with (`companions`), if any; `none`
                      makes a questioner that does not guess
    guesser_features  the image features of that guesser, if it sees the image; by default the same

The other settings are those of `asking`. `state()` is the QGen's LSTM after the last answer (facts 3.6),
1,024 numbers in the published code. There is no state of the text alone: word and image enter the LSTM
together, which is why CompGuessWhat?! has no such row of DeVries either.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.games import Belief
from referee.players.naming import Settings
from referee.players.neural import asking, companions
from referee.players.neural.asking import NeuralQuestioner, Pictures
from referee.players.neural.checkpoint import Checkpoint
from referee.players.neural.guesser_player import NeuralGuesser
from referee.players.neural.images import features
from referee.players.neural.qgen import QGen, QGenConfig
from referee.players.neural.settings import convert
from referee.players.neural.vocabulary import Vocabulary
from referee.players.seats import View

KIND = "qgen"


class Given(asking.Given, frozen=True, forbid_unknown_fields=True):
    """The settings of DeVries."""

    guesser: str = ""
    guesser_features: str = ""


class Questioner(NeuralQuestioner):
    """Asks with a QGen, and shows its state."""

    def __init__(
        self,
        model: QGen,
        vocabulary: Vocabulary,
        given: Given,
        images: Pictures,
        version: str = "",
    ) -> None:
        super().__init__(model, vocabulary, given, images, version)
        self._qgen = model

    @torch.inference_mode()
    def state(self, views: Sequence[View]) -> NDArray[np.float32]:
        """The LSTM's state after the last answer, one vector a view."""
        parts = [np.empty((0, self._qgen.config.hidden), np.float32)]
        for _, told, _, images in self.batches(views):
            assert images is not None  # noqa: S101 (a questioner without images has none here)
            parts.append(self._qgen.state(told, images).cpu().numpy())
        return np.concatenate(parts)


class DeVries(Questioner):
    """Asks with a QGen and guesses with a guesser."""

    def __init__(
        self,
        model: QGen,
        vocabulary: Vocabulary,
        given: Given,
        images: Pictures,
        guesser: NeuralGuesser,
        version: str = "",
    ) -> None:
        version = f"{version} guesser {guesser.version}".strip()
        super().__init__(model, vocabulary, given, images, version)
        self._guesser = guesser

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """What its guesser thinks of each scene's things."""
        return self._guesser.believe(views)


def build(name: str, found: Checkpoint, settings: Settings) -> Questioner:
    """The player of a checkpoint of kind "qgen"."""
    given = convert(name, settings, Given)
    model = load(found)
    images = features(given.features or None, model.config.image, name, "features")
    if images is None:
        raise UsageError(f"{name}: a QGen without an image is none")
    words, version = found.vocabulary, found.version
    seen = given.guesser_features or given.features
    guesser = companions.seated(found, given.guesser, device=given.device, features=seen)
    if guesser is None:
        return Questioner(model, words, given, images, version)
    return DeVries(model, words, given, images, guesser, version)


def load(found: Checkpoint) -> QGen:
    """The QGen of a checkpoint."""
    config = found.require(KIND).config(QGenConfig)
    return found.fill(QGen(config, len(found.vocabulary)))
