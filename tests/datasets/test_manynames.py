"""ManyNames' objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.datasets import manynames
from referee.errors import DataError
from referee.games.model import Box

OWN = Path(__file__).resolve().parent.parent / "data" / "manynames" / "objects.tsv"


def test_published_objects(shared: Path) -> None:
    """The published table has 25,315 objects, each on an image of its own."""
    path = shared / "manynames" / "objects.tsv"
    (found,) = manynames.FORMATS
    assert found.recognises(path, path.read_bytes()[:65536])
    problems: list[DataError] = []
    counts = found.summarise(path, problems)
    assert (counts["objects"], counts["images"], counts["categories"]) == (25315, 25315, 12)
    assert not problems
    first = next(manynames.read(path))
    assert (first.id, first.name, first.box) == ("1060282", "desk", Box(131, 233, 506, 245))


def test_quoted_names() -> None:
    """A name may hold a quotation mark, which the table doubles."""
    assert [each.name for each in manynames.read(OWN)] == ["owl", 'kite"']


@pytest.mark.parametrize("box", ["[1, 2, 3]", "1, 2, 3, 4", "[1, 2, 3, -4]", "[1, 2, 3, NaN]", ""])
def test_bad_boxes(tmp_path: Path, box: str) -> None:
    """A box is four numbers."""
    path = tmp_path / "objects.tsv"
    path.write_text(
        OWN.read_text(encoding="utf-8").replace("[10, 20, 60, 80]", box), encoding="utf-8"
    )
    with pytest.raises(DataError) as caught:
        list(manynames.read(path))
    assert (caught.value.record, caught.value.field) == (2, "bbox_xywh")
    skipped: list[DataError] = []
    assert len(list(manynames.read(path, skipped))) == len(skipped) == 1


def test_object_twice(tmp_path: Path) -> None:
    """An object stands once in the table."""
    path = tmp_path / "objects.tsv"
    text = OWN.read_text(encoding="utf-8")
    path.write_text(text + text.splitlines()[1] + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="comes twice"):
        list(manynames.read(path))
