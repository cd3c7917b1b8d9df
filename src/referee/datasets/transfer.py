"""One file over HTTP: resumed where it was cut, checked, and put in place only when it is whole.

The bytes go to `NAME.part`, with the server's validator (ETag or Last-Modified) in `NAME.part.tag`. A
broken transfer is taken up again with `Range` and `If-Range`, so that a file that has changed on the
server starts anew. Where the server gives no validator, bytes are joined only if a checksum is known.
"""

from __future__ import annotations

import http.client
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

from referee import __version__
from referee.errors import TransferError, UsageError

_CHUNK = 256 * 1024
_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
_LONGEST_PAUSE = 60.0
_PARTIAL = 206
_BEYOND = 416


@dataclass(frozen=True)
class Wanted:
    """A file that is wanted: from where, to where, and what is known of its bytes."""

    url: str
    path: Path
    sha256: str = ""
    size: int | None = None
    accept: Callable[[Path], None] | None = None
    """Raises a TransferError if the whole file is not what it should be."""


@dataclass(frozen=True)
class Patience:
    """How often a transfer that gains nothing is tried again, and how long is waited."""

    tries: int = 5
    timeout: float = 30.0
    pause: float = 1.0
    """Seconds before the second try; each further pause is twice as long."""


Progress = Callable[[int, int | None], None]
"""Told how many bytes are there, and of how many, where that is known."""


class _Cut(Exception):
    """The transfer ended early, or the server was busy: worth another try."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


_PATIENT = Patience()


def download(
    wanted: Wanted, patience: Patience = _PATIENT, progress: Progress | None = None
) -> str:
    """Brings a file and returns its SHA-256; anything that stands in the way is a TransferError."""
    if not wanted.url.startswith(("http://", "https://")):
        raise UsageError(f"{wanted.url!r} is no address that starts with http:// or https://")
    part = _part(wanted.path)
    with on_disk(wanted.path.parent):
        wanted.path.parent.mkdir(parents=True, exist_ok=True)
    most, left, pause = -1, patience.tries, patience.pause
    while True:
        try:
            _attempt(wanted, part, patience.timeout, progress)
            break
        except _Cut as cut:
            there = part.stat().st_size if part.exists() else 0
            if there > most >= 0:
                left, pause = patience.tries, patience.pause
            most = max(most, there)
            left -= 1
            if left <= 0:
                kept = f" ({there} bytes are kept for another time)" if there else ""
                raise TransferError(f"{wanted.url}: {cut}{kept}") from None
            time.sleep(min(_LONGEST_PAUSE, max(pause, cut.wait)))
            pause *= 2
    return _finish(wanted, part)


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def check(wanted: Wanted, path: Path) -> str:
    """The SHA-256 of bytes that are what was wanted; else a TransferError."""
    with on_disk(path):
        size, found = path.stat().st_size, digest(path)
    if wanted.size is not None and size != wanted.size:
        raise TransferError(f"{wanted.url}: {size} bytes came, and {wanted.size} were published")
    if wanted.sha256 and found != wanted.sha256.lower():
        raise TransferError(
            f"{wanted.url}: the bytes are not the published ones: "
            f"SHA-256 {found} instead of {wanted.sha256}"
        )
    if wanted.accept is not None:
        wanted.accept(path)
    return found


def _part(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


def _tag(part: Path) -> Path:
    return part.with_name(f"{part.name}.tag")


@contextmanager
def on_disk(path: Path) -> Iterator[None]:
    """Keeps what the disk says apart from what the connection says: trying again would not help."""
    try:
        yield
    except OSError as error:
        raise TransferError(f"{path}: {error.strerror or error}") from None


def _attempt(wanted: Wanted, part: Path, timeout: float, progress: Progress | None) -> None:
    there = part.stat().st_size if part.exists() else 0
    known = _tag(part).read_text(encoding="utf-8") if _tag(part).exists() else ""
    headers = {"User-Agent": f"referee/{__version__}", "Accept-Encoding": "identity"}
    if there and (known or wanted.sha256):
        headers["Range"] = f"bytes={there}-"
        if known:
            headers["If-Range"] = known
    try:
        request = urllib.request.Request(wanted.url, headers=headers)  # noqa: S310 (http, see above)
        with urllib.request.urlopen(request, timeout=timeout) as answer:  # noqa: S310 (same)
            _receive(wanted, part, there, answer, progress)
    except urllib.error.HTTPError as error:
        with error:
            _refused(wanted, part, there, error)
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise _Cut(f"the connection failed: {str(reason) or type(reason).__name__}") from None
    except ValueError as error:
        raise TransferError(f"{wanted.url}: no usable address: {error}") from None


def _refused(wanted: Wanted, part: Path, there: int, error: urllib.error.HTTPError) -> None:
    """What an HTTP error means; returns only where the whole file is already there."""
    if error.code == _BEYOND and there:
        whole = re.fullmatch(r"bytes \*/(\d+)", error.headers.get("Content-Range", ""))
        if whole and int(whole[1]) == there:
            return
        _discard(part)
        raise _Cut("the file on the server is shorter than what came before")
    if error.code in _BUSY:
        wait = error.headers.get("Retry-After", "")
        raise _Cut(
            f"the server answered {error.code} {error.reason}", float(wait) if wait.isdigit() else 0
        )
    raise TransferError(f"{wanted.url}: the server answered {error.code} {error.reason}")


def _receive(
    wanted: Wanted, part: Path, there: int, answer: Any, progress: Progress | None
) -> None:
    kind = answer.headers.get_content_type()
    if kind == "text/html" and wanted.path.suffix not in {".html", ".htm"}:
        raise TransferError(f"{wanted.url}: a web page came instead of {wanted.path.name}")
    start, total = _span(answer)
    if start not in (0, there):
        _discard(part)
        raise _Cut(f"the server sent the file from byte {start}, and {there} was asked for")
    with on_disk(part):
        if start == 0:
            _keep_tag(part, answer)
        stream = part.open("ab" if start else "wb")
    with stream:
        done = start
        while block := answer.read1(_CHUNK):
            with on_disk(part):
                stream.write(block)
            done += len(block)
            if progress is not None:
                progress(done, total)
    if total is not None and done < total:
        raise _Cut(f"the connection was cut after {done} of {total} bytes")


def _span(answer: Any) -> tuple[int, int | None]:
    """From which byte an answer goes on, and how many the whole file has, where that is said."""
    length = answer.headers.get("Content-Length", "")
    if answer.status != _PARTIAL:
        return 0, int(length) if length.isdigit() else None
    found = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", answer.headers.get("Content-Range", ""))
    if found is None:
        raise _Cut("the server sent a part of the file without saying which")
    return int(found[1]), int(found[2]) if found[2] != "*" else None


def _keep_tag(part: Path, answer: Any) -> None:
    validator = answer.headers.get("ETag") or ""
    if not validator or validator.startswith("W/"):
        # A weak tag may not be used to join ranges (RFC 9110, 13.1.5); the date may.
        validator = answer.headers.get("Last-Modified") or ""
    if validator:
        _tag(part).write_text(validator, encoding="utf-8")
    else:
        _tag(part).unlink(missing_ok=True)


def _discard(part: Path) -> None:
    part.unlink(missing_ok=True)
    _tag(part).unlink(missing_ok=True)


def _finish(wanted: Wanted, part: Path) -> str:
    try:
        found = check(wanted, part)
    except TransferError:
        _discard(part)
        raise
    with on_disk(wanted.path):
        with part.open("rb+") as stream:
            os.fsync(stream.fileno())
        part.replace(wanted.path)
        _tag(part).unlink(missing_ok=True)
    return found
