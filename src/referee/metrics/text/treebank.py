"""Words of the Penn Treebank and back, as nltk 3.4 has them (visdial.md 2.1, 2.7).

Each step is a table of rewriting rules applied one after the other. The quirks are wanted: they are
in the published numbers. A comma before a digit stays spaced on the way back, `"hi"` returns as
two back-quotes, and a bracket keeps the space before it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from referee.metrics.text.punkt import sentences

Rules = tuple[tuple[re.Pattern[str], str], ...]


def _rules(*table: tuple[str, str]) -> Rules:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in table)


_CLITIC_PAIRS = (
    *(("can", "not"), ("gim", "me"), ("gon", "na"), ("got", "ta"), ("lem", "me")),
    *(("d", "'ye"), ("mor", "'n")),
)

_SPLIT = _rules(
    # Quotes that open.
    (r"[«“\u2018„]|`+", r" \g<0> "),
    (r'^"', r"``"),
    (r"``", r" `` "),
    (r"([ (\[{<])(?:\"|'')", r"\1 `` "),
    (r"'(?!(?i:re|ve|ll|m|t|s|d))(\w)\b", r"' \1"),
    # The final period, then the other marks.
    (r"([^.])\.([\])}>\"'»”\u2019 ]*)\s*$", r"\1 . \2 "),
    (r"([:,])(\D)", r" \1 \2"),
    (r"[:,]$", r" \g<0> "),
    (r"\.\.\.", r" ... "),
    (r"[;@#$%&]", r" \g<0> "),
    (r"([^.])\.([\])}>\"']*)\s*$", r"\1 .\2 "),
    (r"[?!]", r" \g<0> "),
    (r"([^'])' ", r"\1 ' "),
    (r"[\]\[(){}<>]", r" \g<0> "),
    (r"--", r" -- "),
    # The rules below look for the spaces around a word.
    (r"\A|\Z", r" "),
    (r"[»”\u2019]", r" \g<0> "),
    (r'"', r" '' "),
    (r"(\S)''", r"\1 '' "),
    (r"([^' ])('[sSmMdD]?) ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
    *((rf"(?i)\b({first})({second})\b", r" \1 \2 ") for first, second in _CLITIC_PAIRS),
    (r"(?i)\b(wan)(na)\s", r" \1 \2 "),
    (r"(?i) ('t)(is)\b", r" \1 \2 "),
    (r"(?i) ('t)(was)\b", r" \1 \2 "),
)

_JOIN = _rules(
    (r"(?i) ('t)\s(is)\b", r"\1\2"),
    (r"(?i) ('t)\s(was)\b", r"\1\2"),
    *((rf"(?i)\b({first})\s({second})\b", r"\1\2") for first, second in _CLITIC_PAIRS),
    (r"(?i)\b(wan)\s(na)\s", r"\1\2"),
    (r"([^' ])\s('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1\2 "),
    (r"([^' ])\s('[sSmMdD]?) ", r"\1\2 "),
    (r"(\S)''", r"\1'' "),
    (r" '' ", r'"'),
    (r"\A\s+|\s+\Z", r""),
    (r" -- ", r"--"),
    (r"\s([\[({<])\s", r" \1"),
    (r"\s([\])}>])\s", r"\1 "),
    (r"([\])}>])\s([:;,.])", r"\1\2"),
    (r"([^'])\s'\s", r"\1' "),
    (r"\s([?!])", r"\1"),
    (r"([^.])\s\.([\])}>\"']*)\s*$", r"\1.\2"),
    (r"\s([#$])\s", r" \1"),
    (r"\s([;%])\s", r"\1 "),
    (r"\s&\s", r" & "),
    (r"\s\.\.\.\s", r"..."),
    (r"\s([:,])\s$", r"\1"),
    (r"\s([:,])\s(\D)", r"\1 \2"),
    (r"([ (\[{<])\s``", r'\1"'),
    (r"\s``\s", r"``"),
    (r"^``", r'\\"'),
)

# Letters, digits, inner hyphens and single spaces: nothing that a rule above touches, unless two of
# the words are halves of a contraction.
_PLAIN = re.compile(r"[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*")
_HALVES = re.compile(r"(?:can|gim|gon|got|lem|wan) ?(?:not|me|na|ta)")


def word_tokenize(text: str) -> list[str]:
    """The words of a text, sentence by sentence, punctuation as words of its own.

    >>> word_tokenize("i don't know. it's 5:30, (maybe)")
    ['i', 'do', "n't", 'know', '.', 'it', "'s", '5:30', ',', '(', 'maybe', ')']
    """
    if is_plain(text):
        return text.split(" ")
    return [word for sentence in sentences(text) for word in _apply(_SPLIT, sentence).split()]


def detokenize(words: list[str]) -> str:
    """The text that those words would come from, nearly.

    >>> detokenize(["yes", ",", "i", "do", "n't", "see", "any", ",", "5", "are", "gone"])
    "yes, i don't see any , 5 are gone"
    """
    return _apply(_JOIN, " ".join(words)).strip()


@lru_cache(maxsize=1 << 17)
def retokenize(text: str) -> str:
    """A text tokenised and put together again: what the published numbers did to answers.

    >>> retokenize("yes, 5 of them. (not) all")
    'yes , 5 of them . (not) all'
    """
    return text if is_plain(text) else detokenize(word_tokenize(text))


def is_plain(text: str) -> bool:
    """Whether a text has nothing that the rules touch."""
    return _PLAIN.fullmatch(text) is not None and _HALVES.search(text.lower()) is None


def _apply(rules: Rules, text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text
