"""The guesser in its seat: dialogues of any length in batches, a belief over each scene's things.

`state()` is the dialogue's vector: the LSTM's last state for `lstm`, GDSE's state of dialogue and image
for `vlstm` and `gdse`, and for `tracking` the mean candidate as the guessing state weighs them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
import torch
from jaxtyping import Bool, Float
from msgspec import Meta, Struct
from numpy.typing import NDArray
from torch import Tensor

from referee.errors import SeatError
from referee.games import Belief, Scene
from referee.players.naming import Settings
from referee.players.neural.asking import Pictures
from referee.players.neural.batches import Heard, Looks, Objects, heard, objects
from referee.players.neural.checkpoint import Checkpoint
from referee.players.neural.guesser import Guesser, GuesserConfig, Images, RecurrentGuesser, make
from referee.players.neural.images import features
from referee.players.neural.settings import convert, device
from referee.players.neural.vocabulary import Vocabulary
from referee.players.seats import View

_GAMES = 512


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a neural guesser."""

    device: str = "cpu"
    features: str = ""
    """The features of whole images, where the model reads them."""
    batch: Annotated[int, Meta(ge=1)] = _GAMES
    """The games read at once."""
    mask: Literal["", "paper", "code"] = ""
    """How padding is left out of the softmax; by default as in training."""


@dataclass(frozen=True)
class Batch:
    """Some views as a model takes them."""

    dialogues: list[Heard]
    objects: Objects
    images: Images | None


class NeuralGuesser:
    """Guesses with a trained guesser."""

    def __init__(
        self,
        model: Guesser,
        vocabulary: Vocabulary,
        given: Given,
        images: Pictures | None = None,
        version: str = "",
    ) -> None:
        self._device = device(given.device)
        if given.mask:
            model.config = replace(model.config, mask=given.mask)
        self._model: Guesser = model.eval().to(self._device)
        self._vocabulary = vocabulary
        self._size = given.batch
        self._images = images
        self._looks = Looks(model.config.categories)
        self.version = version

    @torch.inference_mode()
    def believe(self, views: Sequence[View]) -> list[Belief]:
        """The softmax over each scene's things; what the flawed mask gives padding is shared out."""
        return [
            belief
            for some, batch in self._batches(views)
            for belief in beliefs(self._log_probabilities(batch), batch.objects.mask, some)
        ]

    @torch.inference_mode()
    def leaked(self, views: Sequence[View]) -> NDArray[np.float64]:
        """The share of each game's probability that `mask=code` gives to slots that hold nothing."""
        parts = [
            1 - self._log_probabilities(batch).double().exp().sum(1).cpu().numpy()
            for _, batch in self._batches(views)
        ]
        return np.concatenate(parts) if parts else np.empty(0)

    @torch.inference_mode()
    def state(self, views: Sequence[View]) -> NDArray[np.float32]:
        """What is known after each dialogue, one vector a view."""
        parts = [
            self._model.state(batch.dialogues, batch.objects, batch.images).cpu().numpy()
            for _, batch in self._batches(views)
        ]
        return np.concatenate(parts) if parts else np.empty((0, 0), np.float32)

    def _log_probabilities(self, batch: Batch) -> Float[Tensor, "game object"]:
        found: Tensor = self._model(batch.dialogues, batch.objects, batch.images)
        return found

    def _batches(self, views: Sequence[View]) -> Iterator[tuple[Sequence[View], Batch]]:
        for start in range(0, len(views), self._size):
            some = views[start : start + self._size]
            told = [heard(view.turns, self._vocabulary, view.game) for view in some]
            shown = [self._looks.of(scene(view), view.game) for view in some]
            images = None
            if self._images is not None:
                ids = [scene(view).id for view in some]
                images = self._images.of(ids, [view.game for view in some]).to(self._device)
            yield some, Batch(told, objects(shown, self._device), images)


def scene(view: View) -> Scene:
    """The scene of a view; a view of GuessWhich has none."""
    if view.scene is None:
        raise SeatError(f"game {view.game}: it guesses things in a scene, and there is none")
    return view.scene


def beliefs(
    found: Float[Tensor, "game object"], mask: Bool[Tensor, "game object"], views: Sequence[View]
) -> list[Belief]:
    """Log probabilities as beliefs over the real candidates; they are made to sum to one.

    With the flawed mask of GDSE's code they do not: the order of the candidates and the odds between
    them are the code's, and what padding had is shared out in proportion.
    """
    rows = found.double().masked_fill(~mask, -torch.inf).softmax(dim=1).cpu().numpy()
    counts = mask.sum(1).tolist()
    wrong = ~np.isfinite(rows).all(axis=1)
    if wrong.any():
        view = views[int(wrong.argmax())]
        raise SeatError(
            f"game {view.game}, after turn {len(view.turns)}: the network's scores of the "
            "candidates are no numbers"
        )
    return [
        Belief(tuple(row[:count].tolist()), "softmax")
        for row, count in zip(rows, counts, strict=True)
    ]


def build(name: str, found: Checkpoint, settings: Settings) -> NeuralGuesser:
    """The player of a checkpoint of kind "guesser"."""
    given = convert(name, settings, Given)
    model = load(found)
    if given.mask and model.config.encoder == "tracking":
        raise SeatError(f"{name}: the tracking guesser has no setting mask")
    images = features(given.features or None, model.config.image, name, "features")
    return NeuralGuesser(model, found.vocabulary, given, images, found.version)


def load(found: Checkpoint) -> RecurrentGuesser:
    """The guesser of a checkpoint."""
    config = found.require("guesser").config(GuesserConfig)
    return found.fill(make(config, len(found.vocabulary)))
