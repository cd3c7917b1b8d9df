"""Every layout holds the vectors of what it says it shows, and is read back by its own reader."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee.datasets import features, guesswhat
from referee.datasets.features_writing import index_path, info_path, region_paths
from referee.errors import DataError, UsageError
from referee.games import Box
from referee.players.neural import spatial
from referee.players.neural.features import Extractor, making
from referee.players.neural.features.crops import Cut, Fit, Grid, crop, opened, whole
from referee.players.neural.features.extractor import Pixels, Rows
from referee.players.neural.features.icons import Icons
from referee.players.neural.features.layouts import chosen
from referee.players.neural.features.making import Wanted
from referee.players.neural.features.pictures import find, scenes_of

if TYPE_CHECKING:
    from tests.players.neural.features.conftest import Seen

CLOSE = 1e-5


def made(wanted: Wanted, model: Extractor, fit: Fit = "stretch", batch: int = 7) -> Path:
    plan, _ = making.planned(wanted)
    for _ in making.make(plan, model, fit, batch):
        pass
    return wanted.out


def wholes(seen: Seen, fit: Fit = "stretch") -> dict[str, Rows]:
    """The vector of each picture of the training games, one by one."""
    found = find(seen.images, scenes_of(seen.games)).pictures
    size = seen.model.whole
    return {
        each.id: seen.model.vectors(whole(opened(each.path), size, fit)[None])[0] for each in found
    }


def crops(seen: Seen) -> dict[str, Rows]:
    """The vector of each thing of the training games, one by one."""
    model = seen.model
    return {
        thing.id: model.vectors(
            crop(opened(each.path), Cut(thing.box), model.crop, model.blank)[None]
        )[0]
        for each in find(seen.images, scenes_of(seen.games)).pictures
        for thing in each.scene.things
    }


def test_whole_pictures_as_de_vries_has_them(seen: Seen, tmp_path: Path) -> None:
    """Rows by image number; without games, every picture of the folder."""
    wanted = Wanted(seen.images, tmp_path / "f.h5", "devries", games=(("train", seen.games),))
    found = features.open_devries(made(wanted, seen.model))
    expected = wholes(seen)
    assert found.ids == tuple(expected)
    assert np.allclose(found.of(found.ids), np.stack(list(expected.values())), atol=CLOSE)
    everything = Wanted(seen.images, tmp_path / "all.h5", "devries")
    assert len(features.open_devries(made(everything, seen.model))) == 24


def test_things_as_de_vries_has_them(seen: Seen, tmp_path: Path) -> None:
    """Rows by object number, each of what the object's crop shows."""
    wanted = Wanted(seen.images, tmp_path / "f.h5", "devries", boxes=seen.games)
    found = features.open_devries(made(wanted, seen.model))
    expected = crops(seen)
    assert found.ids == tuple(expected)
    assert np.allclose(found.of(found.ids), np.stack(list(expected.values())), atol=CLOSE)


def test_gdse(seen: Seen, tmp_path: Path) -> None:
    """A table a split, rows by file name, and the middle of each picture."""
    games = tuple(
        (split, seen.world / f"guesswhat.{split}.jsonl.gz") for split in ("train", "valid")
    )
    path = made(Wanted(seen.images, tmp_path / "f.h5", "gdse", games=games), seen.model, "centre")
    found = features.open_gdse(path, index_path(path), "train")
    assert all(name.startswith("iconworld_") for name in found.ids)
    expected = wholes(seen, "centre")
    assert np.allclose(found.of(found.ids), np.stack(list(expected.values())), atol=CLOSE)
    assert len(features.open_gdse(path, index_path(path), "valid")) > 0


def test_targets(seen: Seen, tmp_path: Path) -> None:
    """Rows by game: the crop of the thing that was to be guessed."""
    wanted = Wanted(seen.images, tmp_path / "f.h5", "targets", games=(("train", seen.games),))
    path = made(wanted, seen.model)
    found = features.open_objects(path, index_path(path))
    expected = crops(seen)
    for game in guesswhat.games(seen.games):
        target = expected[game.scene.things[game.target_index].id]
        assert np.allclose(found.of([game.id])[0], target, atol=CLOSE)


def test_an_array(seen: Seen, tmp_path: Path) -> None:
    path = made(
        Wanted(seen.images, tmp_path / "f.npy", "array", games=(("train", seen.games),)), seen.model
    )
    found = features.open_array(path, info_path(path))
    expected = wholes(seen)
    assert np.allclose(found.of(list(expected)), np.stack(list(expected.values())), atol=CLOSE)


def test_regions_as_lxmert_has_them(seen: Seen, tmp_path: Path) -> None:
    """36 a picture: its things by their crops, then cells, all with their corners; the picture's size."""
    wanted = Wanted(seen.images, tmp_path / "f.npy", "regions", boxes=seen.games, grid=Grid(6, 6))
    path = made(wanted, seen.model)
    found = features.open_regions(path, *region_paths(path))
    expected = crops(seen)
    for scene in scenes_of(seen.games):
        own = found.of([scene.id])
        assert own.features.shape == (1, 36, seen.model.width)
        assert own.sizes.tolist() == [[320, 240]]
        for place, thing in enumerate(scene.things):
            assert np.allclose(own.features[0, place], expected[thing.id], atol=CLOSE)
            box = thing.box
            assert own.boxes[0, place].tolist() == [
                box.x,
                box.y,
                box.x + box.width,
                box.y + box.height,
            ]


def test_regions_as_vdst_has_them(seen: Seen, tmp_path: Path) -> None:
    """What LXMERT's file has, and eight numbers of where each region is."""
    made_of = {"boxes": seen.games, "grid": Grid(6, 6)}
    regions = Wanted(seen.images, tmp_path / "regions.npy", "regions", **made_of)  # type: ignore[arg-type]
    vdst = replace(regions, out=tmp_path / "vdst.npy", layout="vdst")
    corners = features.open_regions(made(regions, seen.model), *region_paths(regions.out))
    found = features.open_array(made(vdst, seen.model), info_path(vdst.out))
    assert found.shape == (36, seen.model.width + 8)
    for scene in scenes_of(seen.games)[:4]:
        own, other = found.of([scene.id])[0], corners.of([scene.id])
        assert np.array_equal(own[:, :-8], other.features[0])
        boxes = [Box(x, y, right - x, low - y) for x, y, right, low in other.boxes[0].tolist()]
        places = [spatial.spatial([box], 320, 240)[0] for box in boxes]
        assert np.allclose(own[:, -8:], places, atol=CLOSE)


def test_a_grid_alone(seen: Seen, tmp_path: Path) -> None:
    """Without boxes the regions are the cells."""
    path = made(Wanted(seen.images, tmp_path / "f.npy", "regions", grid=Grid(2, 3)), seen.model)
    found = features.open_regions(path, *region_paths(path))
    boxes = found.of(found.features.ids[:1]).boxes[0]
    assert boxes[0].tolist() == pytest.approx([0, 0, 320 / 3, 120])
    assert boxes[5].tolist() == pytest.approx([640 / 3, 120, 320, 240], rel=1e-5)


class Failing(Icons):
    """A model that is killed after three batches."""

    left = 3

    def vectors(self, pixels: Pixels) -> Rows:
        """The model's own, until it fails."""
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().vectors(pixels)


def test_what_was_interrupted_goes_on(seen: Seen, tmp_path: Path) -> None:
    """The file is the same in every byte, and the first rows are not made again."""
    wanted = Wanted(seen.images, tmp_path / "stopped.h5", "devries", boxes=seen.games)
    with pytest.raises(KeyboardInterrupt):
        made(wanted, Failing(seen.model.name, seen.icons))
    assert not wanted.out.exists()
    plan, _ = making.planned(wanted)
    told = list(making.make(plan, seen.model, "stretch", 7))
    assert (told[0].done, told[-1].done) == (21, told[-1].rows)
    whole_file = made(replace(wanted, out=tmp_path / "whole.h5"), seen.model)
    assert wanted.out.read_bytes() == whole_file.read_bytes()


def test_a_picture_of_another_size_than_its_boxes(seen: Seen, tmp_path: Path) -> None:
    """Boxes are never cut out of a picture in which they mean something else."""
    images = tmp_path / "images"
    images.mkdir()
    for scene in scenes_of(seen.games):
        opened(seen.images / scene.file).resize((160, 120)).save(images / scene.file)
    with pytest.raises(DataError, match="is 160 x 120 pixels") as caught:
        making.planned(Wanted(images, tmp_path / "f.h5", "devries", boxes=seen.games))
    assert caught.value.expected == "320 x 240, in which its boxes are measured"


def test_games_whose_boxes_are_in_no_file(seen: Seen, tmp_path: Path) -> None:
    """--boxes that lack a picture of --games are refused with its name."""
    wanted = Wanted(
        seen.images,
        tmp_path / "f.h5",
        "devries",
        games=(("train", seen.games),),
        boxes=seen.world / "guesswhat.valid.jsonl.gz",
    )
    with pytest.raises(DataError, match="has no boxes for the picture iconworld_"):
        making.planned(wanted)


@pytest.mark.parametrize(
    ("layout", "out", "boxes", "grid", "found"),
    [
        (None, "f.h5", False, False, "devries"),
        (None, "f.h5", True, False, "devries"),
        (None, "f.npy", False, False, "array"),
        (None, "f.npy", True, True, "regions"),
        ("vdst", "f.npy", True, True, "vdst"),
    ],
)
def test_the_layout_that_goes_with_the_options(
    layout: str | None, out: str, boxes: bool, grid: bool, found: str
) -> None:
    assert chosen(layout, Path(out), boxes=boxes, grid=grid) == found


@pytest.mark.parametrize(
    ("layout", "out", "boxes", "grid"),
    [
        (None, "f.h5", True, True),
        (None, "f.npy", True, False),
        ("vdst", "f.npy", True, False),
        ("gdse", "f.npy", False, False),
        ("gdse", "f.h5", False, True),
        ("vgg", "f.h5", False, False),
    ],
)
def test_options_that_do_not_go_together(
    layout: str | None, out: str, boxes: bool, grid: bool
) -> None:
    with pytest.raises(UsageError):
        chosen(layout, Path(out), boxes=boxes, grid=grid)
