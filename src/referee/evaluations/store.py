"""A folder of results: results.json, games.parquet and turns.parquet, and tables as text."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import msgspec

from referee.datasets.files import read_json
from referee.datasets.parquet import read_parquet
from referee.errors import UsageError
from referee.evaluations.result import Judged, Result, Row, to_json

RESULTS, GAMES, TURNS = "results.json", "games.parquet", "turns.parquet"


def refuse_existing(folder: Path | None) -> None:
    """Nothing is overwritten: better to hear so before the work than after it."""
    if folder is not None and folder.exists():
        raise UsageError(f"{folder} exists already, and nothing is ever overwritten")


def write(folder: Path, judged: Judged, texts: Mapping[str, str] | None = None) -> Path:
    """Writes the folder as a whole or not at all; `texts` are further files by name."""
    with new_folder(folder) as making:
        _write_texts(making, {RESULTS: to_json(judged.result), **(texts or {})})
        _write_table(making / GAMES, judged.games)
        _write_table(making / TURNS, judged.turns)
    return folder


def write_texts(folder: Path, texts: Mapping[str, str]) -> Path:
    """Writes a folder of text files, as a whole or not at all."""
    with new_folder(folder) as making:
        _write_texts(making, texts)
    return folder


def holds_results(path: Path) -> bool:
    """Whether this is a folder that `write` made."""
    return (path / RESULTS).is_file()


def read(folder: Path) -> Judged:
    """The result and the rows of a folder that `write` made."""
    result = read_json(folder / RESULTS, msgspec.json.Decoder(Result))
    return Judged(result, read_table(folder / GAMES), read_table(folder / TURNS))


def read_table(path: Path) -> list[Row]:
    """The rows of a parquet file."""
    rows: list[Row] = read_parquet(path).to_dicts()
    return rows


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder beside the one to be made, which takes its name when it is complete."""
    refuse_existing(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    making = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        yield making
        making.chmod(0o755)
        making.rename(folder)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _write_texts(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")


def _write_table(path: Path, rows: Sequence[Row]) -> None:
    import polars as pl

    columns = dict.fromkeys(name for row in rows for name in row)
    table = {name: [row.get(name) for row in rows] for name in columns}
    pl.DataFrame(table, strict=False).write_parquet(path)
