"""A folder of results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from referee.errors import DataError, UsageError
from referee.evaluations import evaluation, questions, store
from referee.evaluations.result import Judged, Result
from referee.games import Transcript

Play = Callable[..., Transcript]


def test_what_was_written_is_read_back(
    tmp_path: Path, play: Play, figure_1: dict[str, str], known: Any
) -> None:
    judged = evaluation.judge(
        questions.EVALUATION, [play(list(figure_1))], questions.Options(oracle=known(figure_1))
    )
    folder = store.write(tmp_path / "deep" / "out", judged, {"table.md": "text"})
    assert store.read(folder) == judged
    assert (folder / "table.md").read_text("utf-8") == "text"
    turns = pl.read_parquet(folder / "turns.parquet")
    assert turns["reference_set"].to_list()[-1] == ["100"]
    assert store.holds_results(folder)


def test_nothing_is_overwritten_and_nothing_half_written_is_left(tmp_path: Path) -> None:
    empty = Judged(Result("questions", {}, {}))
    folder = store.write(tmp_path / "out", empty)
    before = (folder / "results.json").read_bytes()
    with pytest.raises(UsageError, match="exists already"):
        store.write(folder, empty)
    assert (folder / "results.json").read_bytes() == before
    broken = Judged(Result("questions", {}, {}), games=[{"a": object()}])  # type: ignore[dict-item]
    with pytest.raises(pl.exceptions.PolarsError):
        store.write(tmp_path / "broken", broken)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_results_without_rows_are_read_back(tmp_path: Path) -> None:
    empty = Judged(Result("questions", {"seed": 0}, {}))
    assert store.read(store.write(tmp_path / "out", empty)) == empty


def test_a_table_that_is_none_is_an_error_that_names_it(tmp_path: Path) -> None:
    bad = tmp_path / "games.parquet"
    for text in (b"", b"not parquet", b"PAR1"):
        bad.write_bytes(text)
        with pytest.raises(DataError, match=r"games\.parquet"):
            store.read_table(bad)
    with pytest.raises(DataError, match="absent"):
        store.read_table(tmp_path / "absent.parquet")
