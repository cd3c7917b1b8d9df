"""`referee data fetch`, as it is called."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PIL import Image

from referee.cli.data_fetch import fetch
from referee.errors import DataError, TransferError, UsageError


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder without a word."""

    def log_message(self, *_: object) -> None:
        """Keeps quiet."""


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address under which it is served."""
    folder = tmp_path / "mirror"
    folder.mkdir()
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield folder, f"http://127.0.0.1:{running.server_address[1]}"
        running.shutdown()
        thread.join()


def games_file(path: Path, *names: str) -> Path:
    """A GuessWhat?! file of the old release, one game a picture."""
    rows = [
        {
            "id": number,
            "image": {"id": number, "width": 8, "height": 6, "file_name": name},
            "objects": [
                {"id": 1, "category": "dog", "category_id": 18, "bbox": [0, 0, 4, 4], "area": 16}
            ],
            "object_id": 1,
            "qas": [],
            "status": "success",
        }
        for number, name in enumerate(names)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a name every data set is listed."""
    fetch()
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("guesswhat", "visdial", "images", "6 known"))


def test_a_data_set_from_a_mirror(
    mirror: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The files come into a folder with the name of the data set; a second call leaves them there."""
    folder, url = mirror
    for name in ("annotations_trainval2014.zip", "x.zip"):
        (folder / name).write_bytes(b"PK" + name.encode())
    fetch("coco-2014", out=tmp_path / "data", base_url=url)
    file = tmp_path / "data" / "coco-2014" / "annotations_trainval2014.zip"
    assert file.read_bytes() == b"PKannotations_trainval2014.zip"
    assert "no published checksum" in capsys.readouterr().out
    fetch("coco-2014", out=tmp_path / "data", base_url=url)
    assert "there already" in capsys.readouterr().out
    fetch("coco-2014", out=tmp_path / "other", url=f"{url}/x.zip")
    assert (tmp_path / "other/coco-2014/annotations_trainval2014.zip").read_bytes() == b"PKx.zip"


def test_a_mirror_with_other_bytes(mirror: tuple[Path, str], tmp_path: Path) -> None:
    """A mirror whose bytes are not the published ones is refused."""
    folder, url = mirror
    (folder / "pools.json").write_bytes(b"[]".ljust(25828))
    with pytest.raises(TransferError, match="the bytes are not the published ones"):
        fetch("guesswhich", out=tmp_path, base_url=url)


def test_pictures(
    mirror: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the pictures of the games come; failures are shown, listed in a file, and an error."""
    folder, url = mirror
    for name in ("a.png", "b.png", "unused.png"):
        Image.new("RGB", (8, 6)).save(folder / name)
    games = games_file(tmp_path / "games.jsonl", "a.png", "b.png", "a.png", "none.png")
    with pytest.raises(TransferError, match="1 pictures did not come"):
        fetch("images", games=games, out=tmp_path / "out", base_url=url)
    assert "2 fetched, 0 there already" in capsys.readouterr().out
    assert "none.png" in (tmp_path / "out" / "failures.txt").read_text(encoding="utf-8")
    assert not (tmp_path / "out" / "unused.png").exists()
    Image.new("RGB", (8, 6)).save(folder / "none.png")
    fetch("images", games=games, out=tmp_path / "out", base_url=url)
    assert "1 fetched, 2 there already" in capsys.readouterr().out
    assert not (tmp_path / "out" / "failures.txt").exists()


def test_calls_that_make_no_sense(tmp_path: Path) -> None:
    """Options that do not go together are refused before anything is fetched."""
    games = games_file(tmp_path / "games.jsonl", "a.png")
    with pytest.raises(UsageError, match="needs --games"):
        fetch("images", out=tmp_path)
    with pytest.raises(UsageError, match="is no folder"):
        fetch("glove", out=games)
    with pytest.raises(UsageError, match="--games goes with"):
        fetch("glove", games=games, out=tmp_path)
    with pytest.raises(UsageError, match="--base-url"):
        fetch("images", games=games, url="http://x/y", out=tmp_path)
    with pytest.raises(UsageError, match="no data set"):
        fetch("guesswho", out=tmp_path)
    with pytest.raises(DataError, match="no such file"):
        fetch("images", games=tmp_path / "none.jsonl", out=tmp_path)
