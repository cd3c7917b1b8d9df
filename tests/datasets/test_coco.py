"""COCO's instances, captions and keypoints."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.datasets import coco
from referee.errors import DataError
from referee.games.model import Box

OWN = Path(__file__).resolve().parent.parent / "data" / "coco"
Change = Callable[[dict[str, Any]], None]


@pytest.mark.parametrize(
    ("name", "form", "counts"),
    [
        ("instances_val2017", "coco-instances", (79, 624)),
        ("instances_train2017", "coco-instances", (80, 739)),
        ("captions_val2017", "coco-captions", (79, 395)),
        ("captions_train2017", "coco-captions", (80, 400)),
        ("person_keypoints_val2017", "coco-keypoints", (79, 118)),
        ("person_keypoints_train2017", "coco-keypoints", (80, 172)),
    ],
)
def test_published_counts(shared: Path, name: str, form: str, counts: tuple[int, int]) -> None:
    """Each file is recognised as what it is and has its images and its objects or captions."""
    path = shared / "coco" / "annotations" / f"{name}.json"
    (found,) = [each for each in coco.FORMATS if each.recognises(path, path.read_bytes()[:65536])]
    problems: list[DataError] = []
    summary = found.summarise(path, problems)
    assert (found.name, summary["images"], summary.get("objects", summary.get("captions"))) == (
        form,
        *counts,
    )
    assert not problems


def test_published_categories(shared: Path) -> None:
    """There are 80 categories, whose ids run to 90, and every thing has the name of its own."""
    found = coco.read_instances(shared / "coco" / "annotations" / "instances_val2017.json")
    names = {category.id: category.name for category in found.categories}
    assert (len(names), max(names)) == (80, 90)
    things = [thing for scene in found.scenes for thing in scene.things]
    assert all(thing.category == names[thing.category_id] for thing in things)
    assert len(found.crowds) == 5


def test_instances() -> None:
    """A thing is named by its annotation, and boxes stay in pixels."""
    found = coco.read_instances(OWN / "instances_small.json")
    first, second = found.scenes
    assert [(thing.id, thing.category) for thing in first.things] == [
        ("301", "bird"),
        ("302", "cup"),
        ("303", "cup"),
    ]
    assert first.things[2].box == Box(20.5, 30.25, 5, 2.5)
    assert (first.id, first.file, first.width, second.things) == ("21", "000000000021.jpg", 320, ())
    assert found.crowds == {"302"}


def test_crowds_are_no_objects() -> None:
    """Scenes have single objects only."""
    first, _ = coco.scenes(OWN / "instances_small.json")
    assert [thing.id for thing in first.things] == ["301", "303"]


def test_captions() -> None:
    """Captions keep the file's order and are not trimmed."""
    found = coco.read_captions(OWN / "captions_small.json")
    assert [(caption.image, caption.text) for caption in found.captions] == [
        ("21", "A bird drinks from a cup."),
        ("22", "Nothing at all."),
        ("21", "Zwei Vögel. "),
    ]


def test_a_renamed_file_is_recognised() -> None:
    """Without a telling name, the keys of the first annotation tell."""
    for file, form in (
        ("instances_small.json", "coco-instances"),
        ("captions_small.json", "coco-captions"),
    ):
        head = (OWN / file).read_bytes()
        found = [each.name for each in coco.FORMATS if each.recognises(Path("some.json"), head)]
        assert found == [form]


def _unknown_category(document: dict[str, Any]) -> None:
    document["annotations"][1]["category_id"] = 12


def _unknown_image(document: dict[str, Any]) -> None:
    document["annotations"][1]["image_id"] = 99


def _short_box(document: dict[str, Any]) -> None:
    document["annotations"][1]["bbox"] = [1, 2, 3]


def _negative_box(document: dict[str, Any]) -> None:
    document["annotations"][1]["bbox"] = [1, 2, 3, -4]


def _twice(document: dict[str, Any]) -> None:
    document["annotations"][1]["id"] = 301


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (_unknown_category, "category_id"),
        (_unknown_image, "image_id"),
        (_short_box, "$.bbox"),
        (_negative_box, "bbox"),
        (_twice, None),
    ],
)
def test_bad_annotation(tmp_path: Path, change: Change, field: str | None) -> None:
    """A bad annotation is named; skipped, it alone is missing."""
    document = json.loads((OWN / "instances_small.json").read_text(encoding="utf-8"))
    change(document)
    path = tmp_path / "instances.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        coco.read_instances(path)
    assert caught.value.file == str(path)
    assert caught.value.record is not None
    assert caught.value.field == field
    skipped: list[DataError] = []
    found = coco.read_instances(path, skipped)
    assert [thing.id for thing in found.scenes[0].things] == ["301", "303"]
    assert len(skipped) == 1


def test_a_caption_of_no_image(tmp_path: Path) -> None:
    """A caption belongs to an image of its file."""
    document = json.loads((OWN / "captions_small.json").read_text(encoding="utf-8"))
    del document["images"][1]
    path = tmp_path / "captions.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(DataError, match="there is no image 22"):
        coco.read_captions(path)
    skipped: list[DataError] = []
    assert len(coco.read_captions(path, skipped).captions) == 2
    assert len(skipped) == 1


def test_an_image_without_size(tmp_path: Path) -> None:
    """A picture has a size."""
    document = json.loads((OWN / "captions_small.json").read_text(encoding="utf-8"))
    document["images"][0]["width"] = 0
    path = tmp_path / "captions.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(DataError, match="has no size"):
        coco.read_captions(path)
