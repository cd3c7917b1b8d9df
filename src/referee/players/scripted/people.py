"""Questioners: simulated people, and the questions that people asked elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from referee.datasets.iconworld.people import Person, heard, next_question
from referee.datasets.iconworld.truth import members
from referee.errors import SeatError, UsageError
from referee.games import Belief, Scene
from referee.players.naming import Settings
from referee.players.recorded import digest, questions
from referee.players.scripted.settings import Scripted
from referee.players.seats import View
from referee.randomness import Stream

_TRIES = 20


class People(Person, frozen=True):
    """A simulated person of Iconworld; as the guesser it holds every thing left for as likely."""

    def __post_init__(self) -> None:
        """Every setting is a rate."""
        for name, rate in self.settings.items():
            if not 0 <= float(rate) <= 1:
                raise UsageError(f"scripted:people: {name}={rate} is no rate from 0 to 1")

    @property
    def settings(self) -> Settings:
        """How the person plays."""
        return msgspec.structs.asdict(self)

    def ask(self, views: Sequence[View]) -> list[str | None]:
        """What the person asks next, or None where it is ready to guess."""
        return [next_question(_scene(view), view.turns, view.key, self) for view in views]

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """The same chance for each thing that the answers leave."""
        return [_left(_scene(view), view) for view in views]


class HumanQuestions(Scripted, frozen=True):
    """Asks what people asked about other pictures: in each turn what somebody asked in that turn.

    `file` is a VisDial or GuessWhat?! file, or any other file of dialogues. Questions that know
    nothing of this picture are the floor for a questioner.
    """

    file: str

    def __post_init__(self) -> None:
        """A file that cannot be read is said to be so before the first game."""
        _by_turn(self.file)

    @property
    def version(self) -> str:
        """The content of the file."""
        return digest(Path(self.file))

    def ask(self, views: Sequence[View]) -> list[str | None]:
        """A question that was asked in this turn, or None after the last turn of every dialogue."""
        asked = _by_turn(self.file)
        return [_draw(asked, view) for view in views]


@lru_cache(maxsize=4)
def _by_turn(file: str) -> list[list[str]]:
    turns: list[list[str]] = []
    for dialogue in questions(Path(file)):
        turns.extend([] for _ in range(len(dialogue) - len(turns)))
        for turn, question in zip(turns, dialogue, strict=False):
            turn.append(question)
    if not turns:
        raise UsageError(f"{file} holds no questions")
    return turns


def _draw(by_turn: list[list[str]], view: View) -> str | None:
    number = len(view.turns)
    if number >= len(by_turn):
        return None
    stream, before = Stream(view.key), {turn.question for turn in view.turns}
    question = stream.choice(by_turn[number])
    for _ in range(_TRIES):
        if question not in before:
            break
        question = stream.choice(by_turn[number])
    return question


def _left(scene: Scene, view: View) -> Belief:
    left = members(heard(scene, view.turns).possible)
    share = 1 / len(left)
    places = range(len(scene.things))
    return Belief(tuple([share if place in left else 0.0 for place in places]), "rules")


def _scene(view: View) -> Scene:
    if view.scene is None:
        raise SeatError("plays GuessWhat?! only, where there is one scene")
    return view.scene
