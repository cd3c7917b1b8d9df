"""METEOR 1.5's own tokeniser (`-norm`): punctuation apart, clitics apart, lower case.

Each substitution is one scan from left to right whose matches consume the neighbours that they test,
so that `a,b,c` becomes `a , b,c`: the reference program's substitutions do the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LETTERS = (
    "A-Za-z\u0160\u017d\u0161\u017e\u0178\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e"
    "\u0400-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
)
_ALPHANUMERIC = _LETTERS + "0-9"
_CONTROLS = "".join(map(chr, range(0x21)))
_SPACES = "\u0020\u00a0\u2000-\u200a\u202f\u205f\u3000"
_HELD = "\ue000"
"""Stands for a run of dots while the other rules work; real ones are told apart by their order."""

_PLAIN = re.compile("[A-Za-z0-9 ]*")
_LETTER = re.compile(f"[{_LETTERS}]")
_APART = re.compile(f"([^{_ALPHANUMERIC} \\t\\n\\x0b\\f\\r.',\\-`\u2018\u2019])")
_HELD_OR_DOTS = re.compile(f"{_HELD}|\\.\\.+")
_DOTS = re.compile(r"\.\.+")
_COMMAS = tuple(
    re.compile(rule) for rule in ("([^0-9]),([^0-9])", "([0-9]),([^0-9])", "([^0-9]),([0-9])")
)
_QUOTES = str.maketrans("`\u2018\u2019", "'''")
_DOUBLE_QUOTES = re.compile("[\u201c\u201d]|''")
_HYPHEN = re.compile(f"([{_ALPHANUMERIC}.])-([{_ALPHANUMERIC}])")
_APOSTROPHES = tuple(
    (re.compile(rule), becomes)
    for rule, becomes in (
        (f"([^{_LETTERS}])'([^{_LETTERS}])", r"\1 ' \2"),
        (f"([^{_ALPHANUMERIC}])'([{_LETTERS}])", r"\1 ' \2"),
        (f"([{_LETTERS}])'([^{_LETTERS}])", r"\1 ' \2"),
        (f"([{_LETTERS}])'([{_LETTERS}])", r"\1 '\2"),
        ("([0-9])'(s)", r"\1 '\2"),
    )
)
_SPLIT = re.compile("[ \\t\\n\\r\\f]+")
_SPACE_RUN = re.compile(f"[{_SPACES}]+")


@dataclass(frozen=True)
class Normaliser:
    """Splits a sentence as METEOR 1.5 does for English.

    The two lists say which words keep a final full stop: always, or only before a number.

    >>> Normaliser(frozenset({"Mr"}), frozenset({"No"})).tokens("Mr. Smith can't, No. 5 can.")
    ['mr.', 'smith', 'can', "'t", ',', 'no.', '5', 'can', '.']
    """

    always: frozenset[str]
    before_numbers: frozenset[str]

    def tokens(self, text: str) -> list[str]:
        """The tokens of one sentence; none of a sentence of white space only."""
        if _PLAIN.fullmatch(text):
            return text.lower().split()
        line = _APART.sub(r" \1 ", f" {text.strip(_CONTROLS)} ")
        held: list[str] = []
        if ".." in line:
            held = _HELD_OR_DOTS.findall(line)
            line = _DOTS.sub(f" {_HELD} ", line)
        if "," in line:
            for rule in _COMMAS:
                line = rule.sub(r"\1 , \2", line)
        line = _clitics(line)
        words = [word for word in _SPLIT.split(line) if word]
        if "." in line:
            words = self._full_stops(words)
        line = " ".join(words)
        if held:
            originals = iter(held)
            line = re.sub(_HELD, lambda _: next(originals), line)
        line = _SPACE_RUN.sub(" ", line).strip(_CONTROLS).lower()
        return [word for word in _SPLIT.split(line) if word]

    def _full_stops(self, words: list[str]) -> list[str]:
        """Full stops that end a sentence become words; those of abbreviations stay or go."""
        result = []
        for word, following in zip(words, [*words[1:], ""], strict=True):
            before = word[:-1]
            if not before or word[-1] != ".":
                result.append(word)
            elif "." in before and _LETTER.search(before):
                result.append(word.replace(".", ""))
            elif self._keeps_its_stop(before, following[:1]):
                result.append(word)
            else:
                result += [before, "."]
        return result

    def _keeps_its_stop(self, before: str, following: str) -> bool:
        return (
            before in self.always
            or "a" <= following <= "z"
            or (before in self.before_numbers and "0" <= following <= "9")
        )


def _clitics(line: str) -> str:
    """Quotation marks, dashes and apostrophes."""
    line = line.translate(_QUOTES)
    line = _DOUBLE_QUOTES.sub(' " ', line).replace("\u2013", "-").replace("--", "-")
    if "-" in line:
        line = _HYPHEN.sub(r"\1 \2", line)
    if "'" in line:
        for rule, becomes in _APOSTROPHES:
            line = rule.sub(becomes, line)
    return line
