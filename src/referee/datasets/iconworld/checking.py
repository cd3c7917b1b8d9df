"""How `referee data check` looks at a world: every file must be the one that its manifest tells of."""

from __future__ import annotations

from hashlib import file_digest
from pathlib import Path, PurePosixPath

import msgspec
from msgspec import Struct

from referee.datasets.files import read_json, reading
from referee.datasets.formats import Count, Format
from referee.errors import DataError


class _Plan(Struct):
    games: int
    seed: int
    date: str


class _File(Struct):
    sha256: str | None = None
    """None for a folder."""


class _Manifest(Struct):
    plan: _Plan
    pictures: dict[str, int]
    files: dict[str, _File]


_MANIFEST = msgspec.json.Decoder(_Manifest)


def _compare(folder: Path, name: str, entry: _File) -> None:
    """Raises what is wrong with one entry; of folders only the presence is told."""
    inside = PurePosixPath(name)
    if "\0" in name or inside.is_absolute() or ".." in inside.parts:
        raise DataError(
            f"{name!r} is no name", field="files", expected="the name of a file of this world"
        )
    path = folder / inside
    if entry.sha256 is None:
        if not path.is_dir():
            raise DataError("there is no such folder", file=path)
        return
    with reading(path), path.open("rb") as stream:
        found = file_digest(stream, "sha256").hexdigest()
    if found != entry.sha256:
        raise DataError(
            f"has the SHA-256 {found}",
            file=path,
            expected=f"{entry.sha256}, as the manifest has it",
        )


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    manifest = read_json(path, _MANIFEST)
    for name, entry in manifest.files.items():
        try:
            _compare(path.parent, name, entry)
        except DataError as error:
            skipped.append(error.located(file=path, record=name))
    plan = manifest.plan
    return {
        "games": plan.games,
        "pictures": sum(manifest.pictures.values()),
        "files": len(manifest.files),
        "seed": str(plan.seed),
        "date": plan.date,
    }


FORMATS: tuple[Format, ...] = (
    Format(
        "iconworld",
        "the manifest of an Iconworld, with which its files are compared",
        lambda path, head: path.name == "manifest.json" and b'"iconworld"' in head,
        _summarise,
    ),
)
