"""A trained model as a folder: arrays as safetensors, the rest as JSON beside them; nothing is pickled.

    model.safetensors      the weights
    model.json             kind, configuration, vocabulary, class order, versions, how it was trained
    guesser/               the guesser that a questioner takes along, where it is not one that ships
    resume/state.*         what a run needs to go on as if it had not been stopped (`training`)

A folder of another kind of model, or one whose weights are not those that its description promises, is
refused with the name of the file.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import torch
from msgspec import Struct
from torch import Tensor, nn

import referee
from referee.datasets.files import read_bytes, read_json, writing
from referee.errors import DataError
from referee.games import ANSWERS
from referee.players.neural.vocabulary import Vocabulary
from referee.players.recorded import digest

C = TypeVar("C")
M = TypeVar("M", bound=nn.Module)

FORMAT = "referee neural 1"
WEIGHTS, DESCRIPTION = "model.safetensors", "model.json"


class Companion(Struct, frozen=True):
    """The guesser that a questioner takes along (`companions`)."""

    name: str
    """The name in the package; empty for one in the folder `guesser` beside the weights."""
    version: str


class Description(Struct, frozen=True, omit_defaults=True):
    """What a folder's weights are; `config` is the configuration of its kind of model."""

    kind: str
    config: dict[str, Any]
    words: tuple[str, ...]
    answers: tuple[str, ...] = ANSWERS
    """The order of the oracle's classes."""
    training: dict[str, Any] = {}
    """How it was trained: files with their hashes, seed, epochs, figures on the validation games."""
    versions: dict[str, str] = {}
    guesser: Companion | None = None
    format: str = FORMAT

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary whose numbers the weights know."""
        return Vocabulary(self.words)


@dataclass(frozen=True)
class Checkpoint:
    """A folder that has been read: its description and its weights."""

    folder: Path
    description: Description
    weights: Mapping[str, Tensor]

    @property
    def kind(self) -> str:
        """Which model it is."""
        return self.description.kind

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary whose numbers the weights know."""
        return self.description.vocabulary

    @property
    def version(self) -> str:
        """What tells these weights from others, for a run's manifest."""
        return f"weights {digest(self.folder / WEIGHTS)}"

    def require(self, kind: str, vocabulary: Vocabulary | None = None) -> Checkpoint:
        """The same, if it is this kind of model and (where one is given) knows these words."""
        file = self.folder / DESCRIPTION
        if self.kind != kind:
            raise DataError(f"is a {self.kind}", file=file, field="kind", expected=kind)
        if vocabulary is not None and vocabulary.words != self.description.words:
            raise DataError(
                f"has the vocabulary {self.vocabulary.digest} of {len(self.vocabulary)} words",
                file=file,
                field="words",
                expected=f"the vocabulary {vocabulary.digest} of {len(vocabulary)} words",
            )
        return self

    def config(self, kind: type[C]) -> C:
        """The model's configuration."""
        try:
            return msgspec.convert(self.description.config, kind)
        except msgspec.ValidationError as error:
            raise DataError(str(error), file=self.folder / DESCRIPTION, field="config") from None

    def fill(self, module: M) -> M:
        """The module with these weights; they must have its names and shapes, and be finite."""
        return fill(module, self.weights, self.folder / WEIGHTS)


def fill(module: M, weights: Mapping[str, Tensor], file: Path) -> M:
    """The module with some weights; they must have its names and shapes, and be finite."""
    wanted = module.state_dict()
    for name in sorted(wanted.keys() ^ weights.keys()):
        what = "is missing" if name in wanted else "belongs to another model"
        raise DataError(what, file=file, field=name)
    # In the order of the model, so that the same file has the same complaint.
    for name, tensor in ((name, weights[name]) for name in wanted):
        if tensor.shape != wanted[name].shape:
            raise DataError(
                f"has the shape {list(tensor.shape)}",
                file=file,
                field=name,
                expected=f"{list(wanted[name].shape)}, as the description says",
            )
        if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
            raise DataError("holds NaN or infinity", file=file, field=name, expected="numbers")
    module.load_state_dict(dict(weights))
    return module


def save(folder: Path, module: nn.Module, description: Description) -> None:
    """Writes a model's folder; each file appears whole or not at all."""
    told = msgspec.structs.replace(description, versions=versions())
    save_tensors(folder / WEIGHTS, module.state_dict())
    save_json(folder / DESCRIPTION, told)


def load(folder: Path) -> Checkpoint:
    """The description and the weights of a folder."""
    folder = Path(folder)
    if not folder.is_dir():
        raise DataError("there is no such folder", file=folder, expected="a model's folder")
    file = folder / DESCRIPTION
    description = read_json(file, msgspec.json.Decoder(Description))
    if description.format != FORMAT:
        raise DataError(f"is {description.format!r}", file=file, field="format", expected=FORMAT)
    return Checkpoint(folder, description, load_tensors(folder / WEIGHTS))


def versions() -> dict[str, str]:
    """What a model was made with."""
    return {
        "referee": referee.__version__,
        "torch": str(torch.__version__),
        "python": platform.python_version(),
    }


def save_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Writes arrays."""
    from safetensors.torch import save as encode

    plain = {name: it.detach().cpu().contiguous() for name, it in tensors.items()}
    with writing(path) as stream:
        stream.write(encode(plain))


def load_tensors(path: Path) -> dict[str, Tensor]:
    """The arrays of a file."""
    from safetensors import SafetensorError
    from safetensors.torch import load as decode

    try:
        found: dict[str, Tensor] = decode(read_bytes(path))
    except (SafetensorError, KeyError, ValueError, TypeError) as error:
        raise DataError(f"cannot be read: {error}", file=path, expected="safetensors") from None
    return found


def save_json(path: Path, value: Any) -> None:
    """Writes a value that msgspec knows."""
    with writing(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(value), indent=1))


def described(
    kind: str, config: object, vocabulary: Vocabulary, answers: tuple[str, ...] = ANSWERS
) -> Description:
    """The description of a model that is about to be trained."""
    return Description(kind, msgspec.to_builtins(config), vocabulary.words, answers)
