"""Word pieces for models that read raw text as BERT does: their numbers come from the model's own list.

The tokeniser is BERT's (lower case, accents off, apart at punctuation, longest pieces first). An answer is
the word that people would read: yes, no, n/a.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from referee.errors import DataError
from referee.players.neural.vocabulary import SAID, Vocabulary, tokenise

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PAD, UNK, CLS, SEP = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
_SPECIAL = (PAD, UNK, CLS, SEP)
_ANSWERS = {mark: answer.lower() for answer, mark in SAID.items()}


@dataclass(frozen=True)
class WordPieces(Vocabulary):
    """The pieces of a model in the order of their numbers."""

    def __post_init__(self) -> None:
        """BERT's four marks are among them."""
        lacking = [mark for mark in _SPECIAL if mark not in self.words]
        if lacking:
            raise DataError(f"lacks {', '.join(lacking)}", expected="BERT's word pieces")

    @classmethod
    def counted(cls, questions: Iterable[str], least: int = 1) -> WordPieces:
        """Whole words as pieces, for a model that starts from nothing."""
        counts = Counter(word for question in questions for word in _words(question))
        kept = sorted((-n, word) for word, n in counts.items() if n >= least)
        words = [*(word for answer in _ANSWERS.values() for word in _words(answer))]
        return cls(tuple(dict.fromkeys([*_SPECIAL, *words, *(word for _, word in kept)])))

    @classmethod
    def of_folder(cls, name: str) -> WordPieces:
        """The pieces of a model's folder, or of its id on the hub."""
        from transformers import AutoTokenizer

        try:
            numbers = AutoTokenizer.from_pretrained(name).get_vocab()
        except (OSError, ValueError, KeyError) as error:
            said = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise DataError(f"its tokeniser cannot be read: {said}", file=name) from None
        return cls(tuple(sorted(numbers, key=numbers.__getitem__)))

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer
        from tokenizers.models import WordPiece
        from tokenizers.normalizers import BertNormalizer
        from tokenizers.pre_tokenizers import BertPreTokenizer

        model = WordPiece(self.numbers, unk_token=UNK, max_input_chars_per_word=100)
        found = Tokenizer(model)
        found.normalizer = BertNormalizer(lowercase=True, strip_accents=True)
        found.pre_tokenizer = BertPreTokenizer()
        return found

    @cached_property
    def marks(self) -> dict[int, list[int]]:
        """The pieces of each answer's mark."""
        return {mark: self.encode(answer) for mark, answer in _ANSWERS.items()}

    def number(self, mark: str) -> int:
        """The number of a mark."""
        return self.numbers[mark]

    def encode(self, text: str) -> list[int]:
        """The numbers of a text's pieces."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def question(self, text: str, longest: int | None = None) -> list[int]:
        """The numbers of a question; one of no words is [UNK]."""
        return self.encode(text)[:longest] or [self.number(UNK)]


def _words(text: str) -> list[str]:
    """A text apart at every mark, as BERT's tokeniser has it."""
    return [
        part
        for word in tokenise(text)
        for part in "".join(c if c.isalnum() else f" {c} " for c in word).split()
    ]
