"""Small valid files of every format, damaged in every way that we can think of.

Whatever stands in a file, a reader may say DataError and nothing else. The damage is seeded: the same
number gives the same damaged file.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from referee.datasets.check import recognise
from referee.datasets.formats import Format
from referee.errors import DataError
from referee.randomness import Stream, key

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
DEEP = 3000
ODD = ("@1e999@", "@NaN@", "@-Infinity@", "@huge@", "@deep@", "@1.5@", "@-1@", "@0@", "@1e-400@")
RAW = {
    "1e999": "1e999",
    "NaN": "NaN",
    "-Infinity": "-Infinity",
    "huge": "9" * 5000,
    "deep": "[" * DEEP + "]" * DEEP,
    "1.5": "1.5",
    "-1": "-1",
    "0": "0",
    "1e-400": "1e-400",
}
WRONG: tuple[Any, ...] = (None, True, "", "\x00", "no such thing", [], {}, [[]], {"a": None}, *ODD)


@dataclass(frozen=True)
class Sample:
    """A valid file or folder and the format that it was recognised as."""

    path: Path
    format: Format

    @property
    def name(self) -> str:
        """What tells the sample from the others."""
        return f"{self.format.name} {self.path.name}"


@dataclass(frozen=True)
class Outcome:
    """What became of one damaged file."""

    sample: Sample
    number: int
    kind: str
    failure: str | None
    refused: bool


def samples(folder: Path) -> list[Sample]:
    """Every valid file of tests/data, and those that are no text, made in the folder."""
    shutil.copytree(DATA, folder, dirs_exist_ok=True)
    make_arrays(folder / "arrays")
    found = []
    for path in sorted(folder.rglob("*")):
        known = recognise(path)
        if known is not None:
            found.append(Sample(path, known))
    return found


def make_arrays(folder: Path) -> None:
    """Small files of the formats that are arrays."""
    import h5py
    import polars as pl

    states = folder / "states"
    states.mkdir(parents=True)
    for game in (501, 502):
        np.save(states / f"{game}.npy", np.arange(6, dtype=np.float32))
    np.save(folder / "regions.npy", np.ones((2, 3, 4), dtype=np.float32))
    with h5py.File(folder / "features.h5", "w") as file:
        file["train_img_features"] = np.ones((2, 5), dtype=np.float32)
    with h5py.File(folder / "states.h5", "w") as file:
        file["val/states"] = np.ones((2, 3), dtype=np.float32)
        file["val/games"] = np.array([b"501", b"502"])
    (folder / "features2id.json").write_text('{"train2id": {"a.jpg": 0, "b.jpg": 1}}')
    info = {"image_id2image_pos": {"7": 0, "8": 1}, "image_pos2image_id": {"0": 7, "1": 8}}
    sizes = {"img_h": [480, 480], "img_w": [640, 640]}
    (folder / "info.json").write_text(json.dumps({**info, **sizes}))
    attributes = folder / "attributes"
    (attributes / "train").mkdir(parents=True)
    for kind in ("abstract", "situated"):
        (attributes / f"{kind}_attribute_names.json").write_text('["red", "round"]')
    rows = np.ones((2, 2), dtype=np.float32)
    np.savez(
        attributes / "train" / "8101.npz",
        object2id=np.array([11, 12]),
        abstract_attributes=rows,
        situated_attributes=rows,
    )
    vectors = folder / "vectors"
    vectors.mkdir()
    np.save(vectors / "small_emb.npy", np.ones((3, 4), dtype=np.float32))
    pl.DataFrame({"index": ["cup", "dog", "oven"]}).write_parquet(vectors / "small_index.parquet")


def damage(data: bytes, stream: Stream) -> tuple[str, bytes]:
    """The kind of damage, and the bytes with it."""
    kinds: list[tuple[str, Callable[[bytes, Stream], bytes]]] = [*BYTES]
    if data[:1] in b"[{":
        kinds += [("json", change_json)] * (2 * len(BYTES))
    elif data.isascii() and data:
        kinds += [("word", change_word)] * len(BYTES)
    kind, change = stream.choice(kinds)
    return kind, change(data, stream)


def flip(data: bytes, stream: Stream) -> bytes:
    """One to eight bytes changed."""
    found = bytearray(data)
    for _ in range(1 + stream.below(8)):
        found[stream.below(len(found))] = stream.below(256)
    return bytes(found)


def cut(data: bytes, stream: Stream) -> bytes:
    """The beginning alone; now and then nothing."""
    return data[: stream.below(len(data))] if stream.below(8) else b""


def splice(data: bytes, stream: Stream) -> bytes:
    """A piece left out, or written twice."""
    start, end = sorted((stream.below(len(data)), stream.below(len(data))))
    return data[:start] + data[end:] if stream.below(2) else data[:end] + data[start:]


def not_utf8(data: bytes, stream: Stream) -> bytes:
    """Bytes that are no UTF-8, or half a surrogate pair."""
    place = stream.below(len(data))
    wrong = stream.choice(
        (b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\\ud800", b"\x00", b"\xef\xbb\xbf")
    )
    return data[:place] + wrong + data[place:]


def damaged_gzip(data: bytes, stream: Stream) -> bytes:
    """The file as gzip, whole, cut short, with bytes changed, or with something behind it."""
    packed = gzip.compress(data, 6, mtime=0)
    changes: tuple[Callable[[bytes, Stream], bytes], ...] = (flip, cut, splice, _behind, _as_is)
    return stream.choice(changes)(packed, stream)


def _as_is(data: bytes, _: Stream) -> bytes:
    return data


def _behind(data: bytes, _: Stream) -> bytes:
    return data + b"{}"


BYTES: tuple[tuple[str, Callable[[bytes, Stream], bytes]], ...] = (
    ("flip", flip),
    ("cut", cut),
    ("splice", splice),
    ("utf-8", not_utf8),
    ("gzip", damaged_gzip),
)


def change_word(data: bytes, stream: Stream) -> bytes:
    """A word, number or separator of a text replaced."""
    found = list(re.finditer(rb"[\w.+-]+|[^\w\s]|[\t\n]", data))
    place = stream.choice(found)
    odd = (
        b"",
        b"nan",
        b"1e999",
        b"-1",
        b'"',
        b"\t",
        b"\n",
        b",",
        b"9" * 5000,
        b"inf",
        b"<",
        b"1.5",
    )
    return data[: place.start()] + stream.choice(odd) + data[place.end() :]


def change_json(data: bytes, stream: Stream) -> bytes:
    """A value replaced, left out, written twice or exchanged with its neighbour."""
    try:
        return _written(_changed(json.loads(data), stream)).encode()
    except ValueError:
        lines = data.decode().splitlines()
        place = stream.below(len(lines))
        lines[place] = _written(_changed(json.loads(lines[place]), stream))
        return "".join(f"{line}\n" for line in lines).encode()


def _changed(value: Any, stream: Stream) -> Any:
    holders = [holder for holder in _walk(value) if holder]
    if not holders:
        return stream.choice(WRONG)
    holder = stream.choice(holders)
    places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    place, other = stream.choice(places), stream.choice(places)
    act = stream.below(8)
    if act == 0:
        del holder[place]
    elif act == 1:
        holder[place], holder[other] = holder[other], holder[place]
    elif act == 2 and isinstance(holder, dict):  # noqa: PLR2004 (one of eight acts)
        holder[f"{place}@again"] = holder[other]
    elif act == 2:  # noqa: PLR2004
        holder.append(holder[place])
    else:
        holder[place] = stream.choice(WRONG)
    return value


def _walk(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from _walk(item)


def _written(value: Any) -> str:
    text = json.dumps(value).replace('@again"', '"')
    return re.sub(r'"@([^@"]+)@"', lambda found: RAW[found[1]], text)


def outcomes(count: int, seed: int = 1) -> Iterator[Outcome]:
    """Reads so many damaged files, the samples in turn; of a folder, one file is damaged."""
    with tempfile.TemporaryDirectory() as folder:
        found = samples(Path(folder))
        for number in range(count):
            sample = found[number % len(found)]
            stream = Stream(key(seed, number))
            path = sample.path
            if path.is_dir():
                path = stream.choice(sorted(each for each in path.rglob("*") if each.is_file()))
            whole = path.read_bytes()
            kind, data = damage(whole, stream)
            path.write_bytes(data)
            yield _read(sample, number, kind)
            path.write_bytes(whole)


def _read(sample: Sample, number: int, kind: str) -> Outcome:
    problems: list[DataError] = []
    failure = None
    try:
        recognise(sample.path)
        sample.format.summarise(sample.path, problems)
    except DataError as error:
        problems.append(error)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 (a panic of polars is no Exception)
        failure = f"{sample.name}, damage {number} ({kind}): {type(error).__name__}: {error}"[:400]
    for problem in problems:
        if problem.file is None or not str(problem):
            failure = f"{sample.name}, damage {number} ({kind}): names no file: {problem!r}"
    return Outcome(sample, number, kind, failure, bool(problems))


def case(count: int = 20_000) -> dict[str, object]:
    """Damaged files that make a reader say anything but DataError."""
    kinds: Counter[str] = Counter()
    failures: list[str] = []
    refused = 0
    for outcome in outcomes(count):
        kinds[outcome.kind] += 1
        refused += outcome.refused
        if outcome.failure is not None:
            failures.append(outcome.failure)
    return {
        "name": f"{count} damaged inputs over all readers",
        "value": len(failures),
        "bar": 0,
        "unit": "other than DataError, at most",
        "passed": not failures,
        "details": {"kinds": dict(kinds), "refused": refused, "failures": failures[:50]},
    }
