"""One file from a real server that cuts, lies, hides and changes its mind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from referee.datasets.transfer import Patience, Wanted, download
from referee.errors import TransferError, UsageError

BODY = bytes(range(256)) * 4000
SHA = sha256(BODY).hexdigest()
QUICK = Patience(tries=3, timeout=5, pause=0.01)


@dataclass
class Script:
    """What the server does with the next requests, and what it was asked."""

    body: bytes = BODY
    etag: str = '"first"'
    modified: str = ""
    ranges: bool = True
    kind: str = "application/octet-stream"
    steps: list[dict[str, Any]] = field(default_factory=list)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    """Path, Range and If-Range of each request."""
    url: str = ""


class Handler(BaseHTTPRequestHandler):
    """Serves one body, as the script says."""

    script: Script

    def do_GET(self) -> None:
        """One request."""
        script = self.script
        wanted, condition = self.headers.get("Range", ""), self.headers.get("If-Range", "")
        script.asked.append((self.path, wanted, condition))
        step = script.steps.pop(0) if script.steps else {}
        if "status" in step:
            self.send_response(step["status"])
            for name, value in step.get("headers", {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self._send(script, step, wanted, condition)

    def _send(self, script: Script, step: dict[str, Any], wanted: str, condition: str) -> None:
        start, body = 0, script.body
        fresh = condition in {"", script.etag, script.modified}
        if wanted and script.ranges and fresh:
            start = int(wanted.removeprefix("bytes=").removesuffix("-")) + step.get("shift", 0)
        if wanted and script.ranges and fresh and start >= len(body):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(body)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        rest = body[start:]
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        if script.etag:
            self.send_header("ETag", script.etag)
        if script.modified:
            self.send_header("Last-Modified", script.modified)
        self.send_header("Content-Type", script.kind)
        self.send_header("Content-Length", str(len(rest) + step.get("boast", 0)))
        self.end_headers()
        self.wfile.write(rest[: step.get("cut", len(rest))])

    def log_message(self, *_: object) -> None:
        """Keeps quiet."""


@pytest.fixture
def server() -> Iterator[Script]:
    """A server on this machine, in a thread of its own."""
    script = Script()
    handler = type("Scripted", (Handler,), {"script": script})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        script.url = f"http://127.0.0.1:{running.server_address[1]}"
        yield script
        running.shutdown()
        thread.join()


def bring(server: Script, path: Path, **known: Any) -> str:
    """Downloads the body to the path."""
    return download(Wanted(f"{server.url}/file.bin", path, **known), QUICK)


def left_over(path: Path) -> set[str]:
    """The files beside the wanted one."""
    return {each.name for each in path.parent.iterdir()} - {path.name}


def test_whole(server: Script, tmp_path: Path) -> None:
    """A download ends with the bytes in place, nothing beside them, and their checksum."""
    path = tmp_path / "new" / "file.bin"
    seen: list[tuple[int, int | None]] = []
    wanted = Wanted(f"{server.url}/file.bin", path, SHA.upper(), len(BODY))
    assert download(wanted, QUICK, lambda done, total: seen.append((done, total))) == SHA
    assert path.read_bytes() == BODY
    assert left_over(path) == set()
    assert seen[-1] == (len(BODY), len(BODY))


@pytest.mark.parametrize("validator", ["etag", "modified", "checksum"])
def test_cut_in_the_middle(server: Script, tmp_path: Path, validator: str) -> None:
    """A transfer that is cut goes on where it was, not from the beginning."""
    server.etag = '"first"' if validator == "etag" else ""
    server.modified = "Wed, 01 Jan 2020 00:00:00 GMT" if validator == "modified" else ""
    server.steps = [{"cut": 300_000}, {"cut": 200_000}]
    path = tmp_path / "file.bin"
    assert bring(server, path, sha256=SHA if validator == "checksum" else "") == SHA
    assert [wanted for _, wanted, _ in server.asked] == ["", "bytes=300000-", "bytes=500000-"]
    condition = {"etag": '"first"', "modified": server.modified, "checksum": ""}[validator]
    assert [asked[2] for asked in server.asked[1:]] == [condition] * 2


def test_many_cuts(server: Script, tmp_path: Path) -> None:
    """As long as every try gains something, it is tried again."""
    server.steps = [{"cut": 100_000}] * 9
    assert bring(server, tmp_path / "file.bin") == SHA
    assert len(server.asked) == 10


@pytest.mark.parametrize("etag", ["", 'W/"weak"'])
def test_nothing_to_join_by(server: Script, tmp_path: Path, etag: str) -> None:
    """Without a strong validator or a checksum a cut transfer starts anew."""
    server.etag = etag
    server.steps = [{"cut": 300_000}]
    assert bring(server, tmp_path / "file.bin") == SHA
    assert [wanted for _, wanted, _ in server.asked] == ["", ""]


def test_changed_on_the_server(server: Script, tmp_path: Path) -> None:
    """A file that changed between two tries starts anew, and no bytes are mixed."""
    path = tmp_path / "file.bin"
    server.steps = [{"cut": 300_000}, {"status": 503}, {"status": 503}, {"status": 503}]
    with pytest.raises(TransferError, match="503"):
        bring(server, path)
    assert left_over(path) == {"file.bin.part", "file.bin.part.tag"}
    server.body, server.etag = BODY[::-1], '"second"'
    assert bring(server, path) == sha256(server.body).hexdigest()
    assert server.asked[-1] == ("/file.bin", "bytes=300000-", '"first"')
    assert path.read_bytes() == server.body


def test_taken_up_by_another_call(server: Script, tmp_path: Path) -> None:
    """What one call left is where the next one goes on."""
    path = tmp_path / "file.bin"
    server.steps = [{"cut": 300_000}, *[{"status": 500}] * 3]
    with pytest.raises(TransferError, match="300000 bytes are kept"):
        bring(server, path)
    assert not path.exists()
    assert bring(server, path) == SHA
    assert server.asked[-1][1] == "bytes=300000-"


def test_only_the_renaming_was_missing(server: Script, tmp_path: Path) -> None:
    """A part that is already whole is put in place."""
    path = tmp_path / "file.bin"
    (tmp_path / "file.bin.part").write_bytes(BODY)
    (tmp_path / "file.bin.part.tag").write_text('"first"', encoding="utf-8")
    assert bring(server, path) == SHA
    assert left_over(path) == set()


def test_more_came_before_than_there_is(server: Script, tmp_path: Path) -> None:
    """A part that is longer than the file on the server is thrown away."""
    (tmp_path / "file.bin.part").write_bytes(BODY + b"more")
    assert bring(server, tmp_path / "file.bin", sha256=SHA) == SHA
    assert len(server.asked) == 2


def test_no_ranges(server: Script, tmp_path: Path) -> None:
    """A server that knows no ranges sends the whole file again."""
    server.ranges = False
    server.steps = [{"cut": 300_000}]
    assert bring(server, tmp_path / "file.bin") == SHA
    assert server.asked[1][1] == "bytes=300000-"


def test_no_ranges_and_always_cut(server: Script, tmp_path: Path) -> None:
    """A server that always cuts at the same place is given up."""
    server.ranges = False
    server.steps = [{"cut": 300_000}] * 99
    with pytest.raises(TransferError, match=r"cut after 300000 of 1024000 bytes"):
        bring(server, tmp_path / "file.bin")
    assert len(server.asked) <= 4


def test_another_range_than_asked(server: Script, tmp_path: Path) -> None:
    """A part that does not fit what is there is not joined."""
    server.steps = [{"cut": 300_000}, {"shift": 5}]
    assert bring(server, tmp_path / "file.bin") == SHA


def test_longer_than_it_is(server: Script, tmp_path: Path) -> None:
    """A server that promises more than it sends is not believed."""
    server.etag = ""
    server.steps = [{"boast": 10}] * 99
    with pytest.raises(TransferError, match="cut after 1024000 of 1024010 bytes"):
        bring(server, tmp_path / "file.bin")
    assert not (tmp_path / "file.bin").exists()


@pytest.mark.parametrize("code", [400, 401, 403, 404, 410])
def test_refused(server: Script, tmp_path: Path, code: int) -> None:
    """What the server refuses is not asked twice."""
    server.steps = [{"status": code}] * 3
    with pytest.raises(TransferError, match=rf"file\.bin: the server answered {code}"):
        bring(server, tmp_path / "file.bin")
    assert len(server.asked) == 1


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_busy_then_fine(server: Script, tmp_path: Path, code: int) -> None:
    """A busy server is asked again."""
    server.steps = [{"status": code, "headers": {"Retry-After": "0"}}, {"status": code}]
    assert bring(server, tmp_path / "file.bin") == SHA


def test_moved(server: Script, tmp_path: Path) -> None:
    """A redirection is followed, also when a transfer is taken up."""
    server.steps = [
        {"cut": 300_000},
        {"status": 302, "headers": {"Location": f"{server.url}/elsewhere"}},
    ]
    assert bring(server, tmp_path / "file.bin") == SHA
    assert server.asked[-1][:2] == ("/elsewhere", "bytes=300000-")


def test_wrong_checksum(server: Script, tmp_path: Path) -> None:
    """Bytes that are not the published ones are not kept."""
    path = tmp_path / "file.bin"
    with pytest.raises(TransferError, match=f"SHA-256 {SHA} instead of {'0' * 64}"):
        bring(server, path, sha256="0" * 64)
    assert list(tmp_path.iterdir()) == []


def test_wrong_size(server: Script, tmp_path: Path) -> None:
    """A file of another size than the published one is not kept."""
    with pytest.raises(TransferError, match="1024000 bytes came, and 7 were published"):
        bring(server, tmp_path / "file.bin", size=7)
    assert list(tmp_path.iterdir()) == []


def test_a_web_page(server: Script, tmp_path: Path) -> None:
    """A page that says where the file might be is not the file."""
    server.kind = "text/html; charset=utf-8"
    with pytest.raises(TransferError, match="a web page came"):
        bring(server, tmp_path / "file.bin")


def test_nobody_there(tmp_path: Path) -> None:
    """A server that does not answer at all is given up after the tries."""
    with pytest.raises(TransferError, match="the connection failed"):
        download(Wanted("http://127.0.0.1:9/file", tmp_path / "file.bin"), QUICK)


@pytest.mark.parametrize("url", ["file:///etc/hostname", "ftp://x/y", "x", ""])
def test_other_addresses(tmp_path: Path, url: str) -> None:
    """Only HTTP is spoken."""
    with pytest.raises(UsageError, match="http://"):
        download(Wanted(url, tmp_path / "file.bin"), QUICK)


@pytest.mark.parametrize("url", ["http://", "http://[::1/x", "http://a b/c", "http://x:y/"])
def test_broken_addresses(tmp_path: Path, url: str) -> None:
    """An address that leads nowhere is a TransferError like any other."""
    with pytest.raises(TransferError):
        download(Wanted(url, tmp_path / "file.bin"), QUICK)


def test_no_place_on_the_disk(server: Script, tmp_path: Path) -> None:
    """What the disk refuses is said of the disk, and not tried again."""
    (tmp_path / "full").write_text("a file, not a folder", encoding="utf-8")
    with pytest.raises(TransferError, match="full"):
        bring(server, tmp_path / "full" / "file.bin")
    (tmp_path / "file.bin.part").mkdir()
    with pytest.raises(TransferError, match=r"file\.bin\.part"):
        bring(server, tmp_path / "file.bin")
