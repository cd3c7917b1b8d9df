"""Opening, splitting and decoding: what every reader is built on."""

from __future__ import annotations

import gzip
import threading
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.datasets import files
from referee.errors import DataError

TEXT = b"".join(b'{"line": %d}\n' % number for number in range(20_000))


class Row(msgspec.Struct):
    """A record with one field that matters."""

    line: int


ROW = msgspec.json.Decoder(Row)
ANY = msgspec.json.Decoder()


@given(st.lists(st.binary(max_size=6).filter(lambda line: b"\n" not in line)), st.booleans())
def test_lines_are_those_between_newlines_wherever_the_blocks_end(
    tmp_path_factory: pytest.TempPathFactory, wanted: list[bytes], ended: bool
) -> None:
    """Blank lines count in the numbers but do not come out; a last newline is not needed."""
    path = tmp_path_factory.mktemp("lines") / "file"
    path.write_bytes(b"\n".join(wanted) + (b"\n" if ended else b""))
    expected = [(i, line) for i, line in enumerate(wanted, 1) if line and not line.isspace()]
    if not path.read_bytes().startswith(b"\x1f\x8b"):
        assert list(files.lines(path)) == expected
        assert list(files.lines(path, [])) == expected


@pytest.mark.parametrize("skipping", [False, True])
def test_gzip_and_plain_give_the_same_lines(tmp_path: Path, skipping: bool) -> None:
    plain, packed, twice = (tmp_path / name for name in ("a", "a.gz", "b.gz"))
    plain.write_bytes(TEXT)
    packed.write_bytes(gzip.compress(TEXT))
    twice.write_bytes(gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]))
    wanted = list(files.lines(plain, [] if skipping else None))
    assert len(wanted) == 20_000
    assert list(files.lines(packed, [] if skipping else None)) == wanted
    assert list(files.lines(twice, [] if skipping else None)) == wanted


def test_a_gzip_file_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(TEXT)[:-20])
    with pytest.raises(DataError, match="cut short") as caught:
        list(files.lines(path))
    assert caught.value.file == str(path)
    assert caught.value.expected == "a whole gzip file"
    saved = list(files.lines(path, []))
    assert caught.value.record == len(saved) + 1, "the first line that is not whole"


def test_what_stands_before_the_cut_is_saved_when_errors_are_collected(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(TEXT)[:-20])
    skipped: list[DataError] = []
    saved = list(files.lines(path, skipped))
    assert 19_000 < len(saved) < 20_000
    assert saved == list(enumerate(TEXT.splitlines(), 1))[: len(saved)]
    assert [error.record for error in skipped] == [len(saved) + 1]


def test_changed_bytes_in_gzip_are_never_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "changed.gz"
    whole = gzip.compress(TEXT, mtime=0)
    for place in range(20, len(whole), 997):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        skipped: list[DataError] = []
        list(files.lines(path, skipped))
        assert skipped
        with pytest.raises(DataError):
            list(files.lines(path))


def test_a_line_that_is_too_long_is_passed_over_and_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its length is only limited by the file's: no more of it is held than a line may have."""
    monkeypatch.setattr(files, "LONGEST_LINE", 10_000)
    monkeypatch.setattr(files, "_BLOCK", 64)
    path = tmp_path / "long"
    path.write_bytes(
        b"first\n" + b"x" * 10_001 + b"\n" + b"y" * 10_000 + b"\nlast\n" + b"z" * 50_000
    )
    skipped: list[DataError] = []
    found = list(files.lines(path, skipped))
    assert [(number, line[:5]) for number, line in found] == [
        (1, b"first"),
        (3, b"yyyyy"),
        (4, b"last"),
    ]
    assert [error.record for error in skipped] == [2, 5]
    with pytest.raises(DataError, match="longer than 10000"):
        list(files.lines(path))


def test_a_gigabyte_in_one_line_is_refused_in_little_memory(tmp_path: Path) -> None:
    import tracemalloc

    path = tmp_path / "huge.gz"
    one = gzip.compress(b"x" * (1 << 24), 1)
    path.write_bytes(one * 64)
    tracemalloc.start()
    with pytest.raises(DataError, match="longer than"):
        list(files.lines(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 * files.LONGEST_LINE


def test_leaving_early_ends_the_inflating_thread(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(TEXT))
    before = threading.active_count()
    lines = files.lines(path)
    next(lines)
    del lines
    assert threading.active_count() == before


@pytest.mark.parametrize("skipped", [None, []])
def test_a_missing_file_is_an_error_even_when_errors_are_collected(
    tmp_path: Path, skipped: list[DataError] | None
) -> None:
    with pytest.raises(DataError, match="no such file"):
        list(files.lines(tmp_path / "nothing", skipped))
    with pytest.raises(DataError, match="is a folder"):
        list(files.lines(tmp_path, skipped))


@pytest.mark.parametrize(
    ("data", "message", "field", "expected"),
    [
        (b'{"line": "x"}', "found str", "$.line", "int"),
        (b"{}", "is missing", "$.line", "a value"),
        (b'{"line": NaN}', "NaN or Infinity", "$.line", "a finite number"),
        (b'{"line": -Infinity}', "NaN or Infinity", "$.line", "a finite number"),
        (b'{"line": 1, "a": "\xff"}', "not valid text: invalid start byte", None, "UTF-8"),
        (b'{"line": ', "not valid JSON: Input data was truncated", None, "JSON"),
        (b'{"line": 1, "a": ' + b"[" * 100_000, "nested too deeply", None, None),
    ],
)
def test_bad_json_names_place_field_and_what_was_expected(
    data: bytes, message: str, field: str | None, expected: str | None
) -> None:
    with pytest.raises(DataError) as caught:
        files.decode(ROW, data, Path("file"), 7)
    error = caught.value
    assert (error.message, error.field, error.file, error.record) == (message, field, "file", 7)
    if expected is not None:
        assert error.expected == expected


def test_what_is_no_number_harms_only_who_reads_it() -> None:
    """A NaN in another field or record, or in a text, hinders nobody; the text stays as it is."""
    data = b'{"line": 1, "a": [NaN], "b": "NaN, \\"Infinity\\""}'
    assert files.decode(ROW, data, Path("file"), 7).line == 1
    both = msgspec.json.Decoder(dict[str, msgspec.Raw])
    assert bytes(files.decode(both, data, Path("file"))["b"]) == b'"NaN, \\"Infinity\\""'


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.jsonl"

    def fail() -> None:
        with files.writing(path) as stream:
            stream.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert list(path.parent.iterdir()) == []


def test_equal_content_gives_equal_gzip_bytes(tmp_path: Path) -> None:
    """Neither the time nor the name of the file stands in its header."""
    names = ("one.jsonl.gz", "another.jsonl.gz")
    for name in names:
        with files.writing(tmp_path / name) as stream:
            stream.write(TEXT)
    first, second = ((tmp_path / name).read_bytes() for name in names)
    assert first == second
    assert gzip.decompress(first) == TEXT
    assert first[4:8] == b"\0\0\0\0"


def test_the_head_of_a_damaged_file_is_what_could_be_had(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(TEXT)[:2000])
    head = files.read_head(path)
    assert 0 < len(head) <= 64 * 1024
    assert TEXT.startswith(head)
    assert files.read_head(path, 10) == TEXT[:10]
