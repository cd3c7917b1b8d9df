"""makesense.ai's exports, and votes."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from referee.datasets import annotations as labels
from referee.datasets.annotations import Labelled, Vote
from referee.datasets.formats import Format
from referee.errors import DataError
from referee.games.model import Box

OWN = Path(__file__).resolve().parent.parent / "data" / "makesense"
OWL = Box(10, 20, 60, 80)


def recognised(path: Path) -> Format:
    head = b"" if path.is_dir() else path.read_bytes()[:65536]
    (found,) = [each for each in labels.FORMATS if each.recognises(path, head)]
    return found


def zipped(path: Path, *files: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(OWN / file, file)
    return path


def test_boxes() -> None:
    """Older exports have no header, newer ones have; both have a box on each line."""
    without = list(labels.read(OWN / "boxes.csv"))
    assert without[0] == Labelled("one.jpg", "owl", OWL)
    assert [(found.image, found.label) for found in without] == [
        ("one.jpg", "owl"),
        ("one.jpg", "cup"),
        ("two.jpg", "owl"),
    ]
    assert list(labels.read(OWN / "boxes_with_header.csv")) == without[:1]


def test_labels_of_whole_images() -> None:
    """The labels ticked for an image are the same from CSV and from JSON."""
    expected = [Labelled("one.jpg", "owl"), Labelled("one.jpg", "cup"), Labelled("two.jpg", "owl")]
    assert list(labels.read(OWN / "tags.csv")) == expected
    assert list(labels.read(OWN / "tags.json")) == expected


def test_yolo(tmp_path: Path) -> None:
    """YOLO texts hold shares: names and sizes make labels and pixels of them."""
    path = zipped(tmp_path / "labels.zip", "one.txt")
    first, second = labels.read(path, names=["owl", "cup"], sizes={"one": (320, 240)})
    assert (first.image, first.label, second.label) == ("one", "owl", "cup")
    assert first.box is not None
    edges = (first.box.x, first.box.y, first.box.width, first.box.height)
    assert edges == pytest.approx((10, 20, 60, 80), abs=0.001)
    bare = next(labels.read(path))
    assert bare.label == "0"
    assert bare.box is not None
    assert bare.box.width == 0.1875


def test_voc(tmp_path: Path) -> None:
    """VOC documents hold corners; a zip, a folder and the document itself read the same."""
    expected = [Labelled("one.jpg", "owl", OWL)]
    assert list(labels.read(OWN / "one.xml")) == expected
    assert list(labels.read(zipped(tmp_path / "labels.zip", "one.xml"))) == expected
    folder = tmp_path / "labels"
    folder.mkdir()
    (folder / "one.xml").write_bytes((OWN / "one.xml").read_bytes())
    assert list(labels.read(folder)) == expected


def test_coco(tmp_path: Path) -> None:
    """Polygons come as a COCO document, without the official extras."""
    path = tmp_path / "labels.json"
    document = {
        "info": {"description": "birds"},
        "images": [{"id": 1, "width": 320, "height": 240, "file_name": "one.jpg"}],
        "annotations": [
            {
                "id": 0,
                "iscrowd": 0,
                "image_id": 1,
                "category_id": 1,
                "segmentation": [[10, 20, 70, 20, 70, 100]],
                "bbox": [10, 20, 60, 80],
                "area": 2400,
            }
        ],
        "categories": [{"id": 1, "name": "owl"}],
    }
    path.write_text(json.dumps(document), encoding="utf-8")
    assert list(labels.read(path)) == [Labelled("one.jpg", "owl", OWL)]


def test_every_export_is_recognised(tmp_path: Path) -> None:
    """Each export is recognised as one format and counted."""
    counts = {"images": 2, "labels": 2, "boxes": 3, "labels of whole images": 0}
    assert recognised(OWN / "boxes.csv").summarise(OWN / "boxes.csv", []) == counts
    for file in ("boxes_with_header.csv", "tags.csv", "tags.json", "one.txt", "one.xml"):
        assert recognised(OWN / file).name == "makesense-labels"
    archive = zipped(tmp_path / "labels.zip", "one.txt")
    assert recognised(archive).summarise(archive, [])["boxes"] == 2
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "one.txt").write_bytes((OWN / "one.txt").read_bytes())
    assert recognised(tmp_path / "folder").name == "makesense-archive"
    votes = {"games": 1, "turns": 2, "annotators": 2, "votes": 5}
    assert recognised(OWN / "votes.csv").summarise(OWN / "votes.csv", []) == votes


@pytest.mark.parametrize(
    ("name", "text", "record"),
    [
        ("bad.csv", "owl,1,2,3,4,one.jpg,320\n", 1),
        ("bad.csv", "owl,1,2,-3,4,one.jpg,320,240\n", 1),
        ("bad.csv", "owl,1,2,wide,4,one.jpg,320,240\n", 1),
        ("bad.csv", "one.jpg,owl\n", 1),
        ("bad.json", '[{"image": "one.jpg", "annotations": "owl"}]', "[0]"),
        ("bad.txt", "0 0.5 0.5 0.5\n", "bad.txt"),
        ("bad.txt", "owl 0.5 0.5 0.5 0.5\n", "bad.txt"),
        ("bad.txt", "0 nan 0.5 0.5 0.5\n", "bad.txt"),
        ("bad.xml", "<annotation>", "bad.xml"),
        ("bad.xml", "<annotation><object><name>owl</name></object></annotation>", "bad.xml"),
        ("bad.xml", '<!DOCTYPE a [<!ENTITY b "c">]><annotation>&b;</annotation>', "bad.xml"),
        ("bad.zip", "PK\x03\x04", None),
    ],
)
def test_bad_exports(tmp_path: Path, name: str, text: str, record: object) -> None:
    """Bad rows, lines and documents are named; skipped, they are listed."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        list(labels.read(path))
    assert (caught.value.file, caught.value.record) == (str(path), record)
    if record is not None:
        skipped: list[DataError] = []
        assert list(labels.read(path, skipped)) == []
        assert len(skipped) == 1


def test_an_index_without_a_name(tmp_path: Path) -> None:
    """An index beyond the names is refused."""
    path = tmp_path / "one.txt"
    path.write_text("2 0.5 0.5 0.5 0.5\n", encoding="utf-8")
    with pytest.raises(DataError, match="line 1"):
        list(labels.read(path, names=["owl", "cup"]))


def test_votes(tmp_path: Path) -> None:
    """Votes are yes or no in several spellings, and are written as 1 and 0."""
    found = list(labels.read_votes(OWN / "votes.csv"))
    assert found[0] == Vote("2424", 1, "ann", "11", vote=True)
    assert [vote.vote for vote in found] == [True, False, True, False, False]
    labels.write_votes(tmp_path / "votes.csv", found)
    assert list(labels.read_votes(tmp_path / "votes.csv")) == found
    assert (tmp_path / "votes.csv").read_text().splitlines()[3] == "2424,1,bob,11,1"


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ("2424,1,cem,11,maybe", "vote"),
        ("2424,0,cem,11,1", "turn"),
        ("2424,one,cem,11,1", "turn"),
        ("2424,1,ann,11,0", None),
    ],
)
def test_bad_votes(tmp_path: Path, row: str, field: str | None) -> None:
    """A vote is yes or no, of a turn from 1 on, and given once."""
    path = tmp_path / "votes.csv"
    path.write_text((OWN / "votes.csv").read_text() + row + "\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        list(labels.read_votes(path))
    assert caught.value.field == field
    skipped: list[DataError] = []
    assert len(list(labels.read_votes(path, skipped))) == 5
    assert len(skipped) == 1
