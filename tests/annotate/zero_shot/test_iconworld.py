"""Zero-shot games of Iconworld's boxes, beside its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.annotate.zero_shot.conftest import lines, written

from referee.annotate.zero_shot import How, Sources, make, write
from referee.annotate.zero_shot.writing import file_name
from referee.datasets.iconworld.making import make as make_world
from referee.datasets.iconworld.world import Plan


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zero-shot") / "world"
    make_world(folder, Plan(games=10, scenes=10, zero_shot=40, seed=2), ["zero-shot"])
    return folder


def test_iconworld_s_scenes_come_out_of_its_boxes(world: Path, tmp_path: Path) -> None:
    """Its own zero-shot games have the same pictures, domains, candidates and numbers of games.

    Only the draws differ, and that a table of boxes does not know of colours.
    """
    nocaps = world / "nocaps"
    lists = (nocaps / f"nocaps_{split}_image_info.json" for split in ("val", "test"))
    made = make(Sources((nocaps / "boxes.csv",), nocaps / "class-descriptions-boxable.csv", *lists))
    ours = written(tmp_path, made)
    assert sum(map(len, ours.values())) > 700
    for split, games in ours.items():
        theirs = lines(world / "compguesswhat-zero_shot/0.2.0" / file_name(split))
        assert [g["image"] for g in games] == [g["image"] for g in theirs]
        scenes = {g["image"]["id"]: g["objects"] for g in theirs}
        for game in games:
            for mine, thing in zip(game["objects"], scenes[game["image"]["id"]], strict=True):
                same = ("id", "category", "category_id", "IsOccluded", "IsTruncated", "segment")
                assert [mine[name] for name in same] == [thing[name] for name in same]
                assert mine["bbox"] == pytest.approx(thing["bbox"])
                assert mine["area"] == pytest.approx(thing["area"])
        unseen = [np.mean([target_id(game) == 0 for game in each]) for each in (games, theirs)]
        assert unseen[0] == pytest.approx(unseen[1], abs=0.12)
        drawn = [{(g["image"]["id"], g["object_id"]) for g in each} for each in (games, theirs)]
        assert len(drawn[0]) == len(drawn[1]) == len(games)
        assert drawn[0] != drawn[1]


def test_equal_calls_write_equal_bytes(world: Path, tmp_path: Path) -> None:
    """And another seed other games."""
    nocaps = world / "nocaps"
    boxes, classes = nocaps / "boxes.csv", nocaps / "class-descriptions-boxable.csv"
    sources = Sources((boxes,), classes, nocaps / "nocaps_val_image_info.json")
    for name, seed in (("once", 0), ("again", 0), ("other", 1)):
        assert set(write(tmp_path / name, make(sources, How(seed=seed)))) == {
            "nd_valid",
            "od_valid",
        }
    once, again, other = (
        (tmp_path / name / file_name("od_valid")).read_bytes()
        for name in ("once", "again", "other")
    )
    assert once == again != other


def target_id(game: dict[str, Any]) -> int:
    """The category of the target."""
    number: int = next(
        thing["category_id"] for thing in game["objects"] if thing["id"] == game["object_id"]
    )
    return number
