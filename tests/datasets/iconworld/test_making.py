"""A world's folder: the same bytes for a seed, a true manifest, and nothing written over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from referee.datasets.iconworld.making import PARTS, make
from referee.datasets.iconworld.world import HUMAN, Plan
from referee.errors import UsageError

MAKE = """
import sys
from pathlib import Path
from referee.datasets.iconworld.making import make
from referee.datasets.iconworld.world import Plan
make(Path(sys.argv[1]), Plan(games=24, scenes=9, zero_shot=2, dialogues=4, pools=1, seed=int(sys.argv[2])))
"""


def made(folder: Path, seed: int, hash_seed: str) -> dict[str, str]:
    """The hashes of the files of a world that another process makes."""
    command = [sys.executable, "-c", MAKE, str(folder), str(seed)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": hash_seed})
    return {
        str(file.relative_to(folder)): sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def test_a_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    """Two processes that hash strings differently make the same folder; another seed makes another."""
    first, second = made(tmp_path / "a", 0, "1"), made(tmp_path / "b", 0, "2")
    assert len(first) > 60
    assert first == second
    other = made(tmp_path / "c", 1, "1")
    assert first["guesswhat.train.jsonl.gz"] != other["guesswhat.train.jsonl.gz"]
    assert first["images/iconworld_000000000001.png"] != other["images/iconworld_000000000001.png"]


def test_no_archive_holds_the_time(world_folder: Path) -> None:
    """Attribute vectors are archives, whose members carry the fixed date of no date."""
    file = next((world_folder / "attributes").rglob("*.npz"))
    with zipfile.ZipFile(file) as archive:
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_manifest_says_what_is_there(world_folder: Path) -> None:
    """Every file is in the manifest with its size, hash and number of records."""
    manifest = json.loads((world_folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["plan"]["seed"] == 3
    assert manifest["plan"]["date"] == "2026-01-01"
    listed = manifest["files"]
    assert sum(listed[f"guesswhat.{split}.jsonl.gz"]["records"] for split in HUMAN) == 90
    for name, entry in listed.items():
        path = world_folder / name
        if path.is_file():
            assert path.stat().st_size == entry["bytes"]
            assert sha256(path.read_bytes()).hexdigest() == entry["sha256"]
        else:
            assert len(list(path.iterdir())) == entry["records"]
    unlisted = {
        str(file.relative_to(world_folder))
        for file in world_folder.rglob("*")
        if file.suffix not in (".png", ".npz") and file.is_file()
    } - set(listed)
    assert unlisted == {
        "manifest.json",
        "attributes/abstract_attribute_names.json",
        "attributes/situated_attribute_names.json",
    }


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    """A world is never written over anything."""
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="exists"):
        make(tmp_path, Plan(games=3, scenes=3))
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    "plan",
    [{"games": 0}, {"scenes": 2}, {"date": "yesterday"}, {"pools": -1}, {"dialogues": -1}],
)
def test_a_plan_that_makes_no_sense_is_refused(plan: dict[str, object]) -> None:
    """Sizes and dates are checked before anything is made."""
    with pytest.raises(UsageError):
        Plan(**plan)  # type: ignore[arg-type]


def test_an_unknown_part_is_refused(tmp_path: Path) -> None:
    """A part that a world does not have is named with those that it has."""
    with pytest.raises(UsageError, match="no part 'films'"):
        make(tmp_path / "world", Plan(games=3), ["films"])
    assert not (tmp_path / "world").exists()


def test_the_command_makes_what_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without pictures there are none; the command's last line says where the world is."""
    from referee.cli import main

    out = tmp_path / "world"
    asked = ["data", "make", "iconworld", "--out", str(out), "--games", "12", "--scenes", "4"]
    assert main([*asked, "--no-pictures", "--pools", "0", "--zero-shot", "0"]) == 0
    assert str(out) in capsys.readouterr().out
    assert not (out / "images").exists()
    assert not (out / "guesswhich").exists()
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["parts"] == [name for name in PARTS if name != "pictures"]
    assert main([*asked, "--no-pictures"]) == 2
