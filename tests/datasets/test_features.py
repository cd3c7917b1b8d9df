"""Image features in every layout: what is written comes back by id."""

from __future__ import annotations

import json
from pathlib import Path

import h5py
import numpy as np
import pytest

from referee.datasets import features
from referee.datasets.features import RegionBatch
from referee.datasets.formats import Format
from referee.errors import DataError, UsageError

ROWS = np.arange(12, dtype=np.float32).reshape(4, 3)
NAMES = ["COCO_train2014_000000000009.jpg", "COCO_val2014_000000000042.jpg"]


def recognised(path: Path) -> Format:
    (found,) = [
        each for each in features.FORMATS if each.recognises(path, path.read_bytes()[:65536])
    ]
    return found


def test_devries(tmp_path: Path) -> None:
    """Rows come by image id, in the order asked for, as often as asked for."""
    path = tmp_path / "train_features.h5"
    features.write_devries(path, [77, 5, 900, 12], ROWS)
    found = features.open_devries(path)
    assert (found.ids, found.shape, len(found)) == (("77", "5", "900", "12"), (3,), 4)
    assert found.of(["900", "77", "900"]).tolist() == [[6, 7, 8], [0, 1, 2], [6, 7, 8]]
    assert found.of([]).shape == (0, 3)
    assert [len(batch) for batch in found.batches(found.ids, size=3)] == [3, 1]
    assert recognised(path).summarise(path, []) == {"features": "4 x 3"}


def test_a_missing_image(tmp_path: Path) -> None:
    """An image without features is an error that names it, never the row of another."""
    path = tmp_path / "train_features.h5"
    features.write_devries(path, [77, 5, 900, 12], ROWS)
    found = features.open_devries(path)
    assert "77" in found
    assert "7" not in found
    with pytest.raises(DataError, match="no features of 7") as caught:
        found.of(["77", "7"])
    assert (caught.value.file, caught.value.record) == (str(path), "7")


def test_gdse(tmp_path: Path) -> None:
    """GDSE names rows by file and calls the validation split val; the image's number works as well."""
    path, index = tmp_path / "features.h5", tmp_path / "features2id.json"
    features.write_gdse(path, index, {"train": (NAMES, ROWS[:2]), "valid": (NAMES[:1], ROWS[3:])})
    train = features.open_gdse(path, index, "train")
    assert np.array_equal(train.of([NAMES[1], "42", "9"]), ROWS[[1, 1, 0]])
    assert features.open_gdse(path, index, "valid").of(["9"]).tolist() == [[9, 10, 11]]
    assert features.open_gdse(path, index, "val").ids == (NAMES[0],)
    with pytest.raises(DataError, match="no split test"):
        features.open_gdse(path, index, "test")
    with pytest.raises(UsageError):
        features.write_gdse(path, index, {"all": (NAMES, ROWS)})
    assert recognised(index).summarise(index, []) == {"train": 2, "val": 1}
    assert recognised(path).summarise(path, []) == {
        "train_img_features": "2 x 3",
        "val_img_features": "1 x 3",
    }


def test_objects(tmp_path: Path) -> None:
    """Cut-out objects are named by their game."""
    path, index = tmp_path / "crops.h5", tmp_path / "crops.json"
    features.write_objects(path, index, ["2424", "7"], ROWS[:2])
    assert features.open_objects(path, index).of(["7"]).tolist() == [[3, 4, 5]]


def test_regions(tmp_path: Path) -> None:
    """Regions have features, boxes, and the size of their image."""
    rows, boxes, info = (tmp_path / name for name in ("rows.npy", "boxes.npy", "info.json"))
    batch = RegionBatch(
        np.arange(2 * 3 * 5, dtype=np.float32).reshape(2, 3, 5),
        np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4),
        np.array([[640, 480], [300, 200]]),
    )
    features.write_regions(rows, boxes, info, ["COCO_train2014_000000000009", "42"], batch)
    found = features.open_regions(rows, boxes, info).of(["42", "9"])
    assert np.array_equal(found.features, batch.features[::-1])
    assert np.array_equal(found.boxes, batch.boxes[::-1])
    assert found.sizes.tolist() == [[300, 200], [640, 480]]
    assert np.array_equal(features.open_array(rows, info).of(["42"])[0], batch.features[1])
    assert recognised(rows).summarise(rows, []) == {
        "images": 2,
        "regions of each": 3,
        "width": 5,
    }
    assert recognised(info).summarise(info, []) == {"images": 2}
    with pytest.raises(DataError, match="a box for each region"):
        features.open_regions(rows, rows, info)


def test_rows_outside_the_file(tmp_path: Path) -> None:
    """An index that points outside its file is refused when it is opened."""
    path, index = tmp_path / "crops.h5", tmp_path / "crops.json"
    features.write_objects(path, index, ["2424", "7"], ROWS[:2])
    index.write_text(json.dumps({"7": 2}), encoding="utf-8")
    with pytest.raises(DataError, match="row 2 is not in the file"):
        features.open_objects(path, index)


def test_broken_files(tmp_path: Path) -> None:
    """A file that is cut short, empty of features, full of NaN, or absent is a DataError."""
    path = tmp_path / "train_features.h5"
    with pytest.raises(DataError, match="no such file"):
        features.open_devries(path)
    features.write_devries(path, [1, 2, 3, 4], np.full((4, 3), np.nan))
    with pytest.raises(DataError, match="NaN"):
        features.open_devries(path).of(["1"])
    features.write_devries(path, [1, 2, 2, 4], ROWS)
    with pytest.raises(DataError, match="distinct ids"):
        features.open_devries(path)
    whole = path.read_bytes()
    for length in (10, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(DataError):
            recognised(path).summarise(path, [])
    with h5py.File(path, "w") as file:
        file.create_dataset("other", data=ROWS)
        file.create_group("features")
    with pytest.raises(DataError, match="is not among the data sets"):
        features.open_devries(path)


def test_pickled_arrays(tmp_path: Path) -> None:
    """An array of pickled objects is refused and nothing in it is run."""
    path, info = tmp_path / "features.npy", tmp_path / "info.json"
    np.save(path, np.array([{"a": 1}]), allow_pickle=True)
    info.write_text(json.dumps({"image_id2image_pos": {"9": 0}}), encoding="utf-8")
    with pytest.raises(DataError):
        features.open_array(path, info).of(["9"])
