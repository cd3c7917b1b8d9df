"""Dialogue states of many games in one HDF5 file: a matrix and the games that its rows are of.

The datasets are `states` [N, d] and `games` [N] (ids, as numbers or texts), either at the root or in a
group a split (`train`, `valid`, `test`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.datasets.arrays import finite
from referee.datasets.features import SIGNATURE
from referee.datasets.files import reading
from referee.datasets.formats import Count, Format
from referee.errors import DataError

STATES, GAMES = "states", "games"
_LAYOUT = f"{STATES} [N, d] and {GAMES} [N], at the root or in a group a split"


def read(path: Path, split: str = "") -> tuple[tuple[str, ...], NDArray[Any]]:
    """The ids of a split's games and their states; a file without groups has all games at its root."""
    with _open(path) as file:
        place = split if split and split in file else ""
        if place == "" and STATES not in file:
            known = ", ".join(sorted(file)) or "nothing"
            raise DataError(
                f"has {known} and no {split or STATES}", file=path, field=split, expected=_LAYOUT
            )
        return _of(file[place] if place else file, path, place)


def write(path: Path, splits: Mapping[str, tuple[Sequence[str], NDArray[Any]]]) -> None:
    """Writes the games and states of each split, in a group of its name; "" is the root."""
    import h5py

    with reading(path), h5py.File(path, "x") as file:
        for split, (games, states) in splits.items():
            group = file.create_group(split) if split else file
            group.create_dataset(STATES, data=np.asarray(states))
            group.create_dataset(GAMES, data=np.array([str(i).encode() for i in games], dtype="S"))


def _of(group: Any, path: Path, place: str) -> tuple[tuple[str, ...], NDArray[Any]]:
    for name in (STATES, GAMES):
        if name not in group:
            raise DataError("the dataset is missing", file=path, field=_at(place, name))
    ids = tuple(_text(i) for i in np.asarray(group[GAMES]).ravel().tolist())
    states = finite(np.asarray(group[STATES]), path, _at(place, STATES))
    if states.ndim != 2 or len(states) != len(ids) or not states.shape[1]:  # noqa: PLR2004 a matrix
        raise DataError(
            f"has the shape {states.shape}",
            file=path,
            field=_at(place, STATES),
            expected=f"one row of numbers for each of the {len(ids)} games",
        )
    if len(set(ids)) < len(ids):
        raise DataError(
            "a game comes twice", file=path, field=_at(place, GAMES), expected="distinct ids"
        )
    return ids, states


@contextmanager
def _open(path: Path) -> Iterator[Any]:
    import h5py

    with reading(path), path.open("rb") as stream:
        if stream.read(len(SIGNATURE)) != SIGNATURE:
            raise DataError("is no HDF5 file", file=path, expected=f"HDF5 with {_LAYOUT}")
    try:
        with h5py.File(path, "r") as file:
            yield file
    except DataError:
        raise
    except Exception as error:  # noqa: BLE001 damage makes HDF5 raise all kinds
        raise DataError(f"cannot be read: {error}", file=path, expected=_LAYOUT) from None


def _at(place: str, name: str) -> str:
    return f"{place}/{name}" if place else name


def _text(identity: object) -> str:
    return identity.decode() if isinstance(identity, bytes) else str(identity)


def _groups(path: Path) -> tuple[str, ...]:
    import h5py

    with _open(path) as file:
        if STATES in file:
            return ("",)
        return tuple(
            name for name in file if isinstance(file[name], h5py.Group) and STATES in file[name]
        )


def _recognises(path: Path, head: bytes) -> bool:
    if not head.startswith(SIGNATURE):
        return False
    try:
        return bool(_groups(path))
    except (DataError, OSError, RuntimeError, KeyError):
        return False


def _summarise(path: Path, _: list[DataError]) -> dict[str, Count]:
    counts: dict[str, Count] = {}
    for place in _groups(path):
        ids, states = read(path, place)
        counts[f"games of {place}" if place else "games"] = len(ids)
        counts["width"] = states.shape[1]
    return counts


FORMATS = (
    Format(
        "dialogue-states-h5",
        "dialogue states of many games in one file",
        _recognises,
        _summarise,
    ),
)
