"""What is true of the targets: the attribute vectors of CompGuessWhat?!, as sparse labels by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.datasets.compguesswhat import (
    OBJECT_KEYS,
    Attributes,
    Names,
    read_attributes,
    read_names,
)
from referee.datasets.files import Skipped, refuse
from referee.errors import DataError
from referee.games import GuessWhat, Transcript
from referee.metrics.boxes import LOCATIONS
from referee.metrics.probing import Labels

TASKS = ("abstract", "situated", "abstract_situated", "location")
"""What is predicted of the target (grounding.txt, section 4.2): A, S, AS and L."""


@dataclass(frozen=True, eq=False)
class Gold:
    """The games of a split whose target's attributes are known, and the labels of these by task."""

    games: tuple[Transcript, ...]
    abstract: Labels
    situated: Labels
    without: int = 0
    """Games of pictures that have no file of attributes."""


@dataclass(frozen=True)
class Tasks:
    """The names of the attributes of each task, and which columns they are."""

    names: Names

    @property
    def of(self) -> dict[str, tuple[str, ...]]:
        """The names by task."""
        names = self.names
        return {
            "abstract": names.abstract,
            "situated": names.situated,
            "abstract_situated": (*names.abstract, *names.situated),
            "location": LOCATIONS,
        }

    def labels(self, task: str, gold: Gold) -> Labels:
        """The labels of a split for a task."""
        if task == "abstract":
            return gold.abstract
        if task == "situated":
            return gold.situated
        if task == "abstract_situated":
            return gold.abstract.beside(gold.situated)
        places = [self.names.situated.index(name) for name in LOCATIONS]
        return gold.situated.keep(np.array(places))


def tasks(folder: Path) -> Tasks:
    """The attributes that a folder names; those of the location must be among the situated ones."""
    if not folder.is_dir():
        raise DataError(
            "there is no such folder",
            file=folder,
            expected="attribute vectors by split, with the two lists of names: --attributes",
        )
    names = read_names(folder)
    lacking = [name for name in LOCATIONS if name not in names.situated]
    if lacking:
        raise DataError(
            f"lacks {', '.join(lacking)}",
            file=folder,
            field="situated_attribute_names.json",
            expected=f"the five locations among the situated attributes: {', '.join(LOCATIONS)}",
        )
    return Tasks(names)


def read(
    games: Sequence[Transcript], folder: Path, split: str, names: Names, skipped: Skipped = None
) -> Gold:
    """The attributes of each game's target; a picture without a file is left out and counted.

    A target that the file of its picture does not hold is a DataError.
    """
    inside = folder / split if (folder / split).is_dir() else folder
    wide = len(names.abstract)
    kept: list[Transcript] = []
    rows: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []
    without = 0

    @lru_cache(maxsize=64)
    def vectors(image: str) -> Attributes | None:
        path = inside / f"{image}.npz"
        return read_attributes(path, names) if path.exists() else None

    for transcript in games:
        game = transcript.game
        assert isinstance(game, GuessWhat)  # noqa: S101 - read as such
        found = vectors(game.image)
        if found is None:
            without += 1
            continue
        if game.target not in found.objects:
            path = inside / f"{game.image}.npz"
            refuse(_unknown(game, path), skipped)
            continue
        row = np.flatnonzero(np.concatenate(found.of(game.target)))
        kept.append(transcript)
        rows.append((row[row < wide], row[row >= wide] - wide))
    if not kept:
        raise DataError(
            f"holds attributes of no target of the {split} split ({without} games of other pictures)",
            file=inside,
            expected=f"<image id>.npz for the pictures of the games in {split}/",
        )
    return Gold(
        tuple(kept),
        Labels.of_rows([row[0] for row in rows], wide),
        Labels.of_rows([row[1] for row in rows], len(names.situated)),
        without,
    )


def check_apart(splits: Mapping[str, Gold], games: Path) -> None:
    """Refuses splits that share a dialogue: what is known by heart is not read off a state."""
    known: dict[tuple[str, str], str] = {}
    for split, held in splits.items():
        for transcript in held.games:
            game = transcript.game
            other = known.setdefault((game.id, game.image), split)
            if other != split:
                raise DataError(
                    f"is in {other} and in {split}",
                    file=games,
                    record=f"game {game.id}",
                    expected="splits that share no game: none is tested that was trained on",
                )


def _unknown(game: GuessWhat, path: Path) -> DataError:
    return DataError(
        f"has no attributes of {game.target}, the target of game {game.id}",
        file=path,
        record=game.target,
        field=OBJECT_KEYS[0],
        expected="every target of the games: build the attributes from these games, or leave such "
        "games out with --skip-bad",
    )
