"""Millions of boxes as polars streams them: the rows of the pictures that are wanted, in the table's order.

Every row is checked as `referee.datasets.boxes` checks it, but a column at a time; what is wrong with a
bad one is asked of that reader, which names the field.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from referee.datasets import boxes
from referee.datasets.files import Skipped, check_gzip, read_head, reading, refuse
from referee.errors import DataError

if TYPE_CHECKING:
    import polars as pl

SIDES = ("XMin", "XMax", "YMin", "YMax")
MARKS = ("IsOccluded", "IsTruncated")
NEEDED = ("ImageID", "LabelName", *SIDES, *MARKS)
LINE, PICTURE, KIND = "line", "picture", "kind"
_BAD = "bad"
_CHUNK = 100_000
_HEADER = 1 << 20


def scan(
    path: Path, images: Sequence[str], labels: Sequence[str], skipped: Skipped = None
) -> Iterator[pl.DataFrame]:
    """The rows of some pictures, in chunks: LINE, PICTURE and KIND, the sides and the marks.

    PICTURE is the place of the picture among the images, KIND that of the class among the labels.
    """
    import polars as pl

    check_gzip(path)  # polars may take a file that is cut short for a whole one
    names = _header(path)
    rows = _rows(path, names, typed=True).filter(~pl.all_horizontal(pl.col(NEEDED).is_null()))
    placed = rows.with_columns(
        pl.col("ImageID").cast(pl.Enum(list(images)), strict=False).to_physical().alias(PICTURE),
        pl.col("LabelName").cast(pl.Enum(list(labels)), strict=False).to_physical().alias(KIND),
    ).with_columns(_bad().alias(_BAD))
    wanted = placed.filter(pl.col(PICTURE).is_not_null() | pl.col(_BAD))
    with _said(path):
        chunks = wanted.select(LINE, PICTURE, KIND, *SIDES, *MARKS, _BAD).collect_batches(
            chunk_size=_CHUNK, maintain_order=True
        )
        for chunk in chunks:
            if chunk[_BAD].any():
                lines = chunk.filter(_BAD)[LINE]
                for error in _explained(path, names, lines if skipped is not None else lines[:1]):
                    refuse(error, skipped)
            good = chunk.filter(~pl.col(_BAD)).drop(_BAD)
            if len(good):
                yield good


def _header(path: Path) -> dict[str, str]:
    """The needed columns, and how the table writes their names."""
    head = read_head(path, _HEADER).decode("utf-8-sig", errors="replace")
    header = next(csv.reader(head.splitlines()[:1]), None)
    if not header:
        raise DataError("the table is empty", file=path, expected=f"a header: {list(NEEDED)}")
    names = {name.strip(): name for name in reversed(header)}
    for name in NEEDED:
        if name not in names:
            raise DataError("the column is missing", file=path, record=1, field=name)
    return {name: names[name] for name in NEEDED}


def _rows(path: Path, names: Mapping[str, str], *, typed: bool) -> pl.LazyFrame:
    """The needed columns and the lines on which they stand; where typed, null is what has not its type."""
    import polars as pl

    types: dict[str, type[pl.DataType]] = dict.fromkeys(NEEDED, pl.String)
    if typed:
        types |= dict.fromkeys(SIDES, pl.Float64) | dict.fromkeys(MARKS, pl.Int8)
    found = pl.scan_csv(
        path,
        schema_overrides={names[name]: kind for name, kind in types.items()},
        infer_schema=False,
        ignore_errors=True,
        truncate_ragged_lines=True,
        encoding="utf8-lossy",
        row_index_name=LINE,
        row_index_offset=2,  # the first row stands under the header
    )
    return found.select(LINE, *(pl.col(names[name]).alias(name) for name in NEEDED))


def _bad() -> pl.Expr:
    import polars as pl

    good = pl.all_horizontal(
        pl.col("ImageID").is_not_null(),
        pl.col(KIND).is_not_null(),
        *(pl.col(name).is_between(0, 1) for name in SIDES),
        *(pl.col(name).is_between(-1, 1) for name in MARKS),
        pl.col("XMin") <= pl.col("XMax"),
        pl.col("YMin") <= pl.col("YMax"),
    )
    return ~good.fill_null(value=False)


def _explained(path: Path, names: Mapping[str, str], lines: pl.Series) -> Iterator[DataError]:
    """What is wrong on each of some lines."""
    import polars as pl

    rows = _rows(path, names, typed=False).filter(pl.col(LINE).is_in(lines.implode()))
    for row in rows.collect(engine="streaming").iter_rows(named=True):
        line = row.pop(LINE)
        error = _wrong({name: value or "" for name, value in row.items()})
        yield error.located(file=path, record=line)


def _wrong(row: Mapping[str, str]) -> DataError:
    for name in ("ImageID", *SIDES, *MARKS):
        if not row[name].strip():
            return DataError("is empty", field=name, expected="a value")
    try:
        boxes.checked(row)
    except DataError as error:
        return error
    return DataError(
        f"{row['LabelName']!r} is no known class",
        field="LabelName",
        expected="a label of the file of classes",
    )


@contextmanager
def _said(path: Path) -> Iterator[None]:
    """What polars says of a file as a DataError that names it."""
    import polars as pl

    try:
        with reading(path):
            yield
    except pl.exceptions.PolarsError as error:
        why = str(error).partition("\n")[0]
        raise DataError(f"cannot be read as a table: {why}", file=path) from None
