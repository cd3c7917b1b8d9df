"""Games and players small enough to be judged by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.games import (
    ANSWERS,
    Answer,
    Ask,
    Box,
    Guess,
    GuessWhat,
    Scene,
    Sitting,
    Status,
    Thing,
    Transcript,
)
from referee.players.seats import Query

Table = Mapping[str, str]
"""For each question one letter a thing: y, n or - (not applicable)."""

FIGURE_1: dict[str, str] = {
    "is it a cow?": "yyyyyyyn",
    "is it the big cow in the middle?": "nynnnnnn",
    "a cow on the left?": "nnyynnnn",
    "in the front?": "yynnnnnn",
    "first cow near us on the right?": "ynnnnnnn",
}
"""Figure 1 of questions.txt, the target first, the wooden stick last: 6, 5, 3, 0, 0 distractors are left."""

VDST: dict[str, str] = {
    "is it food?": "yyynn",
    "is it in the left?": "yynny",
    "is it in the front?": "ynyyn",
    "is it in the top?": "nnnyy",
    "in the middle?": "nnyny",
}
CL: dict[str, str] = {
    "is it food?": "yyynn",
    "is it a cake?": "yyynn",
    "is it the dark brown?": "yyynn",
    "is it the entire cake?": "yyynn",
    "so the most left of the brown ones?": "ynnnn",
}
"""Figure 2: three cakes, all dark brown, and two things that are no food; the target first."""


class Known:
    """An oracle that answers from a table, by the place of the thing; it counts what it is asked."""

    name = "known"

    def __init__(self, table: Table) -> None:
        self.table = table
        self.asked: list[tuple[str, str, int]] = []

    def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """All of the probability on the table's answer."""
        self.asked += [(query.scene.id, query.question, query.thing) for query in queries]
        codes = ["yn-".index(self.table[query.question][query.thing]) for query in queries]
        return np.eye(3)[codes]


class AsyncKnown(Known):
    """The same, awaited."""

    async def answer(self, queries: Sequence[Query]) -> NDArray[np.float64]:  # type: ignore[override]
        """The same, later."""
        return Known.answer(self, queries)


@pytest.fixture
def figure_1() -> dict[str, str]:
    return dict(FIGURE_1)


@pytest.fixture
def vdst() -> dict[str, str]:
    return dict(VDST)


@pytest.fixture
def cl() -> dict[str, str]:
    return dict(CL)


@pytest.fixture
def known() -> type[Known]:
    return Known


@pytest.fixture
def async_known() -> type[AsyncKnown]:
    return AsyncKnown


@pytest.fixture
def play() -> Callable[..., Transcript]:
    """Makes a GuessWhat?! transcript with as many things as wanted, the first the target.

    Every answer of the dialogue is Yes, unless `said` holds a letter for each as a `Table` does.
    """

    def make(
        questions: Sequence[str],
        things: int = 8,
        *,
        game: str = "1",
        image: str = "10",
        target: str | None = None,
        status: Status = "success",
        seats: tuple[Sitting, ...] = (),
        said: str = "",
    ) -> Transcript:
        box = Box(0, 0, 1, 1)
        found = tuple(Thing(f"{image}{place}", "cow", 21, box) for place in range(things))
        scene = Scene(image, things=found)
        answers = [ANSWERS["yn-".index(letter)] for letter in said or "y" * len(questions)]
        pairs = zip(questions, answers, strict=True)
        events = [event for text, answer in pairs for event in (Ask(text), Answer(answer))]
        wanted = f"{image}0" if target is None else target
        return Transcript(
            GuessWhat(game, scene, wanted), (*events, Guess(wanted)), status=status, seats=seats
        )

    return make
