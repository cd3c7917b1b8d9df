"""What is wrong with a table, a list or the classes is named."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.annotate.zero_shot.conftest import NAMES, Table

from referee.annotate.zero_shot import How, make
from referee.errors import DataError, UsageError


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ("one,/m/o,0,nan,0,1,0,0", "XMax"),
        ("one,/m/o,0,wide,0,1,0,0", "XMax"),
        ("one,/m/o,0,inf,0,1,0,0", "XMax"),
        ("one,/m/o,-0.1,1,0,1,0,0", "XMin"),
        ("one,/m/o,0.9,0.1,0,1,0,0", "XMin <= XMax"),
        ("one,/m/o,0,1,0,1,2,0", "IsOccluded"),
        ("one,/m/o,0,1,0,1,0,", "IsTruncated"),
        ("one,/m/o,0,1,0,1,0,1000", "IsTruncated"),
        ("one,/m/o,0,1,0", "YMax"),
        (",/m/o,0,1,0,1,0,0", "ImageID"),
        ("one,/m/never,0,1,0,1,0,0", "'/m/never' is no known class"),
        ("elsewhere,/m/never,0,1,0,1,0,0", "LabelName"),
        ("one,/m/o,0.03,0.13,0.2,0.3,0,0", "comes twice"),
        ('a stray "quote,/m/o,0,1,0,1,0,x', "IsTruncated"),
    ],
)
def test_a_bad_row_is_named_or_left_out(table: Table, row: str, named: str) -> None:
    table.put("one", "oosd")
    sources = table.sources()
    path = sources.boxes[0]
    before = make(sources).targets.tolist()
    path.write_text(path.read_text() + row + "\n\n")
    with pytest.raises(DataError, match=r"boxes\.csv, record 6.*" + named):
        make(sources)
    skipped: list[DataError] = []
    assert make(sources, skipped=skipped).targets.tolist() == before
    assert [error.record for error in skipped] == [6]


def test_a_table_that_is_none(table: Table) -> None:
    """A missing column, an empty file, another kind of file, and none at all are said to be so."""
    table.put("one", "oosd")
    sources = table.sources()
    path = sources.boxes[0]
    text = path.read_text()
    path.write_text(text.replace("IsOccluded", "Occluded", 1))
    with pytest.raises(DataError, match="field IsOccluded: the column is missing"):
        make(sources)
    path.write_text("")
    with pytest.raises(DataError, match="the table is empty"):
        make(sources)
    path.write_bytes(gzip.compress(text.encode())[:-12])
    with pytest.raises(DataError, match=r"boxes\.csv: "):
        make(sources)
    path.unlink()
    with pytest.raises(DataError, match="no such file"):
        make(sources)


def test_no_game_at_all_is_an_error_that_counts_why(table: Table) -> None:
    """Pictures of two things, and none that COCO lacks where only such are wanted."""
    table.put("one", "os", [(1, 0)])
    with pytest.raises(DataError, match=r"no game.*1 of 2 boxes are kept.*1 with too few"):
        make(table.sources())
    table.rows.clear()
    table.put("one", "pdpd")
    assert len(make(table.sources()).targets) == 4
    with pytest.raises(DataError, match="no game"):
        make(table.sources(), How(unseen_only=True))


def test_headers_as_they_are_found(table: Table) -> None:
    """A byte order mark, spaces around names, carriage returns and gzip change nothing."""
    table.put("one", "oosdp")
    sources = table.sources()
    path = sources.boxes[0]
    text, found = path.read_text(), make(sources).targets.tolist()
    spaced = text.replace("XMin,XMax", "XMin , XMax", 1).replace("\n", "\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + spaced.encode())
    assert make(sources).targets.tolist() == found
    path.write_bytes(gzip.compress(text.encode()))
    assert make(sources).targets.tolist() == found


def test_lists_and_classes_that_are_wrong(table: Table, tmp_path: Path) -> None:
    table.put("one", "oosd")
    sources = table.sources()
    valid = sources.lists["valid"]
    document = json.loads(valid.read_text())
    with pytest.raises(UsageError, match="which pictures"):
        make(replace(sources, valid=None))
    with pytest.raises(DataError, match=r"field open_images_id.*one list"):
        make(replace(sources, test=valid))
    flat = tmp_path / "flat.json"
    flat.write_text(json.dumps({"images": [document["images"][0] | {"width": 0}]}))
    with pytest.raises(DataError, match=r"flat\.json, record images\[0\], field width, height"):
        make(replace(sources, valid=flat))
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"images": [document["images"][0] | {"open_images_id": "else"}]}))
    with pytest.raises(DataError, match="no box of any picture"):
        make(replace(sources, valid=other))
    none = tmp_path / "none.csv"
    none.write_text("")
    with pytest.raises(DataError, match="names no classes"):
        make(replace(sources, classes=none))
    tree = tmp_path / "tree.json"
    tree.write_text(json.dumps({"LabelName": "/m/root", "Subcategory": []}))
    body = replace(table, folder=tmp_path / "body", names=NAMES | {"/m/h": "Human body"})
    with pytest.raises(DataError, match=r"human body is not in the hierarchy"):
        make(replace(body.sources(), hierarchy=tree))
