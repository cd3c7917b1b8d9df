"""The words that a neural player knows, and how a text is cut into them (facts 1.2).

The head of every vocabulary is the same eight marks; a question ends with its "?", which is a word.
A vocabulary travels with the weights that were trained on it: two dictionaries that were made on
different machines differ in their order, and the published weights are useless with another's.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from referee.datasets import gdse_vocabulary
from referee.datasets.gdse_vocabulary import MARKS

PADDING, START, STOP, STOP_DIALOGUE, UNKNOWN, YES, NO, NOT_APPLICABLE = range(len(MARKS))
SAID = {"Yes": YES, "No": NO, "N/A": NOT_APPLICABLE}
"""The mark of each answer."""

LEAST_COUNT = 3
"""How often a word must come in the training questions to be known."""

_WORD = re.compile(
    r"""
    https?://\S+                                # an address
    | [<>]?[:;=8][\-o*']?[)\](\[dDpP/\\|}{@]    # a face: sideways eyes, perhaps a nose, a mouth
    | [@\#]\w+(?:[\w'\-]*\w)?                   # a name, a tag
    | [^\W\d_](?:[^\W\d_]|['\-_])+[^\W\d_]      # a word, with apostrophes and hyphens inside it
    | [+\-]?\d+[,/.:\-]\d+[+\-]?                # a number with a mark inside it
    | \w+                                       # another word or number
    | \.(?:\s*\.)+                              # dots
    | \S
    """,
    re.VERBOSE,
)


def tokenise(text: str) -> list[str]:
    """The words of a text in lower case, as tokenisers of short messages cut it.

    >>> tokenise("Is it the man's T-shirt?")
    ['is', 'it', 'the', "man's", 't-shirt', '?']
    """
    return _WORD.findall(text.lower())


_REMEMBERED = 1 << 16
"""Texts whose numbers are remembered."""


@dataclass(frozen=True)
class Vocabulary:
    """The known words, the eight marks first; a word's number is its place."""

    words: tuple[str, ...]

    @classmethod
    def counted(cls, questions: Iterable[str], least: int = LEAST_COUNT) -> Vocabulary:
        """The words of the training questions that come `least` times, the commonest first.

        Words with more than one "." are left out, as in the original code.
        """
        counts = Counter(word for question in questions for word in tokenise(question))
        kept = [(-n, word) for word, n in counts.items() if n >= least and word.count(".") <= 1]
        return cls((*MARKS, *(word for _, word in sorted(kept) if word not in MARKS)))

    @classmethod
    def read(cls, path: Path) -> Vocabulary:
        """The vocabulary of a `dict.json` of de Vries et al. or a `vocab.json` of GDSE."""
        return cls(gdse_vocabulary.read(path).words)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def digest(self) -> str:
        """What tells one vocabulary from another."""
        text = "\x1f".join(self.words)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, text: str) -> list[int]:
        """The numbers of a text's words; <unk> for those that are not known.

        What a person types as a mark is no mark: the tokeniser takes it apart.
        """
        known = self._encoded.get(text)
        if known is None:
            if len(self._encoded) >= _REMEMBERED:
                self._encoded.clear()
            numbers = self.numbers
            known = self._encoded[text] = [numbers.get(word, UNKNOWN) for word in tokenise(text)]
        return known.copy()

    @cached_property
    def _encoded(self) -> dict[str, list[int]]:
        """The texts met last: each turn of a dialogue is read again at every later one."""
        return {}

    def question(self, text: str, longest: int | None = None) -> list[int]:
        """The numbers of a question, cut after `longest` words; a question of no words is <unk>."""
        return self.encode(text)[:longest] or [UNKNOWN]

    def decode(self, numbers: Sequence[int]) -> str:
        """The text of some numbers; marks are left out."""
        return " ".join(self.words[number] for number in numbers if number >= len(MARKS))
