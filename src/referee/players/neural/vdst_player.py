"""VDST in its seats: it asks about regions, and a guesser trained by itself guesses, that of de Vries et al.

    state             lstm: the LSTM after the last answer (512 numbers in the published code); visual: what
                      is looked at then, the regions as the dialogue has weighed them (300); regions: their
                      weights (36)
    features          the regions that it was trained on (`vdst_regions`)
    guesser           whose beliefs are told: a checkpoint's folder, or a name that comes in the package; by
                      default the guesser that it was trained to go with (`companions`), if any; `none`
                      makes a questioner that does not guess
    guesser_features  the image features of that guesser, if it sees the image

The other settings are those of `asking`; it never stops by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
import torch
from msgspec import Meta, Struct
from numpy.typing import NDArray
from torch import Tensor

from referee.games import Belief
from referee.players.naming import Settings
from referee.players.neural import asking, companions
from referee.players.neural.asking import NeuralQuestioner, Pictures
from referee.players.neural.batches import Heard
from referee.players.neural.checkpoint import Checkpoint
from referee.players.neural.guesser_player import NeuralGuesser
from referee.players.neural.settings import convert
from referee.players.neural.vdst import VDST, VDSTConfig
from referee.players.neural.vdst_regions import regions
from referee.players.neural.vocabulary import Vocabulary
from referee.players.seats import View

KIND = "vdst"


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of VDST."""

    decode: str = "greedy"
    max_words: Annotated[int, Meta(ge=1)] = 12
    features: str = ""
    device: str = "cpu"
    batch: Annotated[int, Meta(ge=1)] = 512
    state: Literal["lstm", "visual", "regions"] = "lstm"
    guesser: str = ""
    guesser_features: str = ""


class Questioner(NeuralQuestioner):
    """Asks with VDST, and shows its states."""

    def __init__(
        self,
        model: VDST,
        vocabulary: Vocabulary,
        given: Given,
        images: Pictures,
        version: str = "",
    ) -> None:
        asks = asking.Given(given.decode, given.max_words, "never", "", given.device, given.batch)
        super().__init__(model, vocabulary, asks, images, version)
        self._vdst, self._shown = model, given.state

    @torch.inference_mode()
    def state(self, views: Sequence[View]) -> NDArray[np.float32]:
        """The state that was asked for, after the last answer; one vector a view."""
        parts = []
        for _, told, _, images in self.batches(views):
            assert images is not None  # noqa: S101 (a questioner without regions has none here)
            parts.append(self._states(told, images).cpu().numpy())
        return np.concatenate(parts) if parts else np.empty((0, 0), np.float32)

    def _states(self, told: Sequence[Heard], images: Tensor) -> Tensor:
        found = self._vdst.standing(told, images)
        return {"lstm": found.hidden, "visual": found.visual, "regions": found.chances}[self._shown]


class VDSTPlayer(Questioner):
    """Asks with VDST and guesses with a guesser."""

    def __init__(
        self,
        model: VDST,
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
    """The player of a checkpoint of kind "vdst"."""
    given = convert(name, settings, Given)
    model = load(found)
    config = model.config
    images = regions(given.features, config.regions, config.region, name, "features")
    words, version = found.vocabulary, found.version
    guesser = companions.seated(
        found, given.guesser, device=given.device, features=given.guesser_features
    )
    if guesser is None:
        return Questioner(model, words, given, images, version)
    return VDSTPlayer(model, words, given, images, guesser, version)


def load(found: Checkpoint) -> VDST:
    """The VDST of a checkpoint."""
    config = found.require(KIND).config(VDSTConfig)
    return found.fill(VDST(config, len(found.vocabulary)))
