"""Games small enough to be judged by hand, with what was believed in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from referee.games import (
    Answer,
    Ask,
    Belief,
    Believe,
    Box,
    Event,
    Guess,
    GuessWhat,
    Scene,
    Sitting,
    Status,
    Thing,
    Transcript,
)

Told = tuple[str, str, Sequence[float] | None]
Play = Callable[..., Transcript]

# Two dogs on the left, a cat and a car on the right.
THINGS = (
    Thing("1", "dog", 18, Box(0, 0, 20, 20)),
    Thing("2", "dog", 18, Box(10, 70, 20, 20)),
    Thing("3", "cat", 17, Box(70, 0, 20, 20)),
    Thing("4", "car", 3, Box(70, 70, 30, 20)),
)


@pytest.fixture
def play() -> Play:
    """Makes a transcript from (question, answer, belief or None) for each turn; the target is thing 1."""

    def make(
        *turns: Told,
        game: str = "1",
        image: str = "10",
        status: Status = "success",
        source: str = "softmax",
        before: Sequence[float] | None = None,
        seats: tuple[Sitting, ...] = (),
        things: tuple[Thing, ...] = THINGS,
    ) -> Transcript:
        events: list[Event] = []
        if before is not None:
            events.append(Believe(Belief(tuple(before), "softmax")))
        for question, answer, belief in turns:
            events += [Ask(question), Answer(answer)]
            if belief is not None:
                events.append(Believe(Belief(tuple(belief), source)))  # type: ignore[arg-type]
        events.append(Guess("1" if status == "success" else "2"))
        scene = Scene(image, 100, 100, things)
        return Transcript(GuessWhat(game, scene, "1"), tuple(events), status, seats)

    return make
