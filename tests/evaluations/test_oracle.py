"""An oracle is asked each distinct question about each thing of its scene, once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from referee import randomness
from referee.errors import SeatError
from referee.evaluations import oracle
from referee.evaluations.oracle import Sweep
from referee.games import Box, Scene, Thing
from referee.players.resolve import resolve
from referee.players.seats import Query


class Told:
    """Yes, No or N/A by the category of the thing and the length of the question; keeps what it is asked."""

    def __init__(self) -> None:
        self.batches: list[list[Query]] = []

    def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """Certain of each."""
        self.batches.append(list(queries))
        return np.eye(3)[[expected(query.scene, query.question, query.thing) for query in queries]]


def expected(scene: Scene, question: str, place: int) -> int:
    return (scene.things[place].category_id + len(question)) % 3


def scene(name: str, *categories: int) -> Scene:
    things = [Thing(f"{name}{kind}", "thing", kind, Box(1, 1, 2, 2)) for kind in categories]
    return Scene(name, 10, 10, tuple(things))


NOTED = [
    (scene("a", 1, 2, 3), "red?"),
    (scene("b", 4), "red?"),
    (scene("a", 1, 2, 3), "a dog?"),
    (scene("a", 7, 8), "red?"),
    (scene("a", 1, 2, 3), "red?"),
    (scene("b", 4), ""),
    (scene("a", 7, 8), "red?"),
]


@pytest.mark.parametrize(("batch", "made"), [(1 << 18, 4096), (2, 4096), (1 << 18, 2), (5, 1)])
def test_each_question_has_its_own_answers(
    monkeypatch: pytest.MonkeyPatch, batch: int, made: int
) -> None:
    """Also where scenes of other things share an id, and however many are made and asked at a time."""
    monkeypatch.setattr(oracle, "BATCH", batch)
    monkeypatch.setattr(oracle, "_MADE", made)
    sweep, told = Sweep(), Told()
    numbers = [sweep.add(shown, question) for shown, question in NOTED]
    swept = sweep.ask(resolve(told), seed=3)
    assert numbers == [0, 1, 2, 3, 0, 4, 3]
    said = [
        expected(shown, question, place)
        for shown, question in NOTED
        for place in range(len(shown.things))
    ]
    wanted = np.array(numbers)
    assert swept.answered(wanted).tolist() == said
    assert swept.answers[swept.cells(wanted)].tolist() == said
    assert swept.probabilities[swept.cells(wanted)].argmax(axis=1).tolist() == said
    asked = [query for queries in told.batches for query in queries]
    assert len(asked) == 3 + 1 + 3 + 2 + 1
    assert max(map(len, told.batches)) <= batch
    for query in asked:
        key = randomness.key(3, "oracle", query.scene.id, query.question)
        assert query.key == randomness.mix(key, query.thing)


def test_nothing_noted_is_nothing_asked() -> None:
    told = Told()
    swept = Sweep().ask(resolve(told))
    assert not told.batches
    assert len(swept.answers) == len(swept.answered(np.array([], np.int64))) == 0


def test_an_error_names_the_game_that_asked_about_these_things() -> None:
    """And not the one that asked the same about other things of the same picture."""

    class Lost(Told):
        """Has no number for a thing of category 7."""

        def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
            said = super().answer(queries)
            said[[query.scene.things[query.thing].category_id == 7 for query in queries]] = np.nan
            return said

    sweep = Sweep()
    sweep.add(scene("a", 1, 2), "red?", "first", 1)
    sweep.add(scene("a", 7, 8), "red?", "second", 4)
    with pytest.raises(SeatError, match=r"game second, turn 4 \('red\?'\)"):
        sweep.ask(resolve(Lost()))
