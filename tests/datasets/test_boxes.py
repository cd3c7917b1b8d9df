"""Open Images' boxes, classes and hierarchy, and nocaps' image lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.datasets import boxes
from referee.datasets.boxes import LabelledBox
from referee.datasets.formats import Format
from referee.errors import DataError
from referee.games.model import Box

OWN = Path(__file__).resolve().parent.parent / "data" / "open_images"
HEADER = "ImageID,LabelName,XMin,XMax,YMin,YMax,IsOccluded\n"


def recognised(path: Path) -> Format:
    (found,) = [each for each in boxes.FORMATS if each.recognises(path, path.read_bytes()[:65536])]
    return found


def test_published_classes(shared: Path) -> None:
    """The published table has 601 lines, a class on each."""
    path = shared / "open_images" / "class-descriptions-boxable.csv"
    found = boxes.classes(path)
    assert len(found) == 601
    assert (found["/m/011k07"], found["/m/0zvk5"]) == ("Tortoise", "Helmet")
    assert recognised(path).summarise(path, []) == {"classes": 601}


def test_published_hierarchy(shared: Path) -> None:
    """All classes hang below a root that is none of them."""
    path = shared / "open_images" / "bbox_labels_600_hierarchy.json"
    root = boxes.hierarchy(path)
    names = boxes.classes(shared / "open_images" / "class-descriptions-boxable.csv")
    assert {entity.label for entity in root.walk()} == {root.label} | set(names)
    assert recognised(path).summarise(path, [])["classes below the root"] == 601


def test_published_kinds_and_parts(shared: Path) -> None:
    """A tortoise is a kind of animal; an arm is a part of a person and not a kind of one."""
    names = boxes.classes(shared / "open_images" / "class-descriptions-boxable.csv")
    labels = {name: label for label, name in names.items()}
    root = boxes.hierarchy(shared / "open_images" / "bbox_labels_600_hierarchy.json")
    animal, person = root.find(labels["Animal"]), root.find(labels["Person"])
    assert animal is not None
    assert person is not None
    assert labels["Tortoise"] in animal.descendants()
    assert labels["Human arm"] in person.parts_below()
    assert labels["Human arm"] not in person.descendants()


def test_boxes() -> None:
    """Marks are yes, no, or unknown where the table has -1; boxes become pixels of a picture."""
    first, second, third = boxes.read(OWN / "boxes.csv")
    assert (first.image, first.label, first.occluded) == ("0001eeaf4aed83f9", "/m/0cmf2", False)
    assert (second.occluded, second.truncated, second.group) == (True, False, None)
    assert second.pixels(1000, 500) == Box(250, 250, 500, 250)
    assert (third.confidence, third.depiction, third.inside) == (0.5, True, True)
    path = OWN / "boxes.csv"
    assert recognised(path).summarise(path, []) == {"images": 2, "boxes": 3, "classes": 3}


def test_marks_may_be_missing(tmp_path: Path) -> None:
    """A table without some of the marks says nothing of them."""
    path = tmp_path / "boxes.csv"
    path.write_text(f"{HEADER}a,/m/1,0,1,0.5,1,0\n", encoding="utf-8")
    assert list(boxes.read(path)) == [LabelledBox("a", "/m/1", 0, 1, 0.5, 1, occluded=False)]


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ("a,/m/1,0,1.5,0,1,0", "XMax"),
        ("a,/m/1,0,nan,0,1,0", "XMax"),
        ("a,/m/1,0,wide,0,1,0", "XMax"),
        ("a,/m/1,0.9,0.1,0,1,0", None),
        ("a,/m/1,0,1,0,1,2", "IsOccluded"),
        ("a,/m/1,0,1,0,1", None),
    ],
)
def test_bad_rows(tmp_path: Path, row: str, field: str | None) -> None:
    """A bad row is named by its line; skipped, the other rows stay."""
    path = tmp_path / "boxes.csv"
    path.write_text(f"{HEADER}{row}\nb,/m/1,0,1,0,1,0\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        list(boxes.read(path))
    assert (caught.value.file, caught.value.record, caught.value.field) == (str(path), 2, field)
    skipped: list[DataError] = []
    assert [found.image for found in boxes.read(path, skipped)] == ["b"]
    assert len(skipped) == 1


def test_missing_column(tmp_path: Path) -> None:
    """A table without a needed column, or without anything, is refused."""
    path = tmp_path / "boxes.csv"
    path.write_text("ImageID,LabelName\na,b\n", encoding="utf-8")
    with pytest.raises(DataError, match="column is missing"):
        list(boxes.read(path))
    path.write_text("", encoding="utf-8")
    with pytest.raises(DataError, match="table is empty"):
        list(boxes.read(path))


def test_broken_text(tmp_path: Path) -> None:
    """A row that is not UTF-8 is refused alone."""
    path = tmp_path / "boxes.csv"
    path.write_bytes(HEADER.encode() + b"\xff,/m/1,0,1,0,1,0\nb,/m/1,0,1,0,1,0\n")
    with pytest.raises(DataError, match="UTF-8"):
        list(boxes.read(path))
    skipped: list[DataError] = []
    assert [found.image for found in boxes.read(path, skipped)] == ["b"]
    assert [error.record for error in skipped] == [2]


def test_classes() -> None:
    """Names may hold commas, and lines may end in one."""
    names = {"/m/0cmf2": "Airplane", "/m/09d5_": "Owl", "/m/04yx4": "Man, grown"}
    assert boxes.classes(OWN / "classes.csv") == names


def test_bad_classes(tmp_path: Path) -> None:
    """A label has one name."""
    path = tmp_path / "classes.csv"
    path.write_text("/m/1,Owl\n/m/1,Bird\nnothing\n/m/2,Cup\n", encoding="utf-8")
    with pytest.raises(DataError, match="twice"):
        boxes.classes(path)
    skipped: list[DataError] = []
    assert boxes.classes(path, skipped) == {"/m/1": "Owl", "/m/2": "Cup"}
    assert [error.record for error in skipped] == [2, 3]


def test_hierarchy() -> None:
    """Parts and the parts of parts are no kinds."""
    root = boxes.hierarchy(OWN / "hierarchy.json")
    assert root.parts_below() == {"/m/04hgtk", "/m/0k0pj"}
    assert root.descendants() == {"/m/01g317", "/m/04yx4", "/m/0jbk", "/m/015p6", "/m/09d5_"}
    assert root.find("/m/nothing") is None


def test_nocaps() -> None:
    """A picture of nocaps has an id of its own and one of Open Images."""
    path = OWN / "nocaps_image_info.json"
    first, second = boxes.nocaps(path)
    assert (first.id, first.open_images, first.domain) == ("0", "0001eeaf4aed83f9", "near-domain")
    assert (second.width, second.height) == (640, 480)
    assert recognised(path).summarise(path, []) == {"images": 2, "near-domain": 1, "out-domain": 1}
