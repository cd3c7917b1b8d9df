"""Parquet tables: whole, damaged and absent."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest

from referee.datasets import parquet
from referee.datasets.parquet import read_parquet
from referee.errors import DataError


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of words, some of them missing, and numbers."""
    words = [None if place % 7 == 0 else f"word {place % 30}" for place in range(200)]
    frame = pl.DataFrame({"index": words, "count": list(range(200))})
    frame.write_parquet(tmp_path / "t.parquet")
    return tmp_path / "t.parquet"


def test_a_table_is_read(table: Path) -> None:
    assert read_parquet(table)["count"].sum() == 19900


def test_a_table_that_is_cut_short_is_a_data_error(table: Path) -> None:
    """Wherever it is cut; of changed bytes inside polars itself promises nothing."""
    whole = table.read_bytes()
    for end in range(0, len(whole), 7):
        table.write_bytes(whole[:end])
        with pytest.raises(DataError, match="cannot be read"):
            read_parquet(table)


def test_what_is_no_table_is_a_data_error(table: Path) -> None:
    table.write_text("index,count\na,1\n")
    with pytest.raises(DataError, match="cannot be read"):
        read_parquet(table)


def test_what_threads_write_as_they_panic_is_kept_from_the_terminal(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Written past Python, as polars does it; before and after it the terminal hears all."""
    os.write(2, b"before ")
    with parquet._quiet():
        os.write(2, b"thread panicked ")
    os.write(2, b"after")
    assert capfd.readouterr().err == "before after"


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read") as caught:
        read_parquet(tmp_path / "none.parquet")
    assert caught.value.file == str(tmp_path / "none.parquet")
