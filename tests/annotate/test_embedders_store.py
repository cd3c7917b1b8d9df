"""The store of vectors: what was put comes back, whatever happened to the file."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.annotate.embedders.store import Store

TEXTS = ["yes", "no", "", "naïve", "a\ud800b"]
RECORD = 16 + 4 * 3 + 4


def vectors(count: int, seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=(count, 3)).astype(np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "model.vectors"


def test_what_was_put_comes_back(path: Path) -> None:
    """In any order, to the last bit, also from another store at the same file; the rest is not found."""
    Store(path, 3).put(TEXTS, vectors(5))
    found, known = Store(path, 3).get([*reversed(TEXTS), "other"])
    assert known.tolist() == [True] * 5 + [False]
    assert np.array_equal(found[:5], vectors(5)[::-1])
    assert not found[5].any()


def test_a_store_that_is_not_there_is_empty(path: Path) -> None:
    found, known = Store(path, 3).get(["yes"])
    assert found.tolist() == [[0, 0, 0]]
    assert not known.any()
    assert not path.exists()


@given(cut=st.integers(1, 5 * RECORD - 1))
def test_a_tail_cut_off_loses_its_own_record_only(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    """And the next writer goes on where the whole records end."""
    path = tmp_path_factory.mktemp("store") / "model.vectors"
    store = Store(path, 3)
    store.put(TEXTS, vectors(5))
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    left = (5 * RECORD - cut) // RECORD
    found, known = store.get(TEXTS)
    assert known.tolist() == [place < left for place in range(5)]
    assert np.array_equal(found[:left], vectors(5)[:left])
    store.put(TEXTS[left:], vectors(5)[left:])
    assert path.read_bytes() == whole


@given(place=st.integers(0, 15 + 5 * RECORD), bit=st.integers(0, 7))
def test_a_damaged_byte_never_gives_a_wrong_vector(
    tmp_path_factory: pytest.TempPathFactory, place: int, bit: int
) -> None:
    """The damaged record, or all where it is the head, is not found; putting it mends the store."""
    path = tmp_path_factory.mktemp("store") / "model.vectors"
    store = Store(path, 3)
    store.put(TEXTS, vectors(5))
    damaged = bytearray(path.read_bytes())
    damaged[place] ^= 1 << bit
    path.write_bytes(damaged)
    found, known = store.get(TEXTS)
    assert known.sum() == (0 if place < 16 else 4)
    assert np.array_equal(found[known], vectors(5)[known])
    store.put(
        [text for text, there in zip(TEXTS, known, strict=True) if not there], vectors(5)[~known]
    )
    again, all_known = store.get(TEXTS)
    assert all_known.all()
    assert np.array_equal(again, vectors(5))


def test_a_file_of_another_length_of_vector_is_replaced(path: Path) -> None:
    Store(path, 3).put(TEXTS, vectors(5))
    other = Store(path, 2)
    assert not other.get(TEXTS)[1].any()
    other.put(["yes"], np.ones((1, 2), np.float32))
    assert other.get(["yes"])[0].tolist() == [[1, 1]]
    assert not Store(path, 3).get(TEXTS)[1].any()


def _write(path: Path, writer: int) -> None:
    store = Store(path, 3)
    for number in range(40):
        store.put([f"{writer} {number}", "shared"], vectors(2, seed=number))


def test_two_processes_write_at_once(path: Path) -> None:
    """Each finds all that both have put."""
    spawned = multiprocessing.get_context("spawn")
    others = [spawned.Process(target=_write, args=(path, writer)) for writer in range(2)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    texts = [f"{writer} {number}" for writer in range(2) for number in range(40)]
    found, known = Store(path, 3).get(texts)
    assert known.all()
    expected = np.stack([vectors(2, seed=number)[0] for number in range(40)] * 2)
    assert np.array_equal(found, expected)
    assert Store(path, 3).get(["shared"])[1].all()
    assert (path.stat().st_size - 16) % RECORD == 0


def test_a_disk_that_refuses_costs_only_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    store = Store(tmp_path / "file" / "model.vectors", 3)
    store.put(["yes"], vectors(1))
    assert "embeddings are not kept in" in capsys.readouterr().err
    assert not store.get(["yes"])[1].any()
