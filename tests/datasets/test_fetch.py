"""Data sets and pictures, fetched from a real server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from referee.datasets.fetch import (
    SUMS,
    DataSet,
    PublishedFile,
    chosen,
    fetch,
    fetch_pictures,
    table,
)
from referee.datasets.transfer import Patience
from referee.errors import TransferError, UsageError
from referee.games import Scene

BODY = bytes(range(256)) * 40
SHA = sha256(BODY).hexdigest()
QUICK = Patience(tries=3, timeout=5, pause=0.01)


@dataclass
class Site:
    """A folder that is served, its address, and what was asked of it."""

    folder: Path
    url: str = ""
    asked: list[str] = field(default_factory=list)

    def put(self, files: dict[str, bytes]) -> None:
        """Serves these files too."""
        for name, data in files.items():
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of a folder on this machine, in a thread of its own."""
    site = Site(tmp_path_factory.mktemp("site"))

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *words: Any) -> None:
            super().__init__(*words, directory=str(site.folder))

        def log_request(self, *_: object) -> None:
            site.asked.append(self.path)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        site.url = f"http://127.0.0.1:{running.server_address[1]}"
        yield site
        running.shutdown()
        thread.join()


def one(server: Site, **known: Any) -> DataSet:
    """A data set of one file, which is served."""
    server.put({"file.bin": BODY})
    return DataSet("one", "", (PublishedFile("file.bin", (f"{server.url}/file.bin",), **known),))


def test_a_data_set(server: Site, tmp_path: Path) -> None:
    """What came is recorded as `sha256sum` writes it; what is there is checked and stays."""
    (first,) = fetch(one(server), tmp_path, patience=QUICK)
    assert (first.sha256, first.known, first.fresh) == (SHA, False, True)
    assert (tmp_path / SUMS).read_text(encoding="utf-8") == f"{SHA}  file.bin\n"
    (again,) = fetch(one(server, sha256=SHA), tmp_path, patience=QUICK)
    assert (again.known, again.fresh) == (True, False)
    assert len(server.asked) == 1


def test_what_is_there_and_wrong(server: Site, tmp_path: Path) -> None:
    """A file that changed since it came is named and left alone."""
    list(fetch(one(server), tmp_path, patience=QUICK))
    (tmp_path / "file.bin").write_bytes(b"something else")
    with pytest.raises(TransferError, match="move it away"):
        list(fetch(one(server), tmp_path, patience=QUICK))
    assert (tmp_path / "file.bin").read_bytes() == b"something else"


def test_a_mirror_after_the_first_address(server: Site, tmp_path: Path) -> None:
    """Where the first address fails the next is tried, and the reasons of all are given at last."""
    server.put({"second": BODY})
    addresses = (f"{server.url}/first", f"{server.url}/second")
    data = DataSet("one", "", (PublishedFile("file.bin", addresses),))
    assert next(fetch(data, tmp_path, patience=QUICK)).sha256 == SHA
    (server.folder / "second").unlink()
    with pytest.raises(TransferError, match=r"first: .*404.*; .*second: .*404"):
        next(fetch(data, tmp_path / "other", patience=QUICK))


def test_the_table() -> None:
    """Every published file has addresses, and checksums and sizes where they are known."""
    assert {"guesswhat", "visdial", "densevisdial", "compguesswhat", "coco-2014"} <= set(table())
    for data in table().values():
        assert data.about
        assert len({each.name for each in data.files}) == len(data.files) > 0
        for each in data.files:
            assert all(url.startswith(("http://", "https://")) for url in each.urls)
            assert each.urls
            assert len(each.sha256) in {0, 64}
            assert "/" not in each.name


def test_published_checksums_are_those_of_real_files(shared: Path) -> None:
    """The checksums of the table are those of the real files at hand."""
    seen = 0
    for name in ("densevisdial", "guesswhich"):
        for each in table()[name].files:
            data = (shared / name / each.name).read_bytes()
            assert (sha256(data).hexdigest(), len(data)) == (each.sha256, each.bytes)
            seen += 1
    assert seen == 9


def test_other_addresses_for_a_data_set() -> None:
    """A mirror replaces the addresses; one address cannot stand for several files."""
    mirrored = chosen("guesswhat", base_url="http://mirror/gw/")
    assert mirrored.files[1].urls == ("http://mirror/gw/guesswhat.valid.jsonl.gz",)
    assert chosen("glove", url="http://mirror/g.zip").files[0].urls == ("http://mirror/g.zip",)
    with pytest.raises(UsageError, match="has 3 files"):
        chosen("guesswhat", url="http://mirror/x")
    with pytest.raises(UsageError, match="no data set 'guess'"):
        chosen("guess")


def picture(shade: int) -> bytes:
    """A small PNG."""
    stream = BytesIO()
    Image.new("L", (8, 6), shade).save(stream, "PNG")
    return stream.getvalue()


def scenes(server: Site, *names: str) -> Iterator[Scene]:
    """A scene for each picture."""
    return (Scene(name, 8, 6, file=name, url=f"{server.url}/{name}") for name in names)


def test_pictures(server: Site, tmp_path: Path) -> None:
    """Each picture is fetched once under its name; what fails is listed, and the rest goes on."""
    files = {"a.png": picture(1), "b.png": picture(2), "sub/c.png": picture(3)}
    server.put({**files, "page.png": b"<html>no picture", "short.png": picture(4)[:50]})
    names = ["a.png", "b.png", "a.png", "sub/c.png", "page.png", "short.png", "none.png"]
    result = fetch_pictures(scenes(server, *names), tmp_path, patience=QUICK)
    assert (result.fetched, result.present) == (3, 0)
    assert set(result.failed) == {"page.png", "short.png", "none.png"}
    assert "404" in result.failed["none.png"]
    assert "no readable picture" in result.failed["short.png"]
    there = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert there == {"a.png", "b.png", "sub/c.png"}


def test_pictures_that_are_there(server: Site, tmp_path: Path) -> None:
    """What is there is not asked for again; what is there and no picture is listed."""
    server.put({"a.png": picture(1), "b.png": picture(2)})
    (tmp_path / "a.png").write_bytes(picture(9))
    (tmp_path / "bad.png").write_bytes(b"nothing to see")
    told: list[tuple[int, int | None]] = []
    result = fetch_pictures(
        scenes(server, "a.png", "b.png", "bad.png"),
        tmp_path,
        connections=2,
        progress=lambda done, total: told.append((done, total)),
        patience=QUICK,
    )
    assert (result.fetched, result.present, set(result.failed)) == (1, 1, {"bad.png"})
    assert server.asked == ["/b.png"]
    assert (tmp_path / "a.png").read_bytes() == picture(9)
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_pictures_from_a_mirror(server: Site, tmp_path: Path) -> None:
    """With a base address the file names say where the pictures are; an id stands in for a name."""
    server.put({"m/a b.png": picture(1), "m/17.jpg": picture(2)})
    named = [Scene("1", file="a b.png", url="http://127.0.0.1:9/gone"), Scene("17")]
    result = fetch_pictures(iter(named), tmp_path, f"{server.url}/m/", patience=QUICK)
    assert (result.fetched, result.failed) == (2, {})
    assert (tmp_path / "17.jpg").exists()


@pytest.mark.parametrize("name", ["../out.png", "/etc/out.png", "a/../../out.png", "a\\..\\b.png"])
def test_pictures_stay_in_the_folder(server: Site, tmp_path: Path, name: str) -> None:
    """A file name that leads out of the folder is refused."""
    result = fetch_pictures(iter([Scene("1", file=name, url=server.url)]), tmp_path / "in")
    assert result.failed == {name: "the file name leads out of the folder"}
    assert server.asked == []


def test_pictures_without_an_address(tmp_path: Path) -> None:
    """A picture that nobody says where to find is listed."""
    result = fetch_pictures(iter([Scene("1", file="a.png")]), tmp_path, patience=QUICK)
    assert "names no address" in result.failed["a.png"]


@pytest.mark.parametrize(
    ("file", "url", "addresses"),
    [
        (
            "COCO_train2014_000000000009.jpg",
            "http://mscoco.org/images/9",
            ["http://images.cocodataset.org/train2014/COCO_train2014_000000000009.jpg"],
        ),
        (
            "COCO_val2014_000000000042.jpg",
            "http://images.cocodataset.org/val2014/COCO_val2014_000000000042.jpg",
            ["http://images.cocodataset.org/val2014/COCO_val2014_000000000042.jpg"],
        ),
        (
            "x.jpg",
            "https://s3.amazonaws.com/nocaps/x.jpg",
            ["https://s3.amazonaws.com/nocaps/x.jpg"],
        ),
        ("x.jpg", "http://mscoco.org/images/9", []),
    ],
)
def test_where_pictures_are(file: str, url: str, addresses: list[str]) -> None:
    """A host that is gone is not asked; COCO's own bucket is, for a file of its names."""
    from referee.datasets.fetch import _addresses

    assert _addresses(Scene("1", file=file, url=url), file, None) == addresses


def test_too_many_connections(tmp_path: Path) -> None:
    """A server is not flooded."""
    with pytest.raises(UsageError, match="from 1 to 16"):
        fetch_pictures(iter([]), tmp_path, connections=99)
