"""What an oracle answers about every thing of a scene, each distinct question asked once."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee import randomness
from referee.arena.seated import Seated
from referee.arena.waiting import Waiter
from referee.games import Scene
from referee.players.resolve import Player
from referee.players.seats import Query

BATCH = 4096
"""How many queries go to the oracle at once; the answers do not depend on it."""

Answers: TypeAlias = NDArray[np.int8]


@dataclass
class Sweep:
    """Collects (scene, question) pairs, and asks an oracle each of them about every thing of the scene.

    The oracle is asked each question by itself, without the dialogue before it. The same question about
    the same scene is asked once however many games hold it, and an oracle that draws draws by scene,
    question and thing, so that the answers do not depend on what else is asked.
    """

    numbers: dict[tuple[str, ...], int] = field(default_factory=dict)
    asked: list[tuple[Scene, str]] = field(default_factory=list)

    def add(self, scene: Scene, question: str) -> int:
        """Notes a question about a scene; its number leads to its answers."""
        key = (question, scene.id, *(thing.id for thing in scene.things))
        number = self.numbers.setdefault(key, len(self.asked))
        if number == len(self.asked):
            self.asked.append((scene, question))
        return number

    def answers(self, oracle: Player, seed: int = 0) -> list[Answers]:
        """For each noted question the most likely answer about each thing, as places in `ANSWERS`."""
        queries = chain.from_iterable(_queries(*pair, seed) for pair in self.asked)
        said: list[int] = []
        with Waiter() as waiter:
            seated = Seated("oracle", oracle, waiter)
            while batch := list(islice(queries, BATCH)):
                said += seated.answers(batch)[0]
        widths = [len(scene.things) for scene, _ in self.asked]
        return np.split(np.array(said, dtype=np.int8), np.cumsum(widths)[:-1]) if widths else []


def _queries(scene: Scene, question: str, seed: int) -> list[Query]:
    key = randomness.key(seed, "oracle", scene.id, question)
    return [
        Query(scene.id, randomness.mix(key, place), scene, place, question)
        for place in range(len(scene.things))
    ]
