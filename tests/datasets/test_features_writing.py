"""Files of features that grow: whole or absent, and the same however often they were stopped."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.datasets import features
from referee.datasets.features_writing import Growing, index_path, info, region_paths
from referee.errors import DataError, UsageError

WIDTH = 3


def numbers(count: int) -> NDArray[np.float32]:
    return np.arange(count * WIDTH, dtype=np.float32).reshape(count, WIDTH)


def grown(path: Path, tables: Mapping[str, tuple[int, ...]], stops: Sequence[int]) -> None:
    """Writes all rows, opened anew at each stop, as after a crash."""
    rows = numbers(sum(int(np.prod(shape[:-1])) for shape in tables.values()))
    for stop in [*sorted(stops), len(rows)]:
        file = Growing(path, tables, "same")
        file.append(rows[file.done : stop])
    file.finish()


@given(
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    stops=st.lists(st.integers(0, 15), max_size=4),
)
def test_however_often_it_was_stopped_the_file_is_the_same(
    sizes: list[int], stops: list[int]
) -> None:
    """Tables of HDF5 hold the rows in order, and nothing is left beside the file."""
    tables = {f"table {n}": (size, WIDTH) for n, size in enumerate(sizes)}
    total = sum(sizes)
    with tempfile.TemporaryDirectory() as folder:
        once, often = Path(folder) / "once.h5", Path(folder) / "often.h5"
        grown(once, tables, [])
        grown(often, tables, [min(stop, total) for stop in stops])
        import h5py

        with h5py.File(once) as one, h5py.File(often) as other:
            found = np.concatenate([other[name][...] for name in tables])
            assert np.array_equal(found, numbers(total))
            assert list(one) == list(other)
        assert sorted(path.name for path in Path(folder).iterdir()) == ["often.h5", "once.h5"]


def test_regions_of_numpy(tmp_path: Path) -> None:
    """An array of more dimensions takes rows of its last one; its companions come with it."""
    path = tmp_path / "regions.npy"
    file = Growing(path, {"features": (2, 2, WIDTH)}, "one")
    assert file.rows == 4
    file.append(numbers(4))
    assert not path.exists()
    boxes, told = region_paths(path)
    content = info(["9", "42"], [(640, 480), (300, 200)])
    file.finish({boxes: np.zeros((2, 2, 4), np.float32), told: content})
    found = features.open_regions(path, boxes, told).of(["42"])
    assert np.array_equal(found.features, numbers(4).reshape(2, 2, WIDTH)[1:])
    assert found.sizes.tolist() == [[300, 200]]


def test_another_making_begins_anew(tmp_path: Path) -> None:
    """What was left of other rows, or by a note that cannot be read, is not gone on with."""
    path = tmp_path / "f.h5"
    tables = {"features": (4, WIDTH)}
    Growing(path, tables, "one").append(numbers(2))
    assert Growing(path, tables, "one").done == 2
    assert Growing(path, tables, "other").done == 0
    Growing(path, tables, "one").append(numbers(2))
    path.with_name("f.h5.part.json").write_text("{", encoding="utf-8")
    assert Growing(path, tables, "one").done == 0


def test_nothing_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "f.h5"
    path.write_bytes(b"mine")
    with pytest.raises(UsageError, match="nothing is overwritten"):
        Growing(path, {"features": (1, WIDTH)}, "one")
    assert path.read_bytes() == b"mine"


def test_a_name_says_which_format(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no name for features"):
        Growing(tmp_path / "f.csv", {"features": (1, WIDTH)}, "one")
    with pytest.raises(UsageError, match="one table only"):
        Growing(tmp_path / "f.npy", {"a": (1, WIDTH), "b": (1, WIDTH)}, "one")


def test_nan_and_missing_rows(tmp_path: Path) -> None:
    """A model's NaN is never stored, and a file that lacks rows gets no name."""
    path = tmp_path / "f.h5"
    file = Growing(path, {"features": (2, WIDTH)}, "one")
    with pytest.raises(DataError, match="NaN"):
        file.append(np.full((1, WIDTH), np.nan))
    file.append(numbers(1))
    with pytest.raises(UsageError, match="has 1 of 2 rows"):
        file.finish()
    assert not path.exists()


def test_a_file_named_alone_is_read_in_its_layout(tmp_path: Path) -> None:
    """GDSE's splits, target crops, de Vries' rows and arrays are told apart by what they hold."""
    names = ["COCO_train2014_000000000009.jpg", "COCO_val2014_000000000042.jpg"]
    gdse, crops, images = tmp_path / "gdse.h5", tmp_path / "crops.h5", tmp_path / "images.h5"
    splits = {"train": (names[:1], numbers(1)), "val": (names[1:], numbers(2)[1:])}
    features.write_gdse(gdse, index_path(gdse), splits)
    features.write_objects(crops, index_path(crops), ["2424"], numbers(1))
    features.write_devries(images, [9, 42], numbers(2))
    found = features.open_layout(gdse)
    assert [each.ids for each in found] == [(names[0],), (names[1],)]
    assert found[1].of(["42"]).tolist() == [[3, 4, 5]]
    assert [each.ids for each in features.open_layout(crops)] == [("2424",)]
    assert [each.ids for each in features.open_layout(images)] == [("9", "42")]
    with pytest.raises(DataError, match="no such file"):
        features.open_layout(tmp_path / "absent.npy")


def test_missing_features_name_the_command() -> None:
    """Whoever lacks features is told how to make them."""
    assert "referee features extract --images DIR" in features.extraction("images")
    assert "--boxes" in features.extraction("objects")
    assert "--grid 6x6" in features.extraction("regions")
