"""One scene that can be reckoned by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.games import Box, Scene, Thing, Turn
from referee.players.seats import Look, Query, View

See = Callable[..., View]


@pytest.fixture
def scene() -> Scene:
    """A red dog on the left, a blue dog and a red cat on the right, and a bus of no known colour."""
    things = (
        Thing("1", "dog", 18, Box(10, 10, 40, 40), attributes=("red", "large")),
        Thing("2", "dog", 18, Box(200, 10, 40, 40), attributes=("blue", "large")),
        Thing("3", "cat", 17, Box(250, 100, 40, 40), attributes=("red", "small")),
        Thing("4", "bus", 6, Box(100, 180, 40, 40)),
    )
    return Scene("9", 320, 240, things)


@pytest.fixture
def view(scene: Scene) -> See:
    """Makes the view of a dialogue: pairs of question and answer."""

    def see(*said: tuple[str, str], key: int = 5, target: str | None = None) -> View:
        return View("g", key, tuple(Turn(*pair) for pair in said), scene, target=target)

    return see


@pytest.fixture
def query(scene: Scene) -> Callable[..., Query]:
    """Makes a query about a thing of the scene."""

    def ask(question: str, thing: int, key: int = 5) -> Query:
        return Query("g", key, scene, thing, question)

    return ask


@pytest.fixture
def look(scene: Scene) -> Callable[..., Look]:
    """Makes an answerer's look at the scene."""

    def at(question: str, *options: str) -> Look:
        return Look("g", 5, scene, question, options=options)

    return at
