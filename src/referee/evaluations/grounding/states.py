"""Dialogue states, from wherever they come: a player, files, or the baselines of the paper.

| name | states |
| --- | --- |
| a folder | `<split>/<game id>.npy` or `<game id>.npy`, [d] or [1, d], as they were published |
| `F.h5` | the datasets `<split>/states` [N, d] and `<split>/games` [N], or both at the root |
| `glove` or `glove:F` | the mean word vector of the dialogue (section 5, GloVe) |
| `images:F` | the features of the picture and nothing of the dialogue (section 5, ResNet) |
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from referee.arena import stating
from referee.arena.guessing import Dialogue
from referee.datasets import compguesswhat, dialogue_states
from referee.errors import DataError
from referee.games import GuessWhat, Transcript
from referee.players.recorded import digest
from referee.players.resolve import Player

Rows = NDArray[np.float32]
RANDOM = "random"
"""No states: scores drawn from U(0, 1), the paper's lower bound."""
_GLOVE, _IMAGES = "glove", "images:"


class States(Protocol):
    """Knows the states of some dialogues."""

    @property
    def name(self) -> str:
        """What the results say of where the states come from."""
        ...

    def of(self, split: str, games: Sequence[Transcript]) -> list[Rows | None]:
        """The state of each game, None where there is none."""
        ...


@dataclass
class Encoded:
    """The states of the games of each split as matrices of one width; games without a state are zeros."""

    source: States
    zeros: bool
    """Whether a game without a state gets zeros, the paper's way; otherwise it is an error."""
    missing: dict[str, int] = field(default_factory=dict)
    width: int = 0
    _data: hashlib._Hash = field(default_factory=hashlib.sha256)

    def of(self, split: str, games: Sequence[Transcript]) -> Rows:
        """The states of a split's games, [games, width]."""
        found = self.source.of(split, games)
        for transcript, row in zip(games, found, strict=True):
            if row is None and not self.zeros:
                raise DataError(
                    "has no state",
                    file=self.source.name,
                    record=f"game {transcript.game.id} ({split})",
                    expected="a state of every won game of train, valid and test; --missing zero puts zeros "
                    "in their place and counts them",
                )
            if row is not None:
                self._measure(row, transcript.game.id, split)
        self.missing[split] = sum(row is None for row in found)
        if self.missing[split] == len(games):
            raise DataError(
                f"holds no state of any of the {len(games)} games of the {split} split",
                file=self.source.name,
                expected="<split>/<game id>.npy, or the datasets games and states of an HDF5 file",
            )
        blank = np.zeros(self.width, np.float32)
        states: Rows = np.stack([blank if row is None else row for row in found])
        self._data.update(states.tobytes())
        return states

    @property
    def data(self) -> str:
        """What tells these states from others of the same name."""
        return f"sha256:{self._data.hexdigest()[:16]}"

    def _measure(self, row: Rows, game: str, split: str) -> None:
        self.width = self.width or len(row)
        if len(row) != self.width:
            raise DataError(
                f"has {len(row)} numbers",
                file=self.source.name,
                record=f"game {game} ({split})",
                expected=f"{self.width}, as the states before it: all must come from one layer of one model",
            )
        if not np.isfinite(row).all():
            raise DataError(
                "holds a number that is too large",
                file=self.source.name,
                record=f"game {game} ({split})",
                expected="numbers of single precision",
            )


@dataclass(frozen=True)
class OfPlayer:
    """What `state()` of a player gives after the last turn."""

    player: Player
    seed: int = 0

    @property
    def name(self) -> str:
        """The player's."""
        return self.player.name

    def of(self, split: str, games: Sequence[Transcript]) -> list[Rows | None]:
        """The player's states."""
        del split
        return list(stating.states(map(_dialogue, games), self.player, self.seed))


@dataclass(frozen=True)
class OfFolder:
    """One file of numpy's a game."""

    folder: Path

    @property
    def name(self) -> str:
        """The folder's."""
        return self.folder.name

    def of(self, split: str, games: Sequence[Transcript]) -> list[Rows | None]:
        """The states that there are files of."""
        inside = self.folder / split
        inside = inside if inside.is_dir() else self.folder
        paths = (inside / f"{transcript.game.id}.npy" for transcript in games)
        return [_row(compguesswhat.read_state(path)) if path.exists() else None for path in paths]


@dataclass(frozen=True)
class OfHdf:
    """Matrices of states in one file, and the games that the rows are of."""

    path: Path

    @property
    def name(self) -> str:
        """The file's."""
        return f"{self.path.name} {digest(self.path)}"

    def of(self, split: str, games: Sequence[Transcript]) -> list[Rows | None]:
        """The rows of these games."""
        ids, rows = dialogue_states.read(self.path, split)
        places = {identity: place for place, identity in enumerate(ids)}
        found = (places.get(transcript.game.id) for transcript in games)
        return [None if place is None else _row(rows[place]) for place in found]


@dataclass(frozen=True)
class OfWords:
    """The mean vector of all words of the dialogue, questions and answers."""

    vectors: str

    @property
    def name(self) -> str:
        """The vectors'."""
        return f"{_GLOVE}:{self.vectors}"

    def of(self, split: str, games: Sequence[Transcript]) -> list[Rows | None]:
        """Word vectors, averaged; a dialogue without a word has none."""
        from referee.annotate.cca.words import word_vectors
        from referee.annotate.embedders.averaged import Averaged

        del split
        texts = [
            " ".join(f"{turn.question} {turn.answer}" for turn in transcript.turns)
            for transcript in games
        ]
        rows = Averaged(word_vectors(self.vectors)).vectors(texts)
        return [row if text else None for row, text in zip(rows, texts, strict=True)]


@dataclass(frozen=True)
class OfImages:
    """The picture's features: what can be known without a word."""

    files: str

    @property
    def name(self) -> str:
        """The file's."""
        return f"{_IMAGES}{','.join(Path(file).name for file in self.files.split(','))}"

    def of(self, split: str, games: Sequence[Transcript]) -> list[Rows | None]:
        """A vector an image."""
        from referee.annotate.cca.words import Images

        del split
        return list(Images(self.files).of([transcript.game.image for transcript in games]))


def named(text: str) -> States:
    """The states that a text names: a folder, an HDF5 file, or a baseline."""
    from referee.annotate.cca.words import PACKAGE

    head, _, rest = text.partition(":")
    if head == _GLOVE:
        return OfWords(rest or PACKAGE)
    if text.startswith(_IMAGES):
        return OfImages(rest)
    path = Path(text)
    if path.is_dir():
        return OfFolder(path)
    if path.is_file():
        return OfHdf(path)
    raise DataError(
        "there is no such folder or file",
        file=text,
        expected=f"a folder of <game id>.npy, an HDF5 file, {_GLOVE}, {_IMAGES}F, or {RANDOM}",
    )


def _dialogue(transcript: Transcript) -> Dialogue:
    game = transcript.game
    assert isinstance(game, GuessWhat)  # noqa: S101 - read as such
    return game, transcript.turns


def _row(state: NDArray[Any]) -> Rows:
    with np.errstate(over="ignore"):  # infinite numbers are refused where their game is known
        return np.asarray(state, dtype=np.float32)
