"""Files of regions: VDST's own, arrays, and LXMERT's with boxes beside; what does not fit is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from referee.datasets.features import RegionBatch, write_devries, write_regions
from referee.errors import DataError, UsageError
from referee.games import Box
from referee.players.neural.spatial import spatial
from referee.players.neural.vdst_regions import RegionFeatures, regions

IDS = ["139", "285", "632"]


def rows(width: int = 6) -> np.ndarray[tuple[int, int, int], np.dtype[np.float32]]:
    return np.random.default_rng(3).random((3, 4, width)).astype(np.float32)


def array(path: Path, ids: list[str], content: np.ndarray[tuple[int, ...], np.dtype]) -> str:
    np.save(path, content)
    places = {"image_id2image_pos": {name: row for row, name in enumerate(ids)}}
    path.with_suffix(".json").write_text(json.dumps(places))
    return str(path)


def test_vdsts_own_files_are_read_as_they_are(tmp_path: Path) -> None:
    """`features` [n, 36, 2056] and `idx2img`."""
    content = np.random.default_rng(1).random((3, 36, 2056)).astype(np.float32)
    write_devries(tmp_path / "train_features.h5", [int(name) for name in IDS], content)
    found = RegionFeatures(str(tmp_path / "train_features.h5"))
    assert (found.regions, found.size) == (36, 2056)
    asked = found.of(["632", "139", "632"], ["a", "b", "c"]).numpy()
    np.testing.assert_array_equal(asked, content[[2, 0, 2]])


def test_arrays_are_read_as_they_are(tmp_path: Path) -> None:
    found = RegionFeatures(array(tmp_path / "regions.npy", IDS, rows()))
    np.testing.assert_array_equal(found.of(IDS[::-1], list("abc")).numpy(), rows()[::-1])


def test_boxes_become_eight_numbers_behind_what_a_region_shows(tmp_path: Path) -> None:
    """The numbers are those of the same boxes anywhere else."""
    left_top = np.random.default_rng(5).integers(0, 100, (3, 4, 2)).astype(np.float32)
    boxes = np.concatenate([left_top, left_top + 40], axis=2)
    sizes = np.array([[200, 300], [400, 150], [320, 320]])
    features, beside, info = (tmp_path / name for name in ("r.npy", "r_boxes.npy", "r.json"))
    write_regions(features, beside, info, IDS, RegionBatch(rows(), boxes, sizes))
    found = RegionFeatures(str(features))
    assert (found.regions, found.size) == (4, 6 + 8)
    asked = found.of(["285"], ["a"]).numpy()[0]
    np.testing.assert_array_equal(asked[:, :6], rows()[1])
    expected = spatial([Box(float(x), float(y), 40, 40) for x, y in left_top[1]], 400, 150)
    np.testing.assert_array_equal(asked[:, 6:], expected)
    assert found.of([], []).shape == (0, 4, 14)


def test_several_files_are_looked_through(tmp_path: Path) -> None:
    one = array(tmp_path / "a.npy", IDS[:2], rows()[:2])
    other = array(tmp_path / "b.npy", IDS[2:], rows()[2:])
    found = RegionFeatures(f"{one},{other}").of(["632", "139"], ["g1", "g2"]).numpy()
    np.testing.assert_array_equal(found, rows()[[2, 0]])


def test_an_image_without_regions_is_named_with_its_game(tmp_path: Path) -> None:
    found = RegionFeatures(array(tmp_path / "a.npy", IDS, rows()))
    with pytest.raises(DataError, match="the game g7 needs the regions of 42"):
        found.of(["139", "42"], ["g6", "g7"])


def test_one_vector_an_image_is_no_regions(tmp_path: Path) -> None:
    write_devries(tmp_path / "whole.h5", [1], np.ones((1, 5), np.float32))
    with pytest.raises(UsageError, match="regions x numbers"):
        RegionFeatures(str(tmp_path / "whole.h5"))


def test_files_of_other_regions_do_not_go_together(tmp_path: Path) -> None:
    one = array(tmp_path / "a.npy", IDS, rows())
    other = array(tmp_path / "b.npy", ["7"], rows(7)[:1])
    with pytest.raises(UsageError, match=r"\(4, 6\), \(4, 7\)"):
        RegionFeatures(f"{one},{other}")


def test_regions_that_a_model_was_not_trained_on_are_refused(tmp_path: Path) -> None:
    name = array(tmp_path / "a.npy", IDS, rows())
    assert regions(name, 4, 6, "neural:vdst", "features").regions == 4
    with pytest.raises(DataError, match=r"4 regions of 6 numbers.*expected 36 of 2056"):
        regions(name, 36, 2056, "neural:vdst", "features")
    with pytest.raises(UsageError, match=r"neural:vdst sees 4 regions .* give features=F"):
        regions("", 4, 6, "neural:vdst", "features")


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    broken = rows()
    broken[1, 2, 3] = np.nan
    found = RegionFeatures(array(tmp_path / "a.npy", IDS, broken))
    with pytest.raises(DataError, match=r"a\.npy"):
        found.of(["285"], ["g"])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.h5"):
        RegionFeatures(str(tmp_path / "none.h5"))
