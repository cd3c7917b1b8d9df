"""What an oracle answers about every thing of a scene, each distinct question asked once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee import randomness
from referee.arena.seated import Seated, Sight
from referee.arena.waiting import Waiter
from referee.errors import SeatError
from referee.games import ANSWERS, Scene
from referee.players.resolve import Player
from referee.players.seats import Query

BATCH = 1 << 18
"""How many queries go to the oracle at once; the answers do not depend on it."""

_MADE = 4096
"""Questions whose queries are made at a time."""

Answers: TypeAlias = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Swept:
    """What the oracle said of each noted question about each thing, one after the other.

    `answers` [cells] are the likeliest, as places in `ANSWERS`, `probabilities` [cells, 3]; question n
    has `widths[n]` cells from `starts[n]` on.
    """

    answers: Answers
    probabilities: NDArray[np.float64]
    widths: NDArray[np.int64]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The first cell of each question."""
        result: NDArray[np.int64] = np.cumsum(self.widths) - self.widths
        return result

    def cells(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The places of the cells of these questions, in their order."""
        widths = self.widths[numbers]
        first = np.cumsum(widths) - widths
        shift = np.repeat(self.starts[numbers] - first, widths)
        result: NDArray[np.int64] = np.arange(len(shift)) + shift
        return result

    def answered(self, numbers: NDArray[np.int64]) -> Answers:
        """The answers in the cells of these questions, taken in runs of questions that stand together."""
        breaks = np.flatnonzero(np.diff(numbers) != 1) + 1
        firsts = numbers[np.concatenate([[0], breaks])] if len(numbers) else numbers
        lasts = numbers[np.concatenate([breaks, [len(numbers)]]) - 1] if len(numbers) else numbers
        ends = (self.starts[lasts] + self.widths[lasts]).tolist()
        runs = zip(self.starts[firsts].tolist(), ends, strict=True)
        parts = [self.answers[start:end] for start, end in runs]
        return np.concatenate(parts) if parts else self.answers[:0]


class _Asking(Seated):
    """An oracle's seat from which an error names the game and the turn of the question."""

    places: dict[tuple[int, str], tuple[str, int]]

    def error(self, message: str, sight: Sight) -> SeatError:
        """What went wrong, and at which question."""
        assert isinstance(sight, Query)  # noqa: S101 - oracles are asked queries only
        game, turn = self.places[id(sight.scene), sight.question]
        return SeatError(
            f"{self.player.name} ({self.seat}), game {game}, turn {turn} "
            f"({sight.question!r}): {message}"
        )


@dataclass
class Sweep:
    """Collects (scene, question) pairs, and asks an oracle each of them about every thing of the scene.

    The oracle is asked each question by itself, without the dialogue before it. The same question about
    the same scene is asked once however many games hold it, and an oracle that draws draws by scene,
    question and thing, so that the answers do not depend on what else is asked.
    """

    numbers: dict[tuple[int, str], int] = field(default_factory=dict)
    scenes: dict[tuple[str, ...], int] = field(default_factory=dict)
    asked: list[tuple[Scene, str]] = field(default_factory=list)
    places: dict[tuple[int, str], tuple[str, int]] = field(default_factory=dict)
    """The game and turn of each pair, by the scene's address: scenes of other things may share an id."""
    _latest: tuple[Scene | None, int] = (None, 0)

    def add(self, scene: Scene, question: str, game: str = "", turn: int = 1) -> int:
        """Notes a question about a scene; its number leads to its answers.

        `game` and `turn` say in an error where the question was asked first.
        """
        if self._latest[0] is not scene:
            ids = (scene.id, *[thing.id for thing in scene.things])
            self._latest = scene, self.scenes.setdefault(ids, len(self.scenes))
        number = self.numbers.setdefault((self._latest[1], question), len(self.asked))
        if number == len(self.asked):
            self.asked.append((scene, question))
            self.places[id(scene), question] = game or scene.id, turn
        return number

    def ask(self, oracle: Player, seed: int = 0) -> Swept:
        """Asks each noted question about each thing of its scene."""
        queries = chain.from_iterable(
            self._queries(self.asked[start : start + _MADE], seed)
            for start in range(0, len(self.asked), _MADE)
        )
        rows: list[NDArray[np.float64]] = []
        with Waiter() as waiter:
            seated = _Asking("oracle", oracle, waiter)
            seated.places = self.places
            while batch := list(islice(queries, BATCH)):
                rows.append(seated.probabilities(batch).copy())
        found = np.concatenate(rows) if rows else np.empty((0, len(ANSWERS)))
        widths = [len(scene.things) for scene, _ in self.asked]
        return Swept(found.argmax(axis=1).astype(np.int8), found, np.array(widths, dtype=np.int64))

    def _queries(self, asked: Sequence[tuple[Scene, str]], seed: int) -> Iterator[Query]:
        """Some questions about all their things; the game is named in errors, the scene leads to the key."""
        widths = np.array([len(scene.things) for scene, _ in asked], dtype=np.int64)
        keys = [randomness.key(seed, "oracle", scene.id, question) for scene, question in asked]
        places = np.arange(widths.sum()) - np.repeat(np.cumsum(widths) - widths, widths)
        mixed = randomness.mixes(
            np.repeat(np.array(keys, np.uint64), widths), places.astype(np.uint64)
        )
        drawn = iter(mixed.tolist())
        for scene, question in asked:
            game, _ = self.places[id(scene), question]
            for place in range(len(scene.things)):
                yield Query(game, next(drawn), scene, place, question)
