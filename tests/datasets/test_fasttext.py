"""fastText's binary models, checked against Facebook's own implementation."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.datasets.fasttext import MAGIC, FastText, hashes
from referee.errors import DataError

OWN = Path(__file__).resolve().parent.parent / "data" / "vectors"
WORDS = ("</s>", "owl", "naïve")


def write_model(path: Path, matrix: Any, words: Sequence[str] = WORDS, /, **changed: int) -> None:
    """Writes a model in the public layout: signature, arguments, dictionary, two matrices."""
    of = {"version": 12, "model": 2, "buckets": 5, "shortest": 3, "longest": 4, "pruned": -1}
    of |= {"quantised": 0, "dimension": matrix.shape[1], "labels": 0} | changed
    data = MAGIC + struct.pack("<8i", of["version"], of["dimension"], 5, 5, 1, 5, 1, 1)
    lengths = (of["shortest"], of["longest"])
    data += struct.pack("<5id", of["model"], of["buckets"], *lengths, 100, 1e-4)
    count = len(words)
    data += struct.pack("<iiiqq", count, count - of["labels"], of["labels"], 99, of["pruned"])
    for place, word in enumerate(words):
        label = place >= count - of["labels"]
        data += word.encode() + b"\0" + struct.pack("<qb", 9 - place, label)
    data += struct.pack("<bqq", of["quantised"], *matrix.shape) + matrix.astype("<f4").tobytes()
    path.write_bytes(data + struct.pack("<bqq", 0, 0, matrix.shape[1]))


def test_equal_to_facebook() -> None:
    """Every vector of a model that fastText 0.9.2 trained and read is the same to the last bit."""
    expected = json.loads((OWN / "fasttext_small.json").read_text(encoding="utf-8"))
    model = FastText(OWN / "fasttext_small.bin")
    vectors, found = model.vectors(list(expected))
    assert np.array_equal(vectors, np.array(list(expected.values()), np.float32))
    assert [word for word, one in zip(expected, found, strict=True) if not one] == [""]
    assert (model.dimension, len(model), model.words[0]) == (7, 22, "</s>")
    known = set(model.words)
    assert any(word not in known and word for word in expected)
    assert any(not word.isascii() for word in expected)


def test_mean_of_rows(tmp_path: Path) -> None:
    """A known word is the mean of its row and its n-grams' rows, an unknown one of its n-grams' alone."""
    matrix = np.arange(8 * 2, dtype=np.float32).reshape(8, 2)
    write_model(tmp_path / "model.bin", matrix)
    model = FastText(tmp_path / "model.bin")
    vectors, found = model.vectors(["owl", "cup", "</s>", "x", "owl"])
    rows = [3 + value % 5 for value in hashes(b"owl", 3, 4)]
    assert len(rows) == 3 + 2
    assert np.allclose(vectors[0], matrix[[1, *rows]].mean(axis=0))
    assert np.allclose(
        vectors[1], matrix[[3 + value % 5 for value in hashes(b"cup", 3, 4)]].mean(axis=0)
    )
    assert vectors[2].tolist() == matrix[0].tolist()
    assert vectors[3].tolist() == matrix[3 + next(hashes(b"x", 3, 4)) % 5].tolist()
    assert np.array_equal(vectors[4], vectors[0])
    assert found.all()


def test_hashes() -> None:
    """The hash is FNV-1a, whose authors give 0xbf9cf968 for "foobar"; brackets are part of n-grams."""
    assert [*hashes(b"foobar", 6, 6)][1] == 0xBF9CF968
    assert len([*hashes(b"foobar", 1, 8)]) == 8 * 9 // 2 - 2
    assert [*hashes("猫".encode(), 3, 6)] == [*hashes("猫".encode(), 3, 3)]


def test_without_ngrams(tmp_path: Path) -> None:
    """A model without n-grams knows only its words; a label is no word."""
    path = tmp_path / "model.bin"
    matrix = np.ones((3, 2))
    write_model(path, matrix, ("owl", "cup", "ink", "__label__a"), buckets=0, labels=1)
    vectors, found = FastText(path).vectors(["owl", "zebra", "__label__a"])
    assert found.tolist() == [True, False, False]
    assert vectors.tolist() == [[1, 1], [0, 0], [0, 0]]


def test_old_classifier(tmp_path: Path) -> None:
    """A classifier of version 11 has no n-grams of characters, whatever its arguments say."""
    path = tmp_path / "model.bin"
    write_model(path, np.ones((8, 2)), version=11, model=3)
    assert FastText(path).vectors(["zebra"])[1].tolist() == [False]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"version": 13}, "version 13"),
        ({"quantised": 1}, "quantised"),
        ({"pruned": 3}, "pruned"),
        ({"buckets": 6}, "8 x 2"),
        ({"dimension": 3}, "8 x 2"),
        ({"dimension": 0}, "dimension of 0"),
        ({"buckets": -1}, "-1 buckets"),
    ],
)
def test_bad_models(tmp_path: Path, changed: dict[str, int], said: str) -> None:
    """A model that is compressed, or whose parts do not fit together, is refused."""
    path = tmp_path / "model.bin"
    write_model(path, np.ones((8, 2)), WORDS, **changed)
    with pytest.raises(DataError, match=said) as caught:
        FastText(path)
    assert caught.value.file == str(path)


def test_cut_short(tmp_path: Path) -> None:
    """Wherever the file ends before the end of its input matrix, that is said."""
    path = tmp_path / "model.bin"
    write_model(path, np.ones((8, 2)))
    whole = path.read_bytes()
    end = len(whole) - 17
    for length in range(0, end, 3):
        path.write_bytes(whole[:length])
        with pytest.raises(DataError):
            FastText(path)
    path.write_bytes(whole[:end])
    assert FastText(path).vectors(["owl"])[0].tolist() == [[1, 1]]


def test_words_twice(tmp_path: Path) -> None:
    """A word stands once in the dictionary."""
    path = tmp_path / "model.bin"
    write_model(path, np.ones((8, 2)), ("owl", "owl", "cup"))
    with pytest.raises(DataError, match="2 different words"):
        FastText(path)
