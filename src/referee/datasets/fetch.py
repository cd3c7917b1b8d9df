"""Published data sets by name, and the pictures that a games file needs.

What came is recorded in `SHA256SUMS` beside it, in the form that `sha256sum -c` reads.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePosixPath
from urllib.parse import quote, urlsplit

from referee.datasets.transfer import Patience, Progress, Wanted, check, download, on_disk
from referee.errors import TransferError, UsageError
from referee.games import Scene

SUMS = "SHA256SUMS"
FAILURES = "failures.txt"
PATIENT = Patience()
BRISK = Patience(tries=3)
_COCO = re.compile(r"COCO_((?:train|val|test)20\d\d)_\d{12}\.jpg")
_BUCKET = "http://images.cocodataset.org"
_GONE = ("mscoco.org",)
"""Hosts that games files name and that no longer answer; COCO's bucket is asked instead."""


@dataclass(frozen=True)
class PublishedFile:
    """One file of a data set: its addresses, and what a source states of its bytes."""

    name: str
    urls: tuple[str, ...]
    bytes: int | None = None
    sha256: str = ""


@dataclass(frozen=True)
class DataSet:
    """A published data set."""

    name: str
    about: str
    files: tuple[PublishedFile, ...]


@dataclass(frozen=True)
class Came:
    """A file that is there now, its checksum, and what could be said of it."""

    path: Path
    sha256: str
    known: bool
    """Whether a source states this checksum."""
    fresh: bool
    """Whether it was fetched now, rather than there before."""


@dataclass
class Pictures:
    """What became of the pictures of a games file."""

    fetched: int = 0
    present: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    """The reason of each picture that did not come."""


@cache
def table() -> dict[str, DataSet]:
    """The data sets of `fetch.toml`, by name."""
    text = files("referee.datasets").joinpath("fetch.toml").read_text(encoding="utf-8")
    return {
        name: DataSet(
            name,
            entry["about"],
            tuple(
                PublishedFile(
                    each["name"], tuple(each["urls"]), each.get("bytes"), each.get("sha256", "")
                )
                for each in entry["files"]
            ),
        )
        for name, entry in tomllib.loads(text).items()
    }


def chosen(name: str, *, url: str | None = None, base_url: str | None = None) -> DataSet:
    """The data set of a name, at its published addresses or at those given instead."""
    found = table().get(name)
    if found is None:
        raise UsageError(f"there is no data set {name!r}: {', '.join(table())}, or images")
    if url is not None:
        if len(found.files) > 1:
            raise UsageError(f"{name} has {len(found.files)} files: give --base-url, not --url")
        return replace(found, files=(replace(found.files[0], urls=(url,)),))
    if base_url is None:
        return found
    return replace(
        found,
        files=tuple(replace(each, urls=(_joined(base_url, each.name),)) for each in found.files),
    )


def fetch(
    data: DataSet,
    out: Path,
    progress: Callable[[str], Progress] | None = None,
    patience: Patience = PATIENT,
) -> Iterator[Came]:
    """Brings the files of a data set, one after the other; what is there and right stays."""
    for each in data.files:
        path = out / each.name
        recorded = _recorded(out).get(each.name, "")
        if path.exists():
            yield Came(path, _still_right(each, path, recorded), bool(each.sha256), fresh=False)
            continue
        told = progress(each.name) if progress is not None else None
        found = _first(each, path, patience, told)
        _record(out, each.name, found)
        yield Came(path, found, bool(each.sha256), fresh=True)


def fetch_pictures(
    scenes: Iterator[Scene],
    out: Path,
    base_url: str | None = None,
    connections: int = 4,
    progress: Progress | None = None,
    patience: Patience = BRISK,
) -> Pictures:
    """Brings the picture of each scene under its file name; each is opened before it is put in place.

    A picture that does not come is noted with its reason, and the others go on.
    """
    if not 1 <= connections <= 16:  # noqa: PLR2004 (more would be a burden to the server)
        raise UsageError(f"{connections} connections: from 1 to 16 are possible")
    needed = {_file(scene): scene for scene in scenes}
    result = Pictures()
    with ThreadPoolExecutor(connections) as pool:
        outcomes = pool.map(
            lambda item: _picture(item[1], item[0], out, base_url, patience), needed.items()
        )
        try:
            for done, (name, outcome) in enumerate(zip(needed, outcomes, strict=True), 1):
                _count(result, name, outcome)
                if progress is not None:
                    progress(done, len(needed))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return result


def readable(path: Path) -> None:
    """A file that Pillow can open whole; anything else is a TransferError."""
    from PIL import Image

    try:
        with Image.open(path) as image:
            image.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise TransferError(f"no readable picture came: {error}") from None


def _count(result: Pictures, name: str, outcome: str | None) -> None:
    if outcome is None:
        result.present += 1
    elif outcome:
        result.failed[name] = outcome
    else:
        result.fetched += 1


def _first(each: PublishedFile, path: Path, patience: Patience, progress: Progress | None) -> str:
    reasons = []
    for url in each.urls:
        try:
            return download(Wanted(url, path, each.sha256, each.bytes), patience, progress)
        except TransferError as error:
            reasons.append(str(error))
    raise TransferError("; ".join(reasons))


def _still_right(each: PublishedFile, path: Path, recorded: str) -> str:
    try:
        return check(Wanted(str(path), path, each.sha256 or recorded, each.bytes), path)
    except TransferError as error:
        raise TransferError(f"{error} (move it away to fetch it again)") from None


def _picture(
    scene: Scene, name: str, out: Path, base_url: str | None, patience: Patience
) -> str | None:
    """None where the picture was there, else the reason of the failure, empty where it came."""
    place = PurePosixPath(name)
    if place.is_absolute() or ".." in place.parts or not name or "\\" in name:
        return "the file name leads out of the folder"
    path = out / place
    if path.exists():
        return _looks_right(path)
    addresses = _addresses(scene, name, base_url)
    if not addresses:
        return "the games file names no address, and the file is not one of COCO's"
    reasons = []
    for url in addresses:
        try:
            download(Wanted(url, path, accept=readable), patience)
        except (TransferError, UsageError) as error:
            reasons.append(str(error))
        else:
            return ""
    return "; ".join(reasons)


def _looks_right(path: Path) -> str | None:
    # Only the head is read: a whole picture of tens of thousands would take minutes.
    from PIL import Image

    try:
        Image.open(path).close()
    except (OSError, Image.DecompressionBombError):
        return "the file that is there is no picture (move it away to fetch it again)"
    return None


def _addresses(scene: Scene, name: str, base_url: str | None) -> list[str]:
    if base_url is not None:
        return [_joined(base_url, name)]
    host = urlsplit(scene.url).hostname or "" if "://" in scene.url else ""
    addresses = [scene.url] if host and not host.endswith(_GONE) else []
    coco = _COCO.fullmatch(name)
    if coco and not host.endswith("cocodataset.org"):
        addresses.append(f"{_BUCKET}/{coco[1]}/{name}")
    return addresses


def _file(scene: Scene) -> str:
    return scene.file or f"{scene.id}.jpg"


def _joined(base_url: str, name: str) -> str:
    return f"{base_url.rstrip('/')}/{quote(name)}"


def _recorded(out: Path) -> dict[str, str]:
    path = out / SUMS
    if not path.exists():
        return {}
    rows = (line.split("  ", 1) for line in path.read_text(encoding="utf-8").splitlines())
    return {row[1]: row[0] for row in rows if len(row) == 2}  # noqa: PLR2004 (checksum and name)


def _record(out: Path, name: str, found: str) -> None:
    sums = {**_recorded(out), name: found}
    text = "".join(f"{each}  {key}\n" for key, each in sums.items())
    with on_disk(out / SUMS):
        (out / SUMS).write_text(text, encoding="utf-8")
