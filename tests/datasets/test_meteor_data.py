"""METEOR's data: compiled from small files of the package's form, kept, mapped, and made anew."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from referee.datasets import meteor_data
from referee.datasets.meteor_compile import EXCEPTIONS as EXCEPTIONS_NAME
from referee.datasets.meteor_compile import FUNCTION_WORDS, PREFIXES, compile_tables
from referee.datasets.meteor_compile import SYNSETS as SYNSETS_NAME
from referee.datasets.meteor_data import ARRAYS, MeteorFiles, installed_files, open_tables
from referee.datasets.meteor_trie import PhraseTrie
from referee.errors import DataError, MissingExtra, UsageError
from referee.metrics.text.meteor import Meteor, Tables, tables_of

SYNSETS = {"dog": [7, 9], "hound": [7], "be": [3], "caf\u00e9": [4]}
BASES = {"was": ["be"], "bed": ["be", "bed"]}
PARAPHRASES = [
    ("a dog", "dogs"),
    ("a dog", "the small dogs of"),
    ("dogs", "a dog"),
    ("the", "a"),
    ("the small", "caf\u00e9"),
    ("the small dogs of", "hounds"),
]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MeteorFiles:
    """A jar and a paraphrase table, and an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    jar, table = tmp_path / "meteor.jar", tmp_path / "table.gz"
    forms: dict[str, list[str]] = {}
    for form, bases in BASES.items():
        for base in bases:
            forms.setdefault(base, []).append(form)
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr(FUNCTION_WORDS, "the\na\n\u2014\n")
        archive.writestr(PREFIXES, "# titles\n\nMr\nNo #NUMERIC_ONLY#\n")
        archive.writestr(
            EXCEPTIONS_NAME, "".join(f"{b}\n{' '.join(found)}\n" for b, found in forms.items())
        )
        archive.writestr(
            SYNSETS_NAME,
            "".join(f"{w}\n{' '.join(f'{n:08}' for n in found)}\n" for w, found in SYNSETS.items())
            + "dog_house\n00000001\n",
        )
    write_table(table)
    return MeteorFiles(jar, table)


def write_table(path: Path, more: str = "") -> None:
    text = "".join(f"0.5\n{left}\n{right}\n" for left, right in PARAPHRASES) + more
    path.write_bytes(gzip.compress(text.encode()))


def same(one: Tables, other: Tables) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ARRAYS)


def test_the_compiled_tables_are_those_written_out_by_hand(files: MeteorFiles) -> None:
    found = open_tables(files)
    assert same(found, tables_of(SYNSETS, PARAPHRASES, bases=BASES))
    assert found.function_words == {"the", "a", "\u2014"}
    assert found.always == {"Mr"}
    assert found.before_numbers == {"No"}


def test_the_arrays_are_mapped_not_read(files: MeteorFiles) -> None:
    entries = open_tables(files).entries
    assert isinstance(entries.base, np.memmap)
    assert not entries.flags.writeable


def test_it_is_compiled_once_and_says_so(
    files: MeteorFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    open_tables(files)
    assert capsys.readouterr().err.startswith("referee: compiling METEOR's data, once")
    open_tables(files)
    assert capsys.readouterr().err == ""


def test_other_files_have_another_index(files: MeteorFiles) -> None:
    first = open_tables(files)
    write_table(files.paraphrases, "0.1\nzebra\nhorse\n")
    second = open_tables(files)
    assert len(second.entries) == len(first.entries) + 1
    assert len(list(meteor_data.cache_folder().iterdir())) == 2


def test_another_format_has_another_index(
    files: MeteorFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tables(files)
    monkeypatch.setattr(meteor_data, "FORMAT", meteor_data.FORMAT + 1)
    open_tables(files)
    assert len(list(meteor_data.cache_folder().iterdir())) == 2


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied", "header", "renumbered", "foreign"])
def test_a_damaged_index_is_made_anew(
    files: MeteorFiles, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = open_tables(files)
    (path,) = meteor_data.cache_folder().iterdir()
    whole = path.read_bytes()
    path.unlink()
    damaged = {
        "cut": whole[:-1],
        "flipped": whole[:-4096] + bytes([whole[-4096] ^ 1]) + whole[-4095:],
        "emptied": b"",
        "header": whole[:40] + b"}" + whole[41:],
        "renumbered": whole.replace(b'"length":6,', b'"length":5,', 1),
        "foreign": b"something else\n" + whole,
    }[damage]
    assert damaged != whole
    path.write_bytes(damaged)
    capsys.readouterr()
    assert same(open_tables(files), expected)
    assert "compiling" in capsys.readouterr().err
    assert path.read_bytes() == whole


def test_two_processes_at_once_leave_one_whole_index(files: MeteorFiles) -> None:
    program = (
        "import sys; from pathlib import Path; from referee.datasets.meteor_data import *; "
        "print(len(open_tables(MeteorFiles(*map(Path, sys.argv[1:]))).entries))"
    )
    command = [sys.executable, "-c", program, str(files.jar), str(files.paraphrases)]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)
    ]
    said = [process.communicate(timeout=120)[0] for process in running]
    assert said == [b"6\n", b"6\n"]
    assert [path.suffix for path in meteor_data.cache_folder().iterdir()] == [".index"]


def test_a_paraphrase_table_cut_short_is_named(files: MeteorFiles) -> None:
    files.paraphrases.write_bytes(files.paraphrases.read_bytes()[:-12])
    with pytest.raises(DataError, match=r"table\.gz.*damaged or cut short"):
        open_tables(files)


def test_a_paraphrase_without_its_lines_is_named(files: MeteorFiles) -> None:
    write_table(files.paraphrases, "0.1\nzebra\n")
    with pytest.raises(DataError, match=r"table\.gz, record 6: .*expected three lines"):
        open_tables(files)


def test_an_empty_phrase_is_named(files: MeteorFiles) -> None:
    write_table(files.paraphrases, "0.1\n\nzebra\n")
    with pytest.raises(DataError, match=r"table\.gz.*empty phrase"):
        open_tables(files)


def test_a_jar_that_is_none_is_named(files: MeteorFiles) -> None:
    files.jar.write_bytes(b"no jar")
    with pytest.raises(DataError, match=r"meteor\.jar: .*METEOR 1\.5's jar"):
        open_tables(files)


def test_a_cache_that_cannot_be_written_says_what_helps(
    files: MeteorFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(UsageError, match="set XDG_CACHE_HOME"):
        open_tables(files)


def test_a_cache_named_by_no_absolute_path_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert meteor_data.cache_folder() == Path.home() / ".cache" / "referee"


def test_without_the_package_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meteor_data, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"pycocoevalcap is not installed.*referee\[text\]"):
        installed_files()


def test_the_package_is_found_without_being_imported() -> None:
    if find_spec("pycocoevalcap") is None:
        pytest.skip("pycocoevalcap is not installed")
    program = (
        "import sys; from referee.datasets.meteor_data import installed_files; "
        "assert installed_files().jar.is_file(); assert 'pycocoevalcap' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_records_may_fall_on_any_block(files: MeteorFiles) -> None:
    text = gzip.decompress(files.paraphrases.read_bytes())
    whole, bitten = PhraseTrie(), PhraseTrie()
    assert whole.add(text) == len(text)
    rest = b""
    for begin in range(0, len(text), 7):
        rest += text[begin : begin + 7]
        rest = rest[bitten.add(rest) :]
    assert (rest, bitten.records, bitten.words()) == (b"", whole.records, whole.words())
    names = np.arange(len(whole.words()))
    pairs = zip(whole.arrays(names, len(names)), bitten.arrays(names, len(names)), strict=True)
    assert all(np.array_equal(one, other) for one, other in pairs)


def test_phrases_of_compiled_tables_match(files: MeteorFiles) -> None:
    meteor = Meteor(compile_tables(files.jar, files.paraphrases))
    found = meteor.statistics([["was a dog", "hounds"]], [["bed the small dogs of", "two"]])
    assert found[0, [12, 13, 16, 17, 18, 19, 20]].tolist() == [1, 1, 1, 3, 1, 1, 1]
