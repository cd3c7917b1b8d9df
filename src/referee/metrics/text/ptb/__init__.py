"""The PTB tokeniser as coco-caption uses it, without Java.

coco-caption sends captions through Stanford's PTBTokenizer (CoreNLP 3.4.1, lines kept, lower case)
and drops seventeen marks from what comes back. The rules here were written from that program's
answers to strings of our own, and agree with it on every caption, answer and question of COCO,
VisDial, GuessWhat?! and Visual Genome at hand. Limits:

- coco-caption tokenises all captions as one file, so a last word can see the next caption: `no.`
  keeps its period when the next line begins with a digit. Here a caption stands alone.
- An abbreviation glued to one letter ("co.o"), initials before markup ("A. <b>") and some letters of
  scripts that are younger than Unicode 6, or than Python's tables, come out otherwise.
- Where coco-caption would lose its count of lines (form feeds, U+2028 and the like), there is a space.
"""

from __future__ import annotations

import re
from functools import lru_cache

from referee.metrics.text.ptb.tables import ABBREVIATIONS, CLITIC, RULES, SPLIT_WORDS

_DROPPED = frozenset(["''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"])
_WRITTEN = {
    # coco-caption means to drop brackets, but looks for their names in capitals.
    "(": "-lrb-",
    ")": "-rrb-",
    "{": "-lcb-",
    "}": "-rcb-",
    "[": "-lsb-",
    "]": "-rsb-",
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "\u00a2": "cents",
    "\u00a3": "#",
    "\u00bc": "1/4",
    "\u00bd": "1/2",
    "\u00be": "3/4",
    "\u2153": "1/3",
    "\u2154": "2/3",
    **dict.fromkeys("\u0080\u00a4\u20a0\u20ac", "$"),
}
_SILENT = frozenset(
    {"&quot;", '"', "\u2026"}
    | set("\u0096\u0097\u2013\u2014\u2015")
    | {"&MD;", "&mdash;", "&ndash;", "&apos;"}
)
_QUOTES = str.maketrans(
    dict.fromkeys("\u0091\u2018\u201b\u2039", "`")
    | dict.fromkeys("\u0092\u2019\u203a", "'")
    | dict.fromkeys("\u0093\xab\u201c", "``")
    | dict.fromkeys("\u0094\xbb\u201d", "''")
)
_LONGEST_DASH = 4  # longer runs of hyphens are rules across the page, and stay
_SPACES = re.compile(r"(?:\s|&nbsp;)+")
# Words between spaces are settled at a glance; so is a word with a mark at its end.
_PLAIN_WORD = re.compile(r"[A-Za-z]+(?=[.,?!]?[ \n])")
_PLAIN_MARK = re.compile(r"[.,?!](?= [A-Za-z]|\n)")


@lru_cache(maxsize=1 << 17)
def ptb(text: str) -> str:
    """A caption as coco-caption's scorers see it: tokens in lower case, most marks dropped.

    >>> ptb("A man's dog isn't (very) big, is it?")
    "a man 's dog is n't -lrb- very -rrb- big is it"
    """
    return " ".join(ptb_tokens(text))


def ptb_tokens(text: str) -> list[str]:
    """The tokens of a caption, in lower case, without the marks that coco-caption drops."""
    tokens = []
    at = 0
    text += "\n"  # some rules look at the end of the line
    while at < len(text):
        if spaces := _SPACES.match(text, at):
            at = spaces.end()
            continue
        end = _plain_end(text, at) or _furthest(text, at)
        if end is None:
            at += 1  # a character that no token may have
            continue
        token = _written(text[at:end])
        if token is not None:
            tokens.append(token)
        at = end
    return tokens


def _plain_end(text: str, at: int) -> int | None:
    if mark := _PLAIN_MARK.match(text, at):
        return mark.end()
    if not (word := _PLAIN_WORD.match(text, at)):
        return None
    low = word[0].lower()
    if low in SPLIT_WORDS:
        return None
    if text.startswith(".", word.end()) and (len(low) == 1 or low in ABBREVIATIONS):
        return None
    return word.end()


def _furthest(text: str, at: int) -> int | None:
    """Where the token ends whose rule sees furthest."""
    seen, end = at, None
    for rule in RULES:
        found = rule.match(text, at)
        if found and found.end() > seen:
            seen, end = found.end(), found.end(1)
    return end


def _written(token: str) -> str | None:
    """How a token is written, or None where it is dropped."""
    if token in _DROPPED or token in _SILENT:
        return None
    if token in _WRITTEN:
        return _WRITTEN[token]
    if set(token) == {"-"}:
        return None if len(token) <= _LONGEST_DASH else token
    if set(token) <= {".", " ", "\u00a0"}:
        return None
    if not token.startswith("<") or not token.endswith(">"):
        token = token.replace("(", "-lrb-").replace(")", "-rrb-")
    if "/" not in token:
        token = token.replace("&amp;", "&")
    if CLITIC.fullmatch(token) or not any(map(str.isalnum, token)):
        token = token.replace("&apos;", "'").translate(_QUOTES)
        if token in _DROPPED:
            return None
    return token.replace(" ", "\u00a0").replace("\u00ad", "").lower() or None
