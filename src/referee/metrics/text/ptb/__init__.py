"""The PTB tokeniser as coco-caption uses it, without Java.

coco-caption sends captions through Stanford's PTBTokenizer (CoreNLP 3.4.1, lines kept, lower case)
and drops seventeen marks from what comes back. The rules here were written from that program's
answers to strings of our own, and agree with it on every caption, answer and question of COCO,
VisDial, GuessWhat?! and Visual Genome at hand (97,105 strings), and on all but about one in
100,000 made-up sentences full of numbers, quotes, hyphens and addresses. Limits:

- coco-caption tokenises all captions as one file, so a last word can see the next caption: `no.`
  keeps its period when the next line begins with a digit, `a.` loses it before "The". Here a caption
  stands alone.
- Entities inside addresses, emoticons of several characters and some letters of scripts that are
  younger than Unicode 6, or than Python's tables, may come out otherwise.
- Where coco-caption would lose its count of lines (form feeds, U+2028 and the like), there is a space.
"""

from __future__ import annotations

import re
from functools import lru_cache

from referee.metrics.text.ptb.tables import CLITIC, RULES, SPLIT_WORDS

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
_PIECES = re.compile(r"\s*\S+")
_PLAIN = re.compile(r"([A-Za-z]+|[0-9]+)[,?!]?")


@lru_cache(maxsize=1 << 17)
def ptb(text: str) -> str:
    """A caption as coco-caption's scorers see it: tokens in lower case, most marks dropped.

    >>> ptb("A man's dog isn't (very) big, is it?")
    "a man 's dog is n't -lrb- very -rrb- big is it"
    """
    return " ".join(ptb_tokens(text))


def ptb_tokens(text: str) -> list[str]:
    """The tokens of a caption, in lower case, without the marks that coco-caption drops."""
    if "<" in text:  # what follows may be markup, with spaces inside
        return list(_tokens(text))
    stretches: list[str] = []
    for piece in _PIECES.findall(text):
        word = piece.lstrip()
        if not stretches or _apart(stretches[-1], word):
            stretches.append(word)
        else:
            stretches[-1] += piece
    return [token for stretch in stretches for token in _tokens(stretch)]


def _apart(before: str, word: str) -> bool:
    """Whether no rule sees from what stands before a space to the word after it.

    Numbers, fractions and dots may go on after a space, but nothing does with or after a letter;
    only a letter with a period wants to know how the next sentence begins.
    """
    if before[-1] == ".":
        return word[0].islower()
    return word[0].isalpha() or before[-1].isalpha()


@lru_cache(maxsize=1 << 17)
def _tokens(text: str) -> tuple[str, ...]:
    plain = _PLAIN.fullmatch(text)
    if plain and plain[1].lower() not in SPLIT_WORDS:
        return (plain[1].lower(),)
    found = []
    at = 0
    text += "\n"  # some rules look at the end of the line
    while at < len(text):
        if spaces := _SPACES.match(text, at):
            at = spaces.end()
            continue
        end = _furthest(text, at)
        if end is None:
            at += 1  # a character that no token may have
            continue
        token = _written(text[at:end])
        if token is not None:
            found.append(token)
        at = end
    return tuple(found)


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
    if not {"/", "@"} & set(token):
        token = token.replace("&amp;", "&")
    if CLITIC.fullmatch(token) or not any(map(str.isalnum, token)):
        token = token.replace("&apos;", "'").translate(_QUOTES)
        if token in _DROPPED:
            return None
    return token.replace(" ", "\u00a0").replace("\u00ad", "").lower() or None
