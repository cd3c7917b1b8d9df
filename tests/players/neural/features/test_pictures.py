"""Pictures are found by name or number, and those that are not are named."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from referee.errors import DataError
from referee.games import Scene
from referee.players.neural.features import pictures

if TYPE_CHECKING:
    from tests.players.neural.features.conftest import Seen


def painted(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (20, 10)).save(path)
    return folder


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("COCO_train2014_000000000009.jpg", "9"),
        ("000000104792.jpg", "104792"),
        ("iconworld_000000000025.png", "25"),
        ("0.png", "0"),
        ("dog.png", "dog"),
        ("12.jpg.png", "12.jpg"),
    ],
)
def test_the_number_of_a_name(name: str, number: str) -> None:
    assert pictures.number_of(name) == number


def test_pictures_of_a_folder(tmp_path: Path) -> None:
    """Folders in it are looked into; what is no picture is passed over."""
    painted(tmp_path, "COCO_val2014_000000000042.jpg", "more/9.png").joinpath("a.txt").touch()
    assert {scene.id for scene in pictures.in_folder(tmp_path)} == {"9", "42"}


def test_pictures_that_share_a_number_are_told_by_name(tmp_path: Path) -> None:
    painted(tmp_path, "cat_1.png", "dog_1.png")
    assert [scene.id for scene in pictures.in_folder(tmp_path)] == ["cat_1", "dog_1"]


@pytest.mark.parametrize("name", ["empty", "absent"])
def test_a_folder_without_pictures(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"holds no pictures|no such folder"):
        pictures.in_folder(tmp_path / name)


def test_a_picture_is_found_by_its_name_or_its_number(tmp_path: Path) -> None:
    """By file name, by the end of its address, or as raw/<id>.jpg of the original code."""
    painted(tmp_path, "named.jpg", "linked.png", "raw/7.jpg")
    scenes = [
        Scene("1", file="named.jpg"),
        Scene("2", url="https://example.org/linked.png"),
        Scene("7", file="COCO_train2014_000000000007.jpg"),
    ]
    found = pictures.find(tmp_path, scenes).whole(tmp_path)
    assert [(each.id, each.path.name) for each in found] == [
        ("1", "named.jpg"),
        ("2", "linked.png"),
        ("7", "7.jpg"),
    ]
    assert {each.size for each in found} == {(20, 10)}


def test_what_is_missing_broken_or_there_twice_is_named(tmp_path: Path) -> None:
    painted(tmp_path, "a/1.png", "b/1.png", "2.png")
    broken = tmp_path / "3.png"
    broken.write_bytes((tmp_path / "2.png").read_bytes()[:-30])
    scenes = [Scene(str(number)) for number in range(1, 5)]
    found = pictures.find(tmp_path, scenes, thorough=True)
    assert [each.id for each in found.pictures] == ["2"]
    assert [name for name, _ in found.lacking] == ["1", "3", "4"]
    with pytest.raises(DataError, match="3 of 4 pictures are missing or broken: 1: is there twice"):
        found.whole(tmp_path)
    # Without reading to the end only the header is looked at, which is whole.
    assert len(pictures.find(tmp_path, scenes).pictures) == 2


def test_scenes_of_games_and_of_annotations(seen: Seen) -> None:
    """Each scene of a games file once; COCO's instances give the same scenes."""
    games = pictures.scenes_of(seen.games)
    assert len({scene.id for scene in games}) == len(games)
    coco = {
        scene.id: scene
        for scene in pictures.scenes_of(seen.world / "annotations/instances_train.json")
    }
    for scene in games:
        assert [thing.box for thing in coco[scene.id].things] == [
            thing.box for thing in scene.things
        ]


def test_ids_that_the_layout_cannot_hold() -> None:
    assert pictures.numbers(["7", "0"], Path("f.h5")) == [7, 0]
    for identity in ("dog", "2147483648", "-1"):
        with pytest.raises(DataError, match="is no number"):
            pictures.numbers([identity], Path("f.h5"))
