"""Parquet tables, read so that a damaged one is an error like any other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import DataError

if TYPE_CHECKING:
    import polars as pl

_STDERR = 2


def read_parquet(path: Path) -> pl.DataFrame:
    """The table of a file."""
    import polars as pl

    try:
        with _quiet():
            return pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        why = next(iter(str(error).splitlines()), "polars gives no reason")
        raise DataError(f"cannot be read: {why}", file=path, expected="a parquet table") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps from the terminal what polars' threads write there as they panic; the error says it all."""
    try:
        kept = os.dup(_STDERR)
    except OSError:  # there is no terminal to keep it from
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, _STDERR)
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)
        os.close(nowhere)
