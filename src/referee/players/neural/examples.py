"""The games that a neural player learns from: successful ones, with images held out where none are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import nn

from referee.datasets import guesswhat
from referee.errors import DataError
from referee.games import GuessWhat, Transcript
from referee.players.neural.vocabulary import Vocabulary
from referee.players.recorded import digest
from referee.randomness import key, uniform

M = TypeVar("M", bound=nn.Module)

HELD_OUT = 0.1
"""The share of the images whose games choose the best epoch, where there is no file for that."""


@dataclass(frozen=True)
class Played:
    """A successful human game: what was said, and which thing it was about."""

    game: GuessWhat
    transcript: Transcript


@dataclass(frozen=True)
class Examples:
    """Games to learn from and games to choose the best epoch by; the sources are told by hash."""

    train: tuple[Played, ...]
    valid: tuple[Played, ...]
    sources: dict[str, Any] = field(default_factory=dict)

    def vocabulary(self, path: Path | None = None) -> Vocabulary:
        """The words of a file, else those of the training questions that come often enough."""
        if path is not None:
            return Vocabulary.read(path)
        return Vocabulary.counted(
            turn.question for played in self.train for turn in played.transcript.turns
        )


def examples(games: Path, valid: Path | None = None) -> Examples:
    """The successful games of one or two files of human dialogues."""
    found = tuple(successful(games))
    if valid is not None:
        held = tuple(successful(valid))
    else:
        held = tuple(played for played in found if held_out(played.game.scene.id))
        found = tuple(played for played in found if not held_out(played.game.scene.id))
    for part, file in ((found, games), (held, valid or games)):
        if not part:
            raise DataError(
                "too few games to learn from", file=file, expected="successful games with questions"
            )
    return Examples(found, held, told(games, valid))


def told(games: Path, valid: Path | None = None) -> dict[str, Any]:
    """What a checkpoint says of the files of games, by hash."""
    sources = {"games": games.name, "games_digest": digest(games)}
    if valid is None:
        return {**sources, "held_out": str(HELD_OUT)}
    return {**sources, "valid": valid.name, "valid_digest": digest(valid)}


def successful(path: Path) -> Iterator[Played]:
    """The games of a file that people won with at least one question."""
    for transcript in guesswhat.read(path):
        won = transcript.status == "success" and transcript.events
        if won and isinstance(transcript.game, GuessWhat):
            yield Played(transcript.game, transcript)


def fresh(seed: int, make: Callable[[], M]) -> M:
    """A module whose first weights follow from the seed."""
    torch.manual_seed(key(seed, "weights") >> 1)
    return make()


def held_out(image: str) -> bool:
    """Whether an image's games choose the best epoch; of an image all do, or none."""
    return uniform(key("held out", image)) < HELD_OUT
