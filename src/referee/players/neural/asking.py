"""The questioner's seat for every model that asks word by word: DeVries, GDSE, VDST.

A model is a `QuestionModel`: it hears dialogues of any length, and then gives scores of the next word,
as often as it is asked. How words are chosen, where a question ends, and when the dialogue does, is the
same for all and stands here.

    decode      greedy, sample or beam:20
    max_words   words after which a question is cut, with or without its "?" (12 in the looper)
    stop        dialogue: <stop_dialogue> ends the game, and what was begun before it is dropped
                (Strub et al.); never: it may not be said, as in files of just 5, 8 or 10 questions
    features    the image features that the model was trained on
    batch       games that are asked about at once

The other marks (<unk>, <yes> …) are no words of a question, and are never said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, Protocol, TypeAlias, runtime_checkable

import torch
from jaxtyping import Int
from msgspec import Meta, Struct
from torch import Tensor, nn

from referee.datasets.gdse_vocabulary import MARKS
from referee.errors import SeatError
from referee.games import Scene
from referee.players.decoding import decode
from referee.players.neural.batches import Categories, Heard, Looks, Objects, heard, objects
from referee.players.neural.decoding import Limits, Memory, NoNumbers, generate
from referee.players.neural.settings import device
from referee.players.neural.vocabulary import STOP_DIALOGUE, Vocabulary
from referee.players.seats import View

Stopping: TypeAlias = Literal["dialogue", "never"]

_REMEMBERED = 4096


@runtime_checkable
class QuestionModel(Protocol):
    """A network that asks; it is also a `torch.nn.Module`."""

    stops: bool
    """Whether it has learned to say <stop_dialogue>."""

    @property
    def categories(self) -> Categories:
        """The rows of its category table."""

    def open(
        self, dialogues: Sequence[Heard], objects: Objects, images: Tensor | None
    ) -> tuple[Int[Tensor, " row"], Memory]:
        """Hears some dialogues: the words after which the questions begin, and the memory there."""

    def step(self, words: Int[Tensor, " row"], memory: Memory) -> tuple[Tensor, Memory]:
        """The scores [row, word] of the words after these, and the memory."""


@runtime_checkable
class Pictures(Protocol):
    """Where features come from: `ImageFeatures`, or regions."""

    def of(self, ids: Sequence[str], games: Sequence[str]) -> Tensor:
        """A row for each image; the games are named when one is missing."""


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a questioner."""

    decode: str = "greedy"
    max_words: Annotated[int, Meta(ge=1)] = 12
    stop: Stopping = "dialogue"
    features: str = ""
    device: str = "cpu"
    batch: Annotated[int, Meta(ge=1)] = 512


class NeuralQuestioner:
    """Asks with a trained model."""

    def __init__(
        self,
        model: QuestionModel,
        vocabulary: Vocabulary,
        given: Given,
        images: Pictures | None = None,
        version: str = "",
    ) -> None:
        self._device = device(given.device)
        self._model = model
        if isinstance(model, nn.Module):
            model.eval().to(self._device)
        self._vocabulary = vocabulary
        self._batch = given.batch
        self._how = decode(given.decode)
        self._limits = limits(model, vocabulary, given.max_words, given.stop)
        self._images = None if images is None else Remembered(images)
        self._looks = Looks(model.categories)
        self.version = version

    @torch.inference_mode()
    def ask(self, views: Sequence[View]) -> list[str | None]:
        """The next question of each game, or None where the model ends the dialogue."""
        found: list[str | None] = []
        for some, dialogues, candidates, images in self.batches(views):
            try:
                last, memory = self._model.open(dialogues, candidates, images)
                keys = [view.key for view in some]
                rows = generate(self._model.step, last, memory, self._how, self._limits, keys)
            except NoNumbers as error:
                view = some[error.row]
                raise SeatError(
                    f"game {view.game}, turn {len(view.turns) + 1}: "
                    "the network's scores of the next word are no numbers"
                ) from None
            found += [None if stopped(row) else self._vocabulary.decode(row) for row in rows]
        return found

    def batches(
        self, views: Sequence[View]
    ) -> Iterator[tuple[Sequence[View], list[Heard], Objects, Tensor | None]]:
        """Some views at a time, and what the model takes of them."""
        for start in range(0, len(views), self._batch):
            some = views[start : start + self._batch]
            told = [heard(view.turns, self._vocabulary, view.game) for view in some]
            shown = [self._looks.of(scene(view), view.game) for view in some]
            images = None
            if self._images is not None:
                names = [scene(view).id for view in some]
                images = self._images.of(names, [view.game for view in some]).to(self._device)
            yield some, told, objects(shown, self._device), images


def scene(view: View) -> Scene:
    """The scene of a view; a view of GuessWhich has none."""
    if view.scene is None:
        raise SeatError(f"game {view.game}: it asks about one scene, and there is none")
    return view.scene


def limits(
    model: QuestionModel, vocabulary: Vocabulary, longest: int, stop: Stopping = "dialogue"
) -> Limits:
    """A question ends with its "?"; the dialogue ends where the model may and does say so."""
    ends = [number for number in (vocabulary.numbers.get("?"),) if number is not None]
    banned = list(range(len(MARKS)))
    if model.stops and stop == "dialogue":
        banned.remove(STOP_DIALOGUE)
        ends.append(STOP_DIALOGUE)
    return Limits(longest, tuple(ends), tuple(banned))


def stopped(row: Sequence[int]) -> bool:
    """Whether what was said is no question but the end of the dialogue."""
    return row[-1] == STOP_DIALOGUE


class Remembered:
    """Features that were read lately: a game is asked about many times, and its file is slow."""

    def __init__(self, images: Pictures) -> None:
        self._images = images
        self._rows: dict[str, Tensor] = {}

    def of(self, ids: Sequence[str], games: Sequence[str]) -> Tensor:
        """A row for each image."""
        if len(self._rows) > _REMEMBERED:
            self._rows.clear()
        new = {name: game for name, game in zip(ids, games, strict=True) if name not in self._rows}
        if new:
            read = self._images.of(list(new), list(new.values()))
            self._rows.update(zip(new, read, strict=True))
        return torch.stack([self._rows[name] for name in ids])
