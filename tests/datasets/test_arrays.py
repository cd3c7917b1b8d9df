"""numpy files are read whole or not at all, and nothing in them is run."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.datasets.arrays import finite, header_shape, load_npy, load_npz, save_npy, save_npz
from referee.errors import DataError


class Trap:
    """What a pickle could do: touch a file when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.path,))


def test_a_pickle_is_not_loaded(tmp_path: Path) -> None:
    """An array of objects is refused before any of them comes to life."""
    sprung, path = tmp_path / "sprung", tmp_path / "trap.npy"
    np.save(path, np.array([Trap(sprung)]), allow_pickle=True)
    for mapped in (False, True):
        with pytest.raises(DataError, match="pickled"):
            load_npy(path, mapped=mapped)
    np.savez(tmp_path / "trap.npz", trap=np.array([Trap(sprung)]))
    with pytest.raises(DataError, match="pickled"):
        load_npz(tmp_path / "trap.npz")
    path.write_bytes(pickle.dumps(Trap(sprung)))
    with pytest.raises(DataError, match=r"a start of b'\\x93NUMPY'"):
        load_npy(path)
    assert not sprung.exists()


def test_round_trip(tmp_path: Path) -> None:
    """Arrays come back as they were written."""
    array = np.arange(6, dtype=np.int16).reshape(2, 3)
    save_npy(tmp_path / "a.npy", array)
    assert np.array_equal(load_npy(tmp_path / "a.npy", mapped=True), array)
    save_npz(tmp_path / "a.npz", {"a": array})
    found = load_npz(tmp_path / "a.npz")
    assert found["a"].dtype == np.int16
    with pytest.raises(DataError, match="holds objects"):
        save_npz(tmp_path / "b.npz", {"a": np.array([None])})


@pytest.mark.parametrize("mapped", [False, True])
def test_cut_short(tmp_path: Path, mapped: bool) -> None:
    """A file that ends early is refused, wherever it ends."""
    stream = io.BytesIO()
    np.save(stream, np.ones(20))
    path = tmp_path / "a.npy"
    for length in range(0, len(stream.getvalue()), 8):
        path.write_bytes(stream.getvalue()[:length])
        with pytest.raises(DataError):
            load_npy(path, mapped=mapped)


def test_shape_of_a_head() -> None:
    """The shape stands in the first bytes; anything else has none."""
    stream = io.BytesIO()
    np.save(stream, np.ones((3, 4)))
    assert header_shape(stream.getvalue()[:128]) == (3, 4)
    assert header_shape(stream.getvalue()[:20]) is None
    assert header_shape(b"{}") is None


def test_finite(tmp_path: Path) -> None:
    """NaN, infinity and text are no features."""
    assert finite(np.array([True]), tmp_path).dtype == bool
    for array in (np.array([np.nan]), np.array([np.inf], np.float16), np.array(["a"])):
        with pytest.raises(DataError):
            finite(array, tmp_path)
