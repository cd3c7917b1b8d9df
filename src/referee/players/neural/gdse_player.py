"""GDSE in its seats: it asks, it believes, and it shows the dialogue state that it does both from.

    state       shared: tanh(W [LSTM; image]), 512 numbers in the paper; text: the LSTM's own 1,024 (the
                row "text" of the attribute tables). Of a dialogue of more than ten turns both are of the
                last ten, as the published states are (facts 3.6); to ask and to guess it hears them all,
                up to 200 words.
    decider     yes: the model's decider ends the dialogue (a checkpoint that has one; -no_decider is how
                GDSE was published, and what is played by default)
    mask        code: the flawed softmax, in which slots that hold nothing keep probability. A belief is a
                distribution over what there is: what leaked is shared out in proportion, which changes
                neither the order of the candidates nor the odds between them. How much it was, `leaked`
                says. (In the code the guess could also fall on such a slot; here it cannot.)

`decode`, `features` and `batch` are as in `asking`; so is `max_words`, which is 30 here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
import numpy as np
import torch
from msgspec import Meta, Struct
from numpy.typing import NDArray

from referee.errors import UsageError
from referee.games import Belief
from referee.players.naming import Settings
from referee.players.neural import asking, guesser_player
from referee.players.neural.asking import NeuralQuestioner, Pictures, Remembered
from referee.players.neural.batches import heard, texts
from referee.players.neural.checkpoint import Checkpoint
from referee.players.neural.gdse import GDSE, GDSEConfig
from referee.players.neural.guesser_player import NeuralGuesser
from referee.players.neural.images import features
from referee.players.neural.settings import convert
from referee.players.neural.vocabulary import Vocabulary
from referee.players.seats import View

KIND = "gdse"

_LAST = 10
"""The turns of a dialogue that its state is of."""
_GUESS = 1
"""The decider's class that ends the dialogue."""


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of GDSE."""

    decode: str = "greedy"
    max_words: Annotated[int, Meta(ge=1)] = 30
    features: str = ""
    device: str = "cpu"
    batch: Annotated[int, Meta(ge=1)] = 512
    state: Literal["shared", "text"] = "shared"
    decider: Literal["yes", "no"] = "no"
    mask: Literal["", "paper", "code"] = ""


class GDSEPlayer:
    """Asks and guesses from one dialogue state."""

    def __init__(
        self,
        model: GDSE,
        vocabulary: Vocabulary,
        given: Given,
        images: Pictures,
        version: str = "",
    ) -> None:
        self.version = version
        self._model, self._vocabulary, self._given = model, vocabulary, given
        seen = Remembered(images)
        asks = asking.Given(given.decode, given.max_words, "never", "", given.device, given.batch)
        guesses = guesser_player.Given(given.device, "", given.batch, given.mask)
        self._questioner = NeuralQuestioner(model, vocabulary, asks, seen)
        self._guesser = NeuralGuesser(model.guesser, vocabulary, guesses, seen)

    def ask(self, views: Sequence[View]) -> list[str | None]:
        """The next question of each game; with the decider, None where it wants to guess."""
        if self._given.decider == "no":
            return self._questioner.ask(views)
        wants = self._decided(views)
        asking = iter(self._questioner.ask([v for v, n in zip(views, wants, strict=True) if not n]))
        return [None if guess else next(asking) for guess in wants]

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """The softmax over each scene's things."""
        return self._guesser.believe(views)

    def leaked(self, views: Sequence[View]) -> NDArray[np.float64]:
        """The share of each game's probability that `mask=code` gives to slots that hold nothing."""
        return self._guesser.leaked(views)

    def state(self, views: Sequence[View]) -> NDArray[np.float32]:
        """The dialogue state, or the text encoder's, after the last ten turns."""
        late = [msgspec.structs.replace(view, turns=view.turns[-_LAST:]) for view in views]
        return self._guesser.state(late) if self._given.state == "shared" else self._texts(late)

    @torch.inference_mode()
    def _decided(self, views: Sequence[View]) -> list[bool]:
        states = torch.from_numpy(self._guesser.state(views))
        if not len(states):
            return []
        decider = self._model.guesser.decider
        found = decider(states.to(next(decider.parameters()).device)).argmax(dim=1)
        wants: list[bool] = (found == _GUESS).tolist()
        return wants

    @torch.inference_mode()
    def _texts(self, views: Sequence[View]) -> NDArray[np.float32]:
        encoder, longest = self._model.encoder.text, self._model.config.guesser.longest
        device = next(encoder.parameters()).device
        parts = [np.empty((0, encoder.lstm.hidden_size), np.float32)]
        for start in range(0, len(views), self._given.batch):
            told = [
                heard(view.turns, self._vocabulary, view.game).words(end=False, longest=longest)
                for view in views[start : start + self._given.batch]
            ]
            parts.append(encoder(texts(told, device)).cpu().numpy())
        return np.concatenate(parts)


def build(name: str, found: Checkpoint, settings: Settings) -> GDSEPlayer:
    """The player of a checkpoint of kind "gdse"."""
    given = convert(name, settings, Given)
    model = load(found)
    if given.decider == "yes" and not model.config.guesser.decider:
        raise UsageError(f"{name}: it was trained without a decider")
    images = features(given.features, model.config.guesser.image, name, "features")
    if images is None:
        raise UsageError(f"{name}: GDSE without an image is none")
    return GDSEPlayer(model, found.vocabulary, given, images, found.version)


def load(found: Checkpoint) -> GDSE:
    """The network of a checkpoint."""
    config = found.require(KIND).config(GDSEConfig)
    return found.fill(GDSE(config, len(found.vocabulary)))
