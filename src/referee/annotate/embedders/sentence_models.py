"""Sentence vectors of BERT models: MiniLM's mean of all tokens, and bert-as-service's first token.

Texts of equally many tokens go through the model together, so that nothing is padded and a text's
vector does not depend on which others it came with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from referee.annotate.embedders.embedder import Rows
from referee.datasets.files import read_json, reading
from referee.errors import DataError

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

_TOKENS = 4096
"""The tokens that go through a model at once."""
_KINDS = {".json", ".txt", ".safetensors", ".bin"}
_SETTINGS = ("config.json", "tokenizer.json", "vocab.txt")


class Tokens(NamedTuple):
    """A text as the model takes it: its pieces, and for each whether it belongs to a second part."""

    pieces: list[int]
    parts: list[int]


class MiniLM:
    """all-MiniLM-L6-v2 as its own sentence-transformers settings say.

    At most 256 tokens, the mean of the last layer over all of them, brought to length 1.
    """

    RECIPE = "mean of tokens, at most 256, of length 1"
    LONGEST = 256

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        tokenizer = _tokenizer(self.folder / "tokenizer.json")
        tokenizer.enable_truncation(self.LONGEST)
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _model(self) -> Any:
        return _load(self.folder)

    def vectors(self, texts: Sequence[str]) -> Rows:
        """The vectors, [len(texts), 384]."""
        from torch.nn.functional import normalize

        encoded = self._tokenizer.encode_batch(list(texts))
        tokens = [Tokens(one.ids, one.type_ids) for one in encoded]
        return _through(self._model, tokens, lambda last: normalize(last.mean(dim=1), dim=1))


class Bert:
    """BERT by bert-as-service's settings in DenseVisDial (visdial.md 2.7).

    The last layer's state of [CLS]; 16 pieces with [CLS] and [SEP], the rest is cut without a word; capitals
    and accents go; a text with " ||| " in it is a pair, of which the longer part is cut first.
    """

    RECIPE = "first token, at most 16"
    LONGEST = 16
    BETWEEN = " ||| "

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def _pieces(self) -> Tokenizer:
        """The recipe's own word pieces, whatever the model's tokenizer settings say."""
        from tokenizers import Tokenizer
        from tokenizers.models import WordPiece
        from tokenizers.normalizers import BertNormalizer
        from tokenizers.pre_tokenizers import BertPreTokenizer

        vocabulary = _vocabulary(self.folder)
        lacking = {"[CLS]", "[SEP]", "[UNK]"} - vocabulary.keys()
        if lacking:
            raise DataError(
                f"lacks {', '.join(sorted(lacking))}",
                file=self.folder,
                expected="BERT's vocabulary",
            )
        pieces = Tokenizer(
            WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=200)  # noqa: S106 (no password)
        )
        pieces.normalizer = BertNormalizer(lowercase=True, strip_accents=True)
        pieces.pre_tokenizer = BertPreTokenizer()
        return pieces

    @cached_property
    def _model(self) -> Any:
        return _load(self.folder)

    @cached_property
    def _marks(self) -> tuple[int, int]:
        numbers = self._pieces.get_vocab()
        return numbers["[CLS]"], numbers["[SEP]"]

    def tokens(self, text: str) -> Tokens:
        """The text as the model takes it."""
        start, between, end = text.rpartition(self.BETWEEN)
        first, second = (start, end) if between else (end, "")
        one, two = self._split(first), self._split(second)
        marks = 3 if two else 2
        while len(one) + len(two) > self.LONGEST - marks:
            (one if len(one) > len(two) else two).pop()
        cls, sep = self._marks
        head = [cls, *one, sep]
        tail = [*two, sep] if two else []
        return Tokens([*head, *tail], [0] * len(head) + [1] * len(tail))

    def _split(self, text: str) -> list[int]:
        return list(self._pieces.encode(text, add_special_tokens=False).ids)

    def vectors(self, texts: Sequence[str]) -> Rows:
        """The vectors, [len(texts), 768 for BERT-base]."""
        tokens = [self.tokens(text) for text in texts]
        return _through(self._model, tokens, lambda last: last[:, 0])


def _through(model: Any, tokens: Sequence[Tokens], pool: Callable[[Tensor], Tensor]) -> Rows:
    """What `pool` makes of the model's last layer, for each text."""
    import torch

    vectors = np.empty((len(tokens), model.config.hidden_size), np.float32)
    with torch.inference_mode():
        for places in _batches(tokens):
            pieces = torch.tensor([tokens[place].pieces for place in places])
            parts = torch.tensor([tokens[place].parts for place in places])
            last = model(input_ids=pieces, token_type_ids=parts).last_hidden_state
            vectors[places] = pool(last).numpy()
    return vectors


def _batches(tokens: Sequence[Tokens]) -> Iterator[list[int]]:
    """The places of texts of one length, few enough to go together."""
    by_length: dict[int, list[int]] = {}
    for place, one in enumerate(tokens):
        by_length.setdefault(len(one.pieces), []).append(place)
    for length, places in sorted(by_length.items()):
        size = max(1, _TOKENS // length)
        yield from (places[start : start + size] for start in range(0, len(places), size))


def _load(folder: Path) -> Any:
    """The model of a folder; the network is not asked."""
    import transformers

    says: Any = transformers.utils.logging
    loud, bar = says.get_verbosity(), says.is_progress_bar_enabled()
    says.set_verbosity_error()
    says.disable_progress_bar()
    try:
        model = transformers.AutoModel.from_pretrained(folder, local_files_only=True)
    except Exception as error:
        # safetensors and torch have errors of their own for a damaged file, with no common root
        raise DataError(
            f"cannot be loaded: {_line(error)}", file=folder, expected="a BERT model"
        ) from error
    finally:
        says.set_verbosity(loud)
        if bar:
            says.enable_progress_bar()
    return model.float().eval()


def _tokenizer(path: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:
        # the tokenizers package raises plain exceptions
        raise DataError(
            f"cannot be read: {_line(error)}", file=path, expected="a tokenizer"
        ) from error


def _vocabulary(folder: Path) -> dict[str, int]:
    """Word pieces and their numbers, from vocab.txt or tokenizer.json."""
    path = folder / "vocab.txt"
    if not path.is_file():
        return _tokenizer(folder / "tokenizer.json").get_vocab()
    with reading(path):
        pieces = path.read_text("utf-8", errors="replace").splitlines()
    return {piece: number for number, piece in enumerate(pieces)}


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


class _Config(msgspec.Struct):
    hidden_size: int


def hidden_size(folder: Path) -> int:
    """How long the model's vectors are."""
    return read_json(folder / "config.json", msgspec.json.Decoder(_Config)).hidden_size


def model_files(folder: Path) -> list[Path]:
    """The files of a folder on which its vectors depend."""
    return sorted(path for path in folder.iterdir() if path.suffix in _KINDS)


def local(what: str) -> Path:
    """The folder of a model: itself, or where the hub's cache keeps the model of that id."""
    folder = Path(what)
    if folder.is_dir():
        return folder
    if folder.is_absolute() or what.startswith((".", "~")):
        raise DataError("there is no such folder", file=folder, expected="a folder with a model")
    from huggingface_hub import snapshot_download

    try:
        # the hub's own settings say whether it may use the network
        kept = Path(snapshot_download(what, allow_patterns=[*_SETTINGS, "model.safetensors"]))
        if not (kept / "model.safetensors").exists():
            kept = Path(snapshot_download(what, allow_patterns=[*_SETTINGS, "pytorch_model.bin"]))
    except Exception as error:
        # no network, no such model, no name of a model: errors of three packages
        raise DataError(
            f"is neither a folder nor a model that can be had: {_line(error)}", file=what
        ) from error
    return kept
