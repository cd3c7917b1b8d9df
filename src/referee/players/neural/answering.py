"""Who answers in games inside training: a trained oracle, or any player that can sit in its seat.

A trained oracle looks at the things once a game and reads each distinct question of a round once; any
other player is asked as the arena asks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import isawaitable
from itertools import pairwise
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor, nn

from referee.errors import SeatError
from referee.games import GuessWhat, guesswhat
from referee.players import answered, seats
from referee.players.neural.asking import Pictures
from referee.players.neural.batches import Looks, texts
from referee.players.neural.oracle import Oracle, Things
from referee.players.neural.vocabulary import Vocabulary
from referee.randomness import mix

Chances: TypeAlias = NDArray[np.floating]
"""Probabilities [thing, 3] of Yes, No and N/A."""


@dataclass(frozen=True)
class Asked:
    """A question of one of the games that were opened, and the game as it stands before its answer."""

    place: int
    """Which of the games."""
    words: list[int]
    """In the questioner's numbers."""
    text: str
    state: guesswhat.State
    key: int


@runtime_checkable
class Opened(Protocol):
    """An oracle that has looked at some games."""

    def answer(self, asked: Sequence[Asked]) -> list[Chances]:
        """For each question what is likely of each of its game's things that are answered about."""


@runtime_checkable
class Answering(Protocol):
    """Whoever answers."""

    def open(self, games: Sequence[GuessWhat], spans: Sequence[range], words: Vocabulary) -> Opened:
        """Looks at some games; of each those things are answered about whose places are in its span."""


@dataclass(frozen=True)
class Answers:
    """A trained oracle."""

    model: Oracle
    vocabulary: Vocabulary
    images: Pictures | None = None
    crops: Pictures | None = None

    def open(self, games: Sequence[GuessWhat], spans: Sequence[range], words: Vocabulary) -> Opened:
        """Looks at the things once for all questions."""
        return _Network(self, games, spans, Translation(words, self.vocabulary))


@dataclass(frozen=True)
class AnswersOfPlayer:
    """Any player that answers, asked about each thing by itself."""

    player: seats.Oracle
    name: str

    def open(self, games: Sequence[GuessWhat], spans: Sequence[range], words: Vocabulary) -> Opened:
        """There is nothing to look at before the first question."""
        del words
        return _Seat(self, games, spans)


class _Network:
    """What a trained oracle makes of the things of some games."""

    def __init__(
        self,
        answers: Answers,
        games: Sequence[GuessWhat],
        spans: Sequence[range],
        translation: Translation,
    ) -> None:
        self._model, self._translation = answers.model, translation
        self._starts = np.cumsum([0, *map(len, spans)]).tolist()
        looks = Looks(answers.model.config.categories)
        pairs = [(game, place) for game, span in zip(games, spans, strict=True) for place in span]
        names = [game.id for game, _ in pairs]
        shown = [(looks.of(game.scene, game.id), place) for game, place in pairs]
        image, crop = answers.images, answers.crops
        things = Things(
            torch.tensor([look.categories[n] for look, n in shown], dtype=torch.long),
            torch.from_numpy(np.stack([look.spatial[n] for look, n in shown])),
            None if image is None else image.of([game.scene.id for game, _ in pairs], names),
            None if crop is None else crop.of([it.scene.things[n].id for it, n in pairs], names),
        )
        self._looked: Float[Tensor, "thing first"] = self._model.look(
            things.to(device(self._model))
        )

    def answer(self, asked: Sequence[Asked]) -> list[Chances]:
        """Each distinct question is read once."""
        translated = [tuple(self._translation(each.words)) for each in asked]
        distinct = {question: number for number, question in enumerate(dict.fromkeys(translated))}
        rows = [list(question[: self._model.config.longest]) for question in distinct]
        read = self._model.read(texts(rows, self._looked.device))
        spans = [range(self._starts[it.place], self._starts[it.place + 1]) for it in asked]
        which = [distinct[text] for text, span in zip(translated, spans, strict=True) for _ in span]
        things = [thing for span in spans for thing in span]
        chances = self._model.judge(read[which] + self._looked[things]).probabilities()
        found = chances.cpu().numpy()
        ends = np.cumsum([0, *map(len, spans)]).tolist()
        return [found[start:end] for start, end in pairwise(ends)]


class _Seat:
    """A player, and the games that it is asked about."""

    def __init__(
        self, answers: AnswersOfPlayer, games: Sequence[GuessWhat], spans: Sequence[range]
    ) -> None:
        self._answers, self._games, self._spans = answers, games, spans

    def answer(self, asked: Sequence[Asked]) -> list[Chances]:
        """All questions in one batch."""
        queries = [query for each in asked for query in self._queries(each)]
        name = self._answers.name
        said = self._answers.player.answer(queries)
        if isawaitable(said):
            raise SeatError(f"{name} answers asynchronously, which training cannot wait for")
        try:
            found = answered.probabilities(said, len(queries))
        except answered.NoAnswers as error:
            query = queries[error.place]
            where = f"game {query.game}, turn {len(query.turns) + 1}"
            raise SeatError(f"{name} (oracle), {where}: {error.reason}") from error
        ends = np.cumsum([0, *(len(self._spans[each.place]) for each in asked)]).tolist()
        return [found[start:end] for start, end in pairwise(ends)]

    def _queries(self, asked: Asked) -> list[seats.Query]:
        game, told = self._games[asked.place], guesswhat.transcript(asked.state).turns
        return [
            seats.Query(game.id, mix(asked.key, thing), game.scene, thing, asked.text, told)
            for thing in self._spans[asked.place]
        ]


class Translation:
    """From the numbers of one vocabulary to those of another."""

    def __init__(self, source: Vocabulary, target: Vocabulary) -> None:
        self._source, self._target = source, target
        self._same = source.words == target.words
        self._known: dict[tuple[int, ...], list[int]] = {}

    def __call__(self, words: list[int]) -> list[int]:
        """A question in the other numbers."""
        if self._same:
            return words
        found = self._known.get(tuple(words))
        if found is None:
            found = self._known[tuple(words)] = self._target.question(self._source.decode(words))
        return found


def device(network: object) -> torch.device:
    """Where a network is."""
    if isinstance(network, nn.Module):
        return next(network.parameters()).device
    return torch.device("cpu")
