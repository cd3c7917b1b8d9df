"""Dense annotations: one-based rounds, two names of the relevance, and what is odd about them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.datasets import dense
from referee.datasets.dense import Relevance
from referee.datasets.visdial_file import RoundKey, ground_truths
from referee.errors import DataError

DATA = Path(__file__).resolve().parent.parent / "data" / "visdial"
ANNOTATIONS = "visdial_1.0_val_dense_annotations_crowdsourced.json"


def test_the_real_rows_are_read_and_written_again(shared: Path, tmp_path: Path) -> None:
    """97 rows of 100 relevances, written as they were read."""
    path = shared / "visdial" / ANNOTATIONS
    rows = list(dense.read(path))
    assert len(rows) == 97
    assert {len(row.values) for row in rows} == {100}
    dense.write(tmp_path / "again.json", rows)
    assert json.loads((tmp_path / "again.json").read_bytes()) == json.loads(path.read_bytes())


def test_rounds_count_from_0_inside() -> None:
    """The file says round 2 of image 4202, which is round 1 from 0."""
    assert next(dense.read(DATA / "dense_val.json")).key == RoundKey("4202", 1)


def test_the_check_finds_the_odd_rows_of_the_real_file(shared: Path) -> None:
    """The dialogues are found beside the annotations, among others that know only some rounds."""
    skipped: list[DataError] = []
    (kind,) = dense.FORMATS
    counts = kind.summarise(shared / "visdial" / ANNOTATIONS, skipped)
    assert not skipped
    assert counts["relevance rows"] == 97
    assert counts["rounds with no candidate of relevance 1"] == "54 of 97 (55.67 %)"
    assert counts["ground truth with relevance 0"] == "10 of 97 (10.31 %)"
    assert counts["dialogues"] == "visdial_1.0_val_crowdsourced.json"


def test_without_dialogues_the_check_says_so(tmp_path: Path) -> None:
    """A broken neighbour is no companion, and no problem of the annotations either."""
    path = Path(shutil.copy(DATA / "dense_val.json", tmp_path))
    broken = (DATA / "val.json").read_bytes()[:-100]
    (tmp_path / "broken.json").write_bytes(broken)
    (tmp_path / "broken.json.gz").write_bytes(b"\x1f\x8b\x08 no gzip")
    skipped: list[DataError] = []
    (kind,) = dense.FORMATS
    counts = kind.summarise(path, skipped)
    assert not skipped
    assert counts["ground truth with relevance 0"] == "not known without the dialogues"


def test_the_small_file_has_one_row_of_each_oddity() -> None:
    """Two of three rows lack full agreement; in one of them the ground truth is irrelevant."""
    values = dense.by_key(dense.read(DATA / "dense_val.json"))
    found = dense.diagnose(values, ground_truths(DATA / "val.json"))
    assert found == dense.Diagnostics(
        rows=3, without_consensus=2, without_relevance=0, judged=3, irrelevant=1
    )


def test_the_sample_of_train_has_another_name_for_relevance(tmp_path: Path) -> None:
    """Both names are read, and each is written back."""
    content = json.loads((DATA / "dense_val.json").read_bytes())
    content[1]["relevance"] = content[1].pop("gt_relevance")
    (tmp_path / "train.json").write_text(json.dumps(content))
    rows = list(dense.read(tmp_path / "train.json"))
    assert [row.name for row in rows] == ["gt_relevance", "relevance", "gt_relevance"]
    dense.write(tmp_path / "again.json", rows)
    assert json.loads((tmp_path / "again.json").read_bytes()) == content


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "image missing": ({"image_id": ...}, "image_id"),
    "image no id": ({"image_id": [1]}, "image_id"),
    "round missing": ({"round_id": ...}, "round_id"),
    "round from 0": ({"round_id": 0}, "round_id"),
    "round eleven": ({"round_id": 11}, "round_id"),
    "round a text": ({"round_id": "2"}, "round_id"),
    "relevance missing": ({"gt_relevance": ...}, "gt_relevance"),
    "both names": ({"relevance": [0.0] * 100}, "gt_relevance"),
    "99 relevances": ({"gt_relevance": [0.0] * 99}, "gt_relevance"),
    "negative": ({"gt_relevance": [-0.2] + [0.0] * 99}, "gt_relevance["),
    "above 1": ({"gt_relevance": [0.0] * 99 + [1.2]}, "gt_relevance["),
    "a text": ({"gt_relevance": ["1"] + [0.0] * 99}, "gt_relevance["),
    "a null": ({"gt_relevance": [None] + [0.0] * 99}, "gt_relevance["),
    "no list": ({"gt_relevance": 1.0}, "gt_relevance"),
    "seen before": ({"image_id": 4101, "round_id": 3}, ""),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_rows_are_named_or_collected(tmp_path: Path, name: str) -> None:
    """The error tells file, record, field and what was expected; the other rows survive."""
    changes, field = BAD[name]
    content = json.loads((DATA / "dense_val.json").read_bytes())
    row = content[2] | changes
    content[2] = {key: value for key, value in row.items() if value is not ...}
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(content))
    with pytest.raises(DataError) as caught:
        list(dense.read(path))
    assert caught.value.file == str(path)
    assert caught.value.record is not None
    assert field in (caught.value.field or "")
    assert caught.value.expected
    skipped: list[DataError] = []
    assert len(list(dense.read(path, skipped))) == 2
    assert [str(error) for error in skipped] == [str(caught.value)]


def test_a_relevance_that_is_no_number_is_found(tmp_path: Path) -> None:
    """NaN as some writers put it into JSON is refused with its place, or counted; the others are read."""
    content = json.loads((DATA / "dense_val.json").read_bytes())
    content[1]["gt_relevance"][7] = float("nan")
    path = tmp_path / "nan.json"
    path.write_text(json.dumps(content))
    with pytest.raises(DataError, match=r"record \[1\], field \$\.gt_relevance\[7\]") as caught:
        list(dense.read(path))
    assert caught.value.expected == "a finite number"
    skipped: list[DataError] = []
    found = list(dense.read(path, skipped))
    assert [str(error) for error in skipped] == [str(caught.value)]
    assert len(found) == len(content) - 1


ROWS = st.builds(
    Relevance,
    image=st.integers(0, 10**9).map(str),
    round=st.integers(0, 9),
    values=st.tuples(*[st.integers(0, 5).map(lambda fifths: fifths / 5)] * 4),
    form=st.sampled_from(("int", "str")),
    name=st.sampled_from(("gt_relevance", "relevance")),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(ROWS, unique_by=lambda row: row.key))
def test_written_rows_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Relevance]
) -> None:
    """Whatever is written is read back equal."""
    path = tmp_path_factory.mktemp("dense") / "rows.json"
    dense.write(path, rows)
    assert list(dense.read(path, options=4)) == rows


def test_rows_become_an_array_with_keys() -> None:
    """The array's rows are found by key, in whatever order they are asked for."""
    table = dense.array(dense.read(DATA / "dense_val.json"))
    assert table.values.shape == (3, 100)
    picked = table.at([RoundKey("4303", 0), RoundKey("4202", 1)])
    assert picked.sum(axis=1).round(6).tolist() == [0.6, 1.4]
    with pytest.raises(DataError, match="image 1, round 0 \\(from 0\\)"):
        table.at([RoundKey("1", 0)])


def test_an_array_needs_rows_of_one_length() -> None:
    rows = [Relevance("1", 0, (0.0, 1.0)), Relevance("1", 1, (0.0,))]
    with pytest.raises(DataError, match="has 1 values"):
        dense.array(rows)
