"""Dialogue states of many games in one HDF5 file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.datasets import dialogue_states
from referee.datasets.check import check, recognise
from referee.errors import DataError

ROWS = np.arange(6, dtype=np.float32).reshape(3, 2)


def test_what_is_written_comes_back_by_split(tmp_path: Path) -> None:
    path = tmp_path / "states.h5"
    dialogue_states.write(path, {"train": (["7", "8", "9"], ROWS), "test": (["1"], ROWS[:1])})
    ids, states = dialogue_states.read(path, "train")
    assert ids == ("7", "8", "9")
    assert (states == ROWS).all()
    assert dialogue_states.read(path, "test")[0] == ("1",)
    known = recognise(path)
    assert known is not None
    assert known.name == "dialogue-states-h5"
    (summary,) = check(path)
    assert summary.counts == {"games of test": 1, "games of train": 3, "width": 2}


def test_a_file_without_groups_holds_every_split(tmp_path: Path) -> None:
    path = tmp_path / "states.h5"
    dialogue_states.write(path, {"": (["7", "8", "9"], ROWS)})
    assert dialogue_states.read(path, "valid")[0] == ("7", "8", "9")


def test_ids_may_be_numbers(tmp_path: Path) -> None:
    import h5py

    with h5py.File(tmp_path / "states.h5", "x") as file:
        file["states"], file["games"] = ROWS, np.array([3, 4, 5])
    assert dialogue_states.read(tmp_path / "states.h5")[0] == ("3", "4", "5")


@pytest.mark.parametrize(
    ("datasets", "said"),
    [
        ({"states": ROWS}, "the dataset is missing"),
        ({"states": ROWS, "games": [1, 2]}, "one row of numbers for each of the 2 games"),
        ({"states": ROWS * np.nan, "games": [1, 2, 3]}, "NaN or infinity"),
        ({"states": ROWS, "games": [1, 1, 2]}, "a game comes twice"),
        ({"features": ROWS}, "has features and no test"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(
    tmp_path: Path, datasets: dict[str, object], said: str
) -> None:
    import h5py

    path = tmp_path / "states.h5"
    with h5py.File(path, "x") as file:
        for name, data in datasets.items():
            file[name] = np.asarray(data)
    with pytest.raises(DataError, match=said):
        dialogue_states.read(path, "test")


def test_a_file_of_another_kind_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "states.h5"
    path.write_text("no")
    with pytest.raises(DataError, match="is no HDF5 file"):
        dialogue_states.read(path)
