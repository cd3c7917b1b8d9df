"""A trained CCA with the sentence embedding it was trained on, and its file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from referee.annotate.cca.sentences import SPECIAL, Recipe, Sentences
from referee.datasets.files import read_bytes, read_json, writing
from referee.errors import DataError, UsageError
from referee.metrics.cca import Fit

Floats = NDArray[np.float64]
View = Literal["answers", "images", "questions"]

TWO: tuple[View, ...] = ("answers", "questions")
THREE: tuple[View, ...] = ("answers", "images", "questions")

_KIND = "referee-cca"


class Training(Struct, frozen=True):
    """What a model was trained on; `files` are hashes by role."""

    pairs: str = ""
    on: str = ""
    count: int = 0
    vectors: str = ""
    files: dict[str, str] = {}


class _Description(Struct, frozen=True):
    kind: str
    views: tuple[View, ...]
    power: float
    recipe: Recipe
    training: Training
    words: tuple[str, ...]
    version: int = 1


_DESCRIPTION = msgspec.json.Decoder(_Description)


@dataclass(frozen=True, eq=False)
class Model:
    """CCA-AQ, or with images between them CCA-AQI: how answers and questions are projected."""

    sentences: Sentences
    fit: Fit
    views: tuple[View, ...] = TWO
    training: Training = field(default_factory=Training)

    def answers(self, texts: Sequence[str]) -> Floats:
        """The centred projections psi of some texts taken as answers, [n, k].

        Their cosine (`referee.metrics.cca.cosines`) is the correlation; a text may project to zero,
        and then correlates 0 with everything.
        """
        return self._project("answers", texts)

    def questions(self, texts: Sequence[str]) -> Floats:
        """The centred projections psi of some texts taken as questions, [n, k]."""
        return self._project("questions", texts)

    def uncentred_answers(self, texts: Sequence[str]) -> Floats:
        """The projections phi of some texts as answers, not centred, [n, k]."""
        return self.fit.uncentred(self.views.index("answers"), self.sentences.embed(texts))

    def _project(self, view: View, texts: Sequence[str]) -> Floats:
        return self.fit.project(self.views.index(view), self.sentences.embed(texts))

    def save(self, path: Path) -> None:
        """Writes the model: arrays as safetensors, the rest as JSON beside them; never over a file.

        A path that ends in .safetensors is the file of the arrays; any other is a folder for both.
        """
        from safetensors.numpy import save

        arrays, description = places(path)
        for file in (arrays, description):
            if file.exists():
                raise UsageError(f"{file} is there already: nothing is overwritten")
        tensors = {"words": self.sentences.table, "eigenvalues": self.fit.eigenvalues}
        for view, weights, mean in zip(self.views, self.fit.weights, self.fit.means, strict=True):
            tensors |= {f"{view}.weights": weights, f"{view}.mean": mean}
        told = _Description(
            _KIND,
            self.views,
            self.fit.power,
            self.sentences.recipe,
            self.training,
            self.sentences.words,
        )
        with writing(arrays) as stream:
            stream.write(save({name: np.ascontiguousarray(it) for name, it in tensors.items()}))
        with writing(description) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(told), indent=1))

    @classmethod
    def load(cls, path: Path) -> Model:
        """The model of a folder or of a .safetensors file."""
        arrays, description = places(path)
        told = read_json(description, _DESCRIPTION)
        if told.kind != _KIND or told.views not in {TWO, THREE}:
            raise DataError("is no CCA model", file=description, field="kind", expected=_KIND)
        tensors = _tensors(arrays)
        table = _tensor(tensors, "words", (len(SPECIAL) + len(told.words), None), arrays)
        values = _tensor(tensors, "eigenvalues", (None,), arrays)
        weights, means = [], []
        for view in told.views:
            width = None if view == "images" else table.shape[1]
            weight = _tensor(tensors, f"{view}.weights", (width, len(values)), arrays)
            weights.append(weight.astype(np.float64))
            mean = _tensor(tensors, f"{view}.mean", weight.shape[:1], arrays)
            means.append(mean.astype(np.float64))
        fitted = Fit(tuple(weights), values.astype(np.float64), tuple(means), told.power)
        embedding = Sentences(told.words, table.astype(np.float32), told.recipe)
        return cls(embedding, fitted, told.views, told.training)


def places(path: Path) -> tuple[Path, Path]:
    """The two files of a model: arrays, and description."""
    path = Path(path)
    if path.suffix == ".safetensors":
        return path, path.with_suffix(".json")
    return path / "model.safetensors", path / "model.json"


def _tensors(path: Path) -> dict[str, NDArray[np.generic]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        found: dict[str, NDArray[np.generic]] = load(read_bytes(path))
    except (SafetensorError, KeyError, ValueError, TypeError) as error:
        raise DataError(f"cannot be read: {error}", file=path, expected="safetensors") from None
    return found


def _tensor(
    tensors: dict[str, NDArray[np.generic]],
    name: str,
    shape: tuple[int | None, ...],
    path: Path,
) -> NDArray[np.generic]:
    found = tensors.get(name)
    if found is None:
        raise DataError("is missing", file=path, field=name, expected="an array")
    fits = len(found.shape) == len(shape) and all(
        wanted in {None, size} for wanted, size in zip(shape, found.shape, strict=True)
    )
    if not fits or found.dtype.kind != "f":
        raise DataError(
            f"is {found.dtype} of the shape {found.shape}",
            file=path,
            field=name,
            expected=f"numbers of the shape {shape}",
        )
    if not np.isfinite(found).all():
        raise DataError("holds NaN or infinity", file=path, field=name, expected="finite numbers")
    return found
