"""Word vectors of every kind behind one look-up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from referee.datasets import vectors
from referee.datasets.formats import Format
from referee.datasets.vectors import ArrayVectors, TextVectors, Vectors, open_vectors
from referee.errors import DataError

OWN = Path(__file__).resolve().parent.parent / "data" / "vectors"


def recognised(path: Path) -> Format:
    head = b"" if path.is_dir() else path.read_bytes()[:65536]
    (found,) = [each for each in vectors.FORMATS if each.recognises(path, head)]
    return found


def package(folder: Path) -> Path:
    np.save(folder / "glove_emb.npy", np.arange(6, dtype=np.float32).reshape(3, 2))
    pl.DataFrame({"index": ["the", "owl", "naïve"]}).write_parquet(folder / "glove_index.parquet")
    return folder


def test_every_kind_is_one_look_up(tmp_path: Path) -> None:
    """Words come in the order asked for, may repeat, and an unknown one has zeros and no mark."""
    for path in (OWN / "small.vec", OWN / "small_glove.txt", package(tmp_path)):
        table = open_vectors(path)
        assert isinstance(table, Vectors)
        found, known = table.vectors(["nothing at all", "owl", "owl"])
        assert found.shape == (3, table.dimension)
        assert found.dtype == np.float32
        assert known.tolist() == [False, True, True]
        assert not found[0].any()
        assert np.array_equal(found[1], found[2])
    model = open_vectors(OWN / "fasttext_small.bin")
    assert isinstance(model, Vectors)
    assert model.vectors(["is"])[0].shape == (1, model.dimension)


def test_text_of_fasttext() -> None:
    """The first line of fastText's text says how many vectors follow and how long they are."""
    table = TextVectors(OWN / "small.vec")
    assert (table.stated, table.dimension) == (3, 4)
    found, known = table.vectors(["naïve", "</s>", "3"])
    assert found.tolist() == [[-1, -2, -3, -4.5], [0, 0.5, -0.25, 1], [0, 0, 0, 0]]
    assert known.tolist() == [True, True, False]


def test_text_of_glove() -> None:
    """A word of GloVe may hold spaces, and of one that comes twice the first vector counts."""
    table = TextVectors(OWN / "small_glove.txt")
    found, known = table.vectors([". . .", "owl", "the", "."])
    assert found[:2].tolist() == [[1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]]
    assert known.tolist() == [True, True, True, False]


def test_summaries() -> None:
    """Each kind is recognised as one format and counted."""
    counts = {
        "small.vec": {"words": 3, "repeated words": 0, "dimension": 4},
        "small_glove.txt": {"words": 3, "repeated words": 1, "dimension": 8},
        "fasttext_small.bin": {
            "words": 22,
            "dimension": 7,
            "n-grams": "3 to 6 in 97 buckets",
        },
    }
    for file, expected in counts.items():
        assert recognised(OWN / file).summarise(OWN / file, []) == expected


def test_package(tmp_path: Path) -> None:
    """The rows of a package's array belong to the words of its index."""
    folder = package(tmp_path)
    table = ArrayVectors(folder)
    assert table.vectors(["naïve", "the"])[0].tolist() == [[4, 5], [0, 1]]
    assert recognised(folder).summarise(folder, []) == {"words": 3, "dimension": 2}


def test_bad_packages(tmp_path: Path) -> None:
    """A package whose array and index differ, or whose index is broken or missing, is refused."""
    folder = package(tmp_path)
    np.save(folder / "glove_emb.npy", np.zeros((2, 2)))
    with pytest.raises(DataError, match="one row for each of 3 words"):
        open_vectors(folder)
    (folder / "glove_index.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(DataError, match="cannot be read"):
        open_vectors(folder)
    (folder / "glove_index.parquet").unlink()
    with pytest.raises(DataError, match="holds 0"):
        open_vectors(folder)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2 3\nthe 1 2 3\nowl 1 2\n", "2 numbers"),
        ("2 3\nthe 1 2 3\nowl 1 2 x\n", "could not convert"),
        ("2 3\nthe 1 2 3\nowl 1 2 nan\n", "NaN"),
        ("2 3\nthe 1 2 3\nowl 1 2 1e60\n", "NaN"),
        ("1 999999999999\nowl 1 2 3\n", "3 numbers"),
        ("", "no vectors"),
    ],
)
def test_bad_text(tmp_path: Path, text: str, said: str) -> None:
    """Lines that are too short or hold anything but finite numbers are refused by name."""
    path = tmp_path / "bad.vec"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=said) as caught:
        open_vectors(path).vectors(["owl"])
    assert caught.value.file == str(path)


def test_a_wrong_promise(tmp_path: Path) -> None:
    """A text with fewer vectors than it states is found out when all of it is read."""
    path = tmp_path / "bad.vec"
    path.write_text("3 2\nthe 1 2\nowl 1 2\n", encoding="utf-8")
    with pytest.raises(DataError, match="has 2 vectors"):
        recognised(path).summarise(path, [])


def test_a_look_up_that_finds_nothing_notices_a_text_cut_short(tmp_path: Path) -> None:
    """Fewer lines than are stated, or a last line with fewer numbers; what is found is whole."""
    content = (OWN / "small.vec").read_bytes()
    (tmp_path / "short.vec").write_bytes(b"".join(content.splitlines(keepends=True)[:-1]))
    with pytest.raises(DataError, match="has 2 vectors"):
        TextVectors(tmp_path / "short.vec").vectors(["unheard-of"])
    content = (OWN / "small_glove.txt").read_bytes()
    (tmp_path / "cut.txt").write_bytes(content.rstrip().rpartition(b" ")[0])
    table = TextVectors(tmp_path / "cut.txt")
    with pytest.raises(DataError, match="numbers"):
        table.vectors(["unheard-of"])
    first = content.split()[0].decode()
    assert table.vectors([first])[1].all()
