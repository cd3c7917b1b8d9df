"""Which pictures there are to see: those of a folder, or those that games or a file of boxes speak of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from referee.datasets import check, coco, guesswhat
from referee.errors import DataError
from referee.games import Scene
from referee.players.neural.features.crops import opened

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".gif", ".bmp", ".webp", ".ppm"})
_NUMBER = re.compile(r"(?:.*\D)?0*(\d+)")
_SHOWN = 5


class Picture(NamedTuple):
    """A picture that is there: its id, its name in the data, where it is, its size, what is in it."""

    id: str
    file: str
    path: Path
    size: tuple[int, int]
    scene: Scene


class Found(NamedTuple):
    """The pictures that can be read, and of the others the name and the reason."""

    pictures: tuple[Picture, ...]
    lacking: tuple[tuple[str, str], ...]

    def whole(self, folder: Path) -> tuple[Picture, ...]:
        """The pictures, or an error that names the first of those that are missing or broken."""
        if not self.lacking:
            return self.pictures
        named = "; ".join(f"{name}: {reason}" for name, reason in self.lacking[:_SHOWN])
        more = len(self.lacking) - _SHOWN
        raise DataError(
            f"{len(self.lacking)} of {len(self.lacking) + len(self.pictures)} pictures are missing"
            f" or broken: {named}{f'; and {more} more' if more > 0 else ''}",
            file=folder,
            record=self.lacking[0][0],
            expected="every picture (--skip-broken leaves these out)",
        )


def scenes_of(path: Path) -> list[Scene]:
    """The distinct scenes of a games file or of COCO's instances, in the file's order."""
    known = check.recognise(path)
    if known is not None and known.name.startswith("coco"):
        return list(coco.scenes(path))
    games = guesswhat.games(path)
    return list({game.scene.id: game.scene for game in games}.values())


def in_folder(folder: Path) -> list[Scene]:
    """A scene for each picture of a folder, by name.

    Its id is the number that ends its name, or where two pictures end in one number, its name.
    """
    if not folder.is_dir():
        raise DataError("there is no such folder", file=folder, expected="a folder of pictures")
    files = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in SUFFIXES]
    if not files:
        raise DataError("holds no pictures", file=folder, expected=", ".join(sorted(SUFFIXES)))
    ids = [number_of(path.name) for path in files]
    if len(set(ids)) < len({path.name for path in files}):
        ids = [path.stem for path in files]
    return [Scene(identity, file=path.name) for identity, path in zip(ids, files, strict=True)]


def number_of(name: str) -> str:
    """The number that ends a picture's name, as COCO's do; a name without one is its own id.

    >>> number_of("COCO_train2014_000000000009.jpg")
    '9'
    """
    stem = Path(name).stem
    match = _NUMBER.fullmatch(stem)
    return match[1] if match else stem


def find(folder: Path, scenes: Iterable[Scene], *, thorough: bool = False) -> Found:
    """The pictures of some scenes under a folder, by file name or by id.

    Each is opened as far as its size; `thorough` reads it to its end.
    """
    if not folder.is_dir():
        raise DataError("there is no such folder", file=folder, expected="a folder of pictures")
    known: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in SUFFIXES:
            known.setdefault(path.name, []).append(path)
    pictures: list[Picture] = []
    lacking: list[tuple[str, str]] = []
    for scene in scenes:
        name = scene.file or scene.url.rpartition("/")[2] or scene.id
        try:
            path = _path(known, name, scene.id)
            pictures.append(Picture(scene.id, name, path, _size(path, thorough=thorough), scene))
        except DataError as error:
            lacking.append((name, error.message))
    return Found(tuple(pictures), tuple(lacking))


def _path(known: dict[str, list[Path]], name: str, identity: str) -> Path:
    names = (name, *(f"{identity}{suffix}" for suffix in (".jpg", ".png", ".jpeg")))
    found = next((known[each] for each in names if each in known), None)
    if found is None:
        raise DataError("there is no such picture")
    if len(found) > 1:
        raise DataError(f"is there twice: {found[0]} and {found[1]}")
    return found[0]


def _size(path: Path, *, thorough: bool) -> tuple[int, int]:
    if thorough:
        return opened(path).size
    try:
        with Image.open(path) as image:
            return image.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise DataError(f"cannot be read: {error}") from None


def numbers(ids: Sequence[str], file: Path) -> list[int]:
    """Ids as the whole numbers that de Vries' layout holds."""
    for identity in ids:
        if not identity.isdecimal() or int(identity) >= 2**31:
            raise DataError(
                f"the id {identity} is no number that the layout can hold",
                file=file,
                record=identity,
                expected="a whole number of 32 bits (--layout gdse names rows by file)",
            )
    return [int(identity) for identity in ids]
