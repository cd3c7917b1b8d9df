"""METEOR's English data: found in the package `pycocoevalcap`, compiled once, kept in the user's cache.

An index file is one line of JSON (its arrays' places, the small word lists, a checksum), padded, and then
the arrays, which are mapped into memory and read where they are needed. Its name holds the digest of the
files it was compiled from and of the format, so that a newer package or format finds none and makes its own.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from hashlib import file_digest, sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from referee.errors import DataError, MissingExtra, UsageError

if TYPE_CHECKING:
    from referee.metrics.text.meteor import Meteor, Tables

FORMAT = 1
PACKAGE = "pycocoevalcap"
JAR = "meteor/meteor-1.5.jar"
PARAPHRASES = "meteor/data/paraphrase-en.gz"
ARRAYS = (
    "words",
    "synset_starts",
    "synsets",
    "base_starts",
    "bases",
    "child_starts",
    "child_words",
    "entry_starts",
    "entries",
)
_MAGIC = b"referee meteor index\n"
_PAGE = 4096
_BLOCK = 1 << 20


class _Array(msgspec.Struct, frozen=True):
    type: str
    length: int
    offset: int


class _Header(msgspec.Struct, frozen=True):
    """What an index says of itself; offsets count from the end of the header.

    The checksum is that of this header with 0 in its place, and of the arrays.
    """

    key: str
    checksum: int
    size: int
    arrays: dict[str, _Array]
    function_words: list[str]
    always: list[str]
    before_numbers: list[str]


@dataclass(frozen=True)
class MeteorFiles:
    """The two files that METEOR 1.5 reads its English from."""

    jar: Path
    paraphrases: Path

    def key(self) -> str:
        """The digest of both files and of the index' format."""
        digest = sha256(f"meteor index {FORMAT}".encode())
        for path in (self.jar, self.paraphrases):
            with path.open("rb") as file:
                digest.update(file_digest(file, "sha256").digest())
        return digest.hexdigest()


def installed_files() -> MeteorFiles:
    """The files as the package brings them; the package itself is not imported."""
    spec = find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        files = MeteorFiles(Path(folder) / JAR, Path(folder) / PARAPHRASES)
        if files.jar.is_file() and files.paraphrases.is_file():
            return files
    raise MissingExtra(PACKAGE, "text")


def cache_folder() -> Path:
    """Where compiled files are kept: XDG_CACHE_HOME or ~/.cache, there in `referee`."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(named) if Path(named).is_absolute() else Path.home() / ".cache") / "referee"


def open_meteor(files: MeteorFiles | None = None, threads: int | None = None) -> Meteor:
    """METEOR 1.5 for English; the first call on a machine compiles its data, which takes a while."""
    from referee.metrics.text.meteor import Meteor

    return Meteor(open_tables(files or installed_files()), threads)


def open_tables(files: MeteorFiles) -> Tables:
    """The compiled tables of these files: mapped from the cache, or compiled into it first.

    An index that is damaged or of another format is compiled anew.
    """
    key = files.key()
    path = cache_folder() / f"meteor-{key[:16]}.index"
    found = _mapped(path, key)
    if found is None:
        _compile(files, path, key)
        found = _mapped(path, key)
    if found is None:
        raise DataError("the index cannot be read back", file=path, expected="what was written")
    return found


def _compile(files: MeteorFiles, path: Path, key: str) -> None:
    from referee.datasets.meteor_compile import compile_tables

    started = time.perf_counter()
    sys.stderr.write("referee: compiling METEOR's data, once on this machine …")
    sys.stderr.flush()
    try:
        tables = compile_tables(files.jar, files.paraphrases)
        _write(tables, path, key)
    finally:
        sys.stderr.write(f" {time.perf_counter() - started:.0f} s\n")


def _write(tables: Tables, path: Path, key: str) -> None:
    """Writes an index under another name and then renames it: readers see all of it or nothing."""
    from isal import isal_zlib

    places, offset = {}, 0
    arrays = {name: np.ascontiguousarray(getattr(tables, name)) for name in ARRAYS}
    for name, array in arrays.items():
        places[name] = _Array(array.dtype.str, len(array), offset)
        offset += len(_padded(array))
    header = _Header(
        key=key,
        checksum=0,
        size=offset,
        arrays=places,
        function_words=sorted(tables.function_words),
        always=sorted(tables.always),
        before_numbers=sorted(tables.before_numbers),
    )
    checksum = isal_zlib.crc32(msgspec.json.encode(header))
    for array in arrays.values():
        checksum = isal_zlib.crc32(_padded(array), checksum)
    header = msgspec.structs.replace(header, checksum=checksum)
    text = _MAGIC + msgspec.json.encode(header) + b"\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.stem, delete=False) as file:
            try:
                file.write(text + b" " * (-len(text) % _PAGE))
                for array in arrays.values():
                    file.write(_padded(array))
                file.close()
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise UsageError(
            f"cannot keep METEOR's index in {path.parent}: {error.strerror}; "
            "set XDG_CACHE_HOME to a folder that can be written"
        ) from error


def _padded(array: NDArray[Any]) -> bytes:
    octets = array.tobytes()
    return octets + b"\0" * (-len(octets) % _PAGE)


def _mapped(path: Path, key: str) -> Tables | None:
    """The tables of a whole index of this key, or nothing."""
    try:
        with path.open("rb") as file:
            magic, text = file.readline(), file.readline()
            if magic != _MAGIC:
                return None
            header = msgspec.json.decode(text, type=_Header)
            begin = len(magic) + len(text)
            begin += -begin % _PAGE
            if header.key != key or not _intact(path, begin, header):
                return None
    except (OSError, msgspec.DecodeError):
        return None
    from referee.metrics.text.meteor import Tables

    arrays = {
        name: np.memmap(path, np.dtype(at.type), "r", begin + at.offset, (at.length,)).view(
            np.ndarray
        )
        for name, at in header.arrays.items()
    }
    return Tables(
        **arrays,
        function_words=frozenset(header.function_words),
        always=frozenset(header.always),
        before_numbers=frozenset(header.before_numbers),
    )


def _intact(path: Path, begin: int, header: _Header) -> bool:
    from isal import isal_zlib

    if set(header.arrays) != set(ARRAYS) or path.stat().st_size != begin + header.size:
        return False
    checksum = isal_zlib.crc32(msgspec.json.encode(msgspec.structs.replace(header, checksum=0)))
    with path.open("rb") as file:
        file.seek(begin)
        while block := file.read(_BLOCK):
            checksum = isal_zlib.crc32(block, checksum)
    return checksum == header.checksum
