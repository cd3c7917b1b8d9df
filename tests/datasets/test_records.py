"""Rows of tables and records of documents, refused one by one."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from referee.datasets.records import box, distinct, each, listed, rows, table
from referee.errors import DataError
from referee.games.model import Box


class Cup(Struct, rename={"height": "Height"}):
    """A row of the tables below."""

    name: str
    height: float
    full: bool = False


def same(cup: Cup) -> Cup:
    return cup


def test_table(tmp_path: Path) -> None:
    """Columns are found by name in any order, others are passed over, and gzip is read like text."""
    path = tmp_path / "cups.csv.gz"
    text = '\ufeffHeight,colour,name,full\n9.5,red,"big, old",1\n\n4,blue,small,false\n'
    path.write_bytes(gzip.compress(text.encode()))
    assert list(table(path, Cup, same)) == [Cup("big, old", 9.5, full=True), Cup("small", 4)]


def test_bad_rows(tmp_path: Path) -> None:
    """A row is named by its line and its column, and blank lines count as lines."""
    path = tmp_path / "cups.csv"
    path.write_text("name,Height\n\nsmall,four\nbig\nold,9\n", encoding="utf-8")
    skipped: list[DataError] = []
    assert list(table(path, Cup, same, skipped)) == [Cup("old", 9)]
    assert [(error.record, error.field) for error in skipped] == [(3, "Height"), (4, None)]
    with pytest.raises(DataError, match="record 3, field Height"):
        list(table(path, Cup, same))


def test_a_field_that_is_too_long(tmp_path: Path) -> None:
    """A field beyond the limit of the csv module is refused like any other fault."""
    path = tmp_path / "cups.csv"
    path.write_text(f"name,Height\n{'x' * 200_000},1\nold,9\n", encoding="utf-8")
    skipped: list[DataError] = []
    assert [row for _, row in rows(path, skipped)] == [["name", "Height"], ["old", "9"]]
    assert [error.record for error in skipped] == [2]


def test_records_of_a_list(tmp_path: Path) -> None:
    """A record is named by its place in its list."""
    path = tmp_path / "cups.json"
    path.write_text('[{"name": "a", "Height": 1}, {"name": 2}, {"name": "a", "Height": 2}]')
    decoder = msgspec.json.Decoder(Cup)
    skipped: list[DataError] = []
    found = each(path, listed(path), decoder, same, skipped, "cups")
    assert list(distinct(found, lambda cup: cup.name, skipped, path)) == [Cup("a", 1)]
    assert [error.record for error in skipped] == ["cups[1]", "a"]


@pytest.mark.parametrize(
    "numbers", [(0, 0, -1, 1), (0, float("nan"), 1, 1), (float("inf"), 0, 1, 1)]
)
def test_no_box(numbers: tuple[float, float, float, float]) -> None:
    """A box is finite and has no negative size, but may begin outside its picture."""
    with pytest.raises(DataError, match="is no box"):
        box(*numbers)
    assert box(-1, -2, 0, 3) == Box(-1, -2, 0, 3)
