"""From games and dialogues to padded tensors, with what is padding said beside them.

Padding is never a category: rows of the category table are `PADDING` (nothing there), one for each
category of COCO, and `unknown`, for things whose category COCO does not have (their files write 0, and
the old code took them for padding). What is padding is told by lengths and masks, never by a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor

from referee.errors import DataError
from referee.games import Scene, Thing, Turn
from referee.players.neural.spatial import SIZE, of_scene
from referee.players.neural.vocabulary import PADDING, SAID, START, STOP_DIALOGUE, Vocabulary

_REMEMBERED = 1 << 14
"""Scenes that are remembered."""


@dataclass(frozen=True)
class Categories:
    """Which row of the category table a thing has; `most` is the highest category id, 90 in COCO."""

    most: int = 90

    @property
    def rows(self) -> int:
        """The rows of the table: padding, 1 to `most`, unknown."""
        return self.most + 2

    @property
    def unknown(self) -> int:
        """The row of things whose category is none of the known."""
        return self.most + 1

    def row(self, thing: Thing, game: str) -> int:
        """The row of a thing; an id beyond the table is an error, 0 an unseen category."""
        number = thing.category_id
        if not 0 <= number <= self.most:
            raise DataError(
                f"the object {thing.id} ({thing.category}) of the game {game} has the category {number}",
                record=game,
                field="category_id",
                expected=f"1 to {self.most}, or 0 for a category that is none of these",
            )
        return number or self.unknown


@dataclass(frozen=True)
class Texts:
    """Padded rows of word numbers; a row has at least one word."""

    tokens: Int[Tensor, "text time"]
    lengths: Int[Tensor, " text"]

    def to(self, device: torch.device) -> Texts:
        """The same on a device; lengths stay where packing wants them, on the CPU."""
        return Texts(self.tokens.to(device), self.lengths)

    @property
    def mask(self) -> Bool[Tensor, "text time"]:
        """Where words are."""
        places = torch.arange(self.tokens.shape[1], device=self.tokens.device)
        return places < self.lengths.to(self.tokens.device)[:, None]


@dataclass(frozen=True)
class Objects:
    """The candidates of some games, padded to the most that one of them has."""

    categories: Int[Tensor, "game object"]
    spatial: Float[Tensor, "game object 8"]
    mask: Bool[Tensor, "game object"]

    def to(self, device: torch.device) -> Objects:
        """The same on a device."""
        return Objects(self.categories.to(device), self.spatial.to(device), self.mask.to(device))


@dataclass(frozen=True)
class Seen:
    """The things of one scene as a model takes them: category rows [n] and places [n, 8]."""

    categories: NDArray[np.int64]
    spatial: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.categories)


def seen(scene: Scene, categories: Categories, game: str) -> Seen:
    """The things of a scene; an error names the game, for which it is looked at."""
    if not scene.things:
        raise DataError(f"the picture {scene.id} has no objects", record=game, field="objects")
    rows = [categories.row(thing, game) for thing in scene.things]
    return Seen(np.array(rows, np.int64), of_scene(scene, game))


class Looks:
    """The things of scenes as a model takes them, each scene looked at once while it is remembered.

    A scene is known by where it is in memory, and held as long as it is known: another of the same name
    may hold other things.
    """

    def __init__(self, categories: Categories) -> None:
        self._categories = categories
        self._known: dict[int, tuple[Scene, Seen]] = {}

    def of(self, scene: Scene, game: str) -> Seen:
        """The things of a scene; an error names the game, for which it is looked at."""
        known = self._known.get(id(scene))
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = self._known[id(scene)] = scene, seen(scene, self._categories, game)
        return known[1]


def texts(rows: Sequence[Sequence[int]], device: torch.device | None = None) -> Texts:
    """Word numbers as padded rows."""
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    table = np.full((len(rows), int(lengths.max(initial=1))), PADDING, np.int64)
    filled = np.arange(table.shape[1]) < lengths[:, None]
    total = int(lengths.sum())
    table[filled] = np.fromiter(chain.from_iterable(rows), np.int64, total)
    return Texts(torch.from_numpy(table).to(device), torch.from_numpy(lengths))


def objects(scenes: Sequence[Seen], device: torch.device | None = None, slots: int = 1) -> Objects:
    """The things of some scenes as padded rows, of at least so many slots."""
    lengths = np.fromiter(map(len, scenes), np.int64, len(scenes))
    mask = np.arange(int(lengths.max(initial=slots))) < lengths[:, None]
    categories = np.full(mask.shape, PADDING, np.int64)
    places = np.zeros((*mask.shape, SIZE), np.float32)
    if scenes:
        categories[mask] = np.concatenate([scene.categories for scene in scenes])
        places[mask] = np.concatenate([scene.spatial for scene in scenes])
    found = Objects(torch.from_numpy(categories), torch.from_numpy(places), torch.from_numpy(mask))
    return found if device is None else found.to(device)


def answer_mark(answer: str, game: str, turn: int) -> int:
    """The mark of an answer; anything but Yes, No or N/A is an error that names game and turn."""
    mark = SAID.get(answer)
    if mark is None:
        raise DataError(
            f"the answer of turn {turn + 1} is {answer!r}",
            record=game,
            field="answer",
            expected=", ".join(SAID),
        )
    return mark


@dataclass(frozen=True)
class Heard:
    """A dialogue in numbers: each question's words, and the mark of its answer."""

    turns: tuple[tuple[list[int], int], ...]

    def words(self, *, end: bool = True, longest: int | None = None) -> list[int]:
        """<start>, each question and the mark of its answer, and at the `end` <stop_dialogue>.

        A dialogue longer than `longest` words loses its first ones, but for <start>.
        """
        words = [START]
        for question, answer in self.turns:
            words += question
            words.append(answer)
        if end:
            words.append(STOP_DIALOGUE)
        if longest is not None and len(words) > longest:
            words = [START, *words[len(words) - longest + 1 :]]
        return words


def heard(turns: Iterable[Turn], vocabulary: Vocabulary, game: str) -> Heard:
    """A dialogue in numbers; an error names the game and the turn."""
    return Heard(
        tuple(
            (vocabulary.question(turn.question), answer_mark(turn.answer, game, number))
            for number, turn in enumerate(turns)
        )
    )


def dialogue(
    turns: Iterable[Turn],
    vocabulary: Vocabulary,
    game: str,
    *,
    end: bool = True,
    longest: int | None = None,
) -> list[int]:
    """A dialogue as one row of word numbers; see `Heard.words`."""
    return heard(turns, vocabulary, game).words(end=end, longest=longest)
