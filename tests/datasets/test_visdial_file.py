"""What the formats around VisDial share: recognition, and the refusal of every broken file."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from referee.datasets import dense, densevisdial, evalai, pools, qbot, visdial
from referee.datasets.files import Skipped
from referee.datasets.records import form_of, written
from referee.datasets.visdial_file import RoundKey
from referee.errors import DataError

DATA = Path(__file__).resolve().parent.parent / "data"
Read = Callable[[Path, Skipped], Iterable[Any]]
READERS: dict[str, tuple[str, Read]] = {
    "visdial/val.json": ("visdial", lambda path, skipped: visdial.read(path, None, skipped)),
    "visdial/test.json": ("visdial", lambda path, skipped: visdial.read(path, None, skipped)),
    "visdial/dense_val.json": ("visdial-dense", dense.read),
    "visdial/ranks.json": ("visdial-ranks", evalai.read),
    "visdial/references.json": ("densevisdial-references", densevisdial.read_references),
    "visdial/generations.json": ("densevisdial-generations", densevisdial.read_generations),
    "guesswhich/dialogues.json": ("qbot", qbot.read),
    "guesswhich/pools.json": ("guesswhich-pools", pools.load),
    "guesswhich/pools_by_target.json": ("guesswhich-pools", pools.load),
}
FORMATS = [
    kind
    for module in (visdial, dense, evalai, densevisdial, qbot, pools)
    for kind in module.FORMATS
]
PIECES = (b"null", b"-1", b"NaN", b"1e999", b'"', b"\xff", b"[", b"}", b"true", b"9" * 5000)


@pytest.mark.parametrize("name", READERS)
def test_each_file_is_recognised_by_its_own_format_only(name: str) -> None:
    head = (DATA / name).read_bytes()
    found = [kind.name for kind in FORMATS if kind.recognises(DATA / name, head)]
    assert found == [READERS[name][0]]


def test_what_is_something_else_is_not_recognised() -> None:
    """Neither nothing, nor noise, nor other JSON is taken for one of these formats."""
    others = (b"", b"\x00\xff" * 40, b"[]", b"{}", b'{"data": []}', b'[{"image_id": 3}]', b"[[[[")
    for head in others:
        assert not [kind.name for kind in FORMATS if kind.recognises(Path("x.json"), head)]


@pytest.mark.parametrize("name", READERS)
def test_a_gzipped_file_reads_as_the_plain_one(tmp_path: Path, name: str) -> None:
    """And one cut short is a DataError."""
    _, read = READERS[name]
    packed = gzip.compress((DATA / name).read_bytes())
    path = tmp_path / "packed.json.gz"
    path.write_bytes(packed)
    assert list(read(path, None)) == list(read(DATA / name, None))
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(DataError):
        list(read(path, None))


@pytest.mark.parametrize("name", READERS)
def test_mutated_files_give_data_errors_only(tmp_path: Path, name: str) -> None:
    """Cut, doubled, overwritten and exchanged bytes are read, refused or collected."""
    _, read = READERS[name]
    whole = (DATA / name).read_bytes()
    draw = random.Random(name)
    refused = 0
    for _ in range(120):
        start = draw.randrange(len(whole))
        end = start + draw.randrange(1, 12)
        change = draw.choice((b"", whole[start:end] * 2, draw.choice(PIECES)))
        path = tmp_path / "mutated.json"
        path.write_bytes(whole[:start] + change + whole[end:])
        first, found = problems(read, path, None), problems(read, path, [])
        assert bool(first) == bool(found)
        assert {error.file for error in first + found} <= {str(path)}
        refused += bool(first)
    assert refused > 20


def problems(read: Read, path: Path, skipped: list[DataError] | None) -> list[DataError]:
    """Those collected, and the one raised."""
    try:
        list(read(path, skipped))
    except DataError as error:
        return [*(skipped or ()), error]
    return skipped or []


def test_ids_are_strings_inside_and_keep_their_form() -> None:
    assert (form_of(7), form_of("7")) == ("int", "str")
    assert (written("7", "int"), written("7", "str")) == (7, "7")
    assert str(RoundKey("7", 0)) == "image 7, round 0 (from 0)"
