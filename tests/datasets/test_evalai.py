"""Rank predictions: what the server takes and what it would refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.datasets import evalai, visdial
from referee.datasets.evalai import Ranks
from referee.datasets.visdial_file import RoundKey
from referee.errors import DataError
from referee.games import Reply

DATA = Path(__file__).resolve().parent.parent / "data" / "visdial"
IDENTITY = tuple(range(1, 101))


def test_the_small_file_is_written_as_it_was_read(tmp_path: Path) -> None:
    evalai.write(tmp_path / "again.json", evalai.read(DATA / "ranks.json"))
    again = json.loads((tmp_path / "again.json").read_bytes())
    assert again == json.loads((DATA / "ranks.json").read_bytes())


def test_rounds_count_from_0_inside_and_from_1_in_the_file(tmp_path: Path) -> None:
    evalai.write(tmp_path / "ranks.json", [Ranks("7", 0, IDENTITY)])
    assert json.loads((tmp_path / "ranks.json").read_bytes())[0]["round_id"] == 1
    assert next(evalai.read(tmp_path / "ranks.json")).key == RoundKey("7", 0)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "image missing": ({"image_id": ...}, "image_id"),
    "round from 0": ({"round_id": 0}, "round_id"),
    "round eleven": ({"round_id": 11}, "round_id"),
    "ranks missing": ({"ranks": ...}, "ranks"),
    "99 ranks": ({"ranks": [*range(1, 100)]}, "ranks"),
    "a rank twice": ({"ranks": [1, 1, *range(3, 101)]}, "ranks"),
    "ranks from 0": ({"ranks": [*range(100)]}, "ranks"),
    "rank too large": ({"ranks": [*range(2, 102)]}, "ranks"),
    "rank no integer": ({"ranks": [1.5, *range(2, 101)]}, "ranks["),
    "rank a text": ({"ranks": ["1", *range(2, 101)]}, "ranks["),
    "seen before": ({"image_id": 4101, "round_id": 1}, ""),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_rows_are_named_or_collected(tmp_path: Path, name: str) -> None:
    """The error tells file, record, field and what was expected; the other rows survive."""
    changes, field = BAD[name]
    content = json.loads((DATA / "ranks.json").read_bytes())
    row = content[5] | changes
    content[5] = {key: value for key, value in row.items() if value is not ...}
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(content))
    with pytest.raises(DataError) as caught:
        list(evalai.read(path))
    assert caught.value.file == str(path)
    assert caught.value.record is not None
    assert field in (caught.value.field or "")
    assert caught.value.expected
    skipped: list[DataError] = []
    assert len(list(evalai.read(path, skipped))) == 5
    assert [str(error) for error in skipped] == [str(caught.value)]


def test_what_is_no_ranking_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="one rank to several"):
        evalai.write(tmp_path / "no.json", [Ranks("7", 0, (1,) * 100)])
    assert not list(tmp_path.iterdir())


def test_the_server_wants_every_round_with_options() -> None:
    """Of val that is every round, of test the last of each dialogue."""
    assert len(evalai.wanted_rounds(visdial.games(DATA / "val.json"))) == 6
    last = evalai.wanted_rounds(visdial.games(DATA / "test.json"))
    assert last == [RoundKey("5101", 1), RoundKey("5202", 0)]


def test_a_whole_file_is_refused_for_nothing() -> None:
    wanted = evalai.wanted_rounds(visdial.games(DATA / "val.json"))
    assert evalai.refusals(DATA / "ranks.json", wanted) == []


def test_a_missing_and_a_foreign_round_are_refused(tmp_path: Path) -> None:
    """Each refusal names its round, and a bad row is a refusal as well."""
    rows = [row for row in evalai.read(DATA / "ranks.json") if row.key != RoundKey("4202", 1)]
    path = tmp_path / "short.json"
    evalai.write(path, [*rows, Ranks("9", 4, IDENTITY)])
    content = json.loads(path.read_bytes())
    content[0]["ranks"][0] = 0
    path.write_text(json.dumps(content))
    wanted = evalai.wanted_rounds(visdial.games(DATA / "val.json"))
    found = [(error.record, error.message) for error in evalai.refusals(path, wanted)]
    assert [record for record, _ in found] == [
        "image 4101, round 0 (from 0)",
        "image 4101, round 0 (from 0)",
        "image 4202, round 1 (from 0)",
        "image 9, round 4 (from 0)",
    ]
    assert [message for _, message in found][1:] == [
        "is not ranked",
        "is not ranked",
        "is no image of the split",
    ]


def test_2060_of_2064_images_are_refused(tmp_path: Path) -> None:
    """The images that lack are told in one line and not round by round."""
    wanted = [RoundKey(str(image), number) for image in range(2_064) for number in range(2)]
    path = tmp_path / "short.json"
    evalai.write(path, (Ranks(image, number, IDENTITY) for image, number in wanted[8:]))
    (found,) = evalai.refusals(path, wanted)
    assert found.message == "ranks 2060 of 2064 images"
    assert found.file == str(path)


def changed(tmp_path: Path, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """What the server would refuse of the small file with each row changed."""
    content = json.loads((DATA / "ranks.json").read_bytes())
    for row in content:
        change(row)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(content))
    wanted = evalai.wanted_rounds(visdial.games(DATA / "val.json"))
    return [str(problem).removeprefix(f"{path}, ") for problem in evalai.refusals(path, wanted)]


def test_rounds_that_count_from_0_are_refused(tmp_path: Path) -> None:
    """Each first round is out of range, and each last one is missing."""
    said = changed(tmp_path, lambda row: row.update(round_id=row["round_id"] - 1))
    assert said[0] == (
        "record image 4101, field $.round_id: is 0 "
        "(expected 1 to 10: the server's rounds count from 1)"
    )
    assert any("is not ranked" in line for line in said)


def test_images_named_by_text_are_refused(tmp_path: Path) -> None:
    (said,) = changed(tmp_path, lambda row: row.update(image_id=str(row["image_id"])))
    assert "is a text here and in 5 other rows (expected a number)" in said


def test_other_images_are_refused(tmp_path: Path) -> None:
    said = changed(tmp_path, lambda row: row.update(image_id=row["image_id"] + 1))
    assert "ranks 0 of 3 images" in said[0]
    assert sum("is no image of the split" in line for line in said) == 6


def test_ranks_of_99_options_are_refused(tmp_path: Path) -> None:
    said = changed(tmp_path, lambda row: row.update(ranks=row["ranks"][:99]))
    assert sum("has 99 ranks" in line for line in said) == 6


def test_the_verdict_without_dialogues_goes_by_the_published_counts() -> None:
    """The server refused 2,060 of 2,064 images, and so does the verdict."""
    val = [RoundKey(str(image), number) for image in range(2_064) for number in range(10)]
    test = [RoundKey(str(image), image % 10) for image in range(8_000)]
    assert evalai.verdict(val) == "accepted as val"
    assert evalai.verdict(test) == "accepted as test"
    assert evalai.verdict(val[:-40]) == "refused: 2060 images, val has 2064"
    assert evalai.verdict(val[:-1]) == "refused: 1 of 2064 images lack a round"
    assert evalai.verdict(test[:-1]) == "refused: 7999 images, test has 8000"


def test_the_check_says_what_the_server_would() -> None:
    skipped: list[DataError] = []
    (kind,) = evalai.FORMATS
    counts = kind.summarise(DATA / "ranks.json", skipped)
    assert not skipped
    assert counts["rank rows"] == 6
    assert counts["the v1.0 server"] == "refused: 3 of 3 images lack a round"


def test_the_best_rank_is_the_highest_score() -> None:
    """As transcripts, predictions are option scores that order the options as the ranks do."""
    first = next(evalai.transcripts(DATA / "ranks.json", visdial.games(DATA / "val.json")))
    reply = first.events[1]
    assert isinstance(reply, Reply)
    ranks = next(evalai.read(DATA / "ranks.json")).ranks
    assert reply.scores.index(max(reply.scores)) == ranks.index(1)
    assert sorted(range(100), key=lambda place: -reply.scores[place])[:3] == [
        ranks.index(rank) for rank in (1, 2, 3)
    ]


ROWS = st.builds(
    Ranks,
    image=st.integers(0, 10**9).map(str),
    round=st.integers(0, 9),
    ranks=st.permutations(range(1, 6)).map(tuple),
    form=st.sampled_from(("int", "str")),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(ROWS, unique_by=lambda row: row.key))
def test_written_rows_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Ranks]
) -> None:
    """Whatever is written is read back equal, also as an array."""
    path = tmp_path_factory.mktemp("ranks") / "rows.json"
    evalai.write(path, rows, options=5)
    assert list(evalai.read(path, options=5)) == rows
    table = evalai.array(rows)
    assert table.keys == tuple(row.key for row in rows)
    assert table.values.tolist() == [list(row.ranks) for row in rows]
