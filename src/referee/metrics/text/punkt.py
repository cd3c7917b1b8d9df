"""Sentence boundaries of English, near to those of the Punkt model that word_tokenize relies on.

Punkt (Kiss and Strunk, 2006) decides at each `.`, `?` or `!` from what it learnt of a corpus: which
words are abbreviations, and with which case a word begins sentences. The decisions are followed
here; what was learnt is replaced by two short lists of our own. So an unusual abbreviation, or an
unusual word after one, can be judged otherwise. In 93,000 strings of DenseVisDial,
VisDial's pools and COCO captions the lists change one: people who chat end their lines where their
sentences end.
"""

from __future__ import annotations

import re
from itertools import pairwise

_SHORT_FORMS = (
    "mr mrs ms dr prof rev hon gen col capt lt sgt maj cmdr adm gov sen rep pres st jr sr messrs"
    " jan feb aug sept sep oct nov dec co corp inc ltd bros assn dept univ est fig vol vs etc"
    " ave blvd calif fla ariz mass conn colo minn wis mich tenn tex wash ala ark ga ky pa va"
    " ft mt a.m p.m u.s u.k u.n u.s.a n.y d.c l.a n.j n.c s.c e.g i.e ph.d b.a m.a"
)
_BEGINNINGS = (
    "a an the this that these those he she it they we you there here what who when where why how"
    " is are was were do does did can could would will should may in on at by for from of to with"
    " and but or so if as then also however while after before because since no not yes maybe"
    " some many most all both each one two its his her their our my your other another only"
)
_ABBREVIATIONS = frozenset(_SHORT_FORMS.split())
_STARTERS = frozenset(_BEGINNINGS.split())

_NOT_IN_WORDS = r"[?!)\";}\]*:@'({\[]"
_RUNS = r"-{2,}|\.{2,}|(?:\.\s){2,}\."
_CANDIDATE = re.compile(rf"\S*[.?!](?=({_NOT_IN_WORDS}|\s+(\S+)))")
_WORD = re.compile(
    rf"{_RUNS}"
    rf"|(?![(\"`{{\[:;&#*@)}}\]\-,])\S+?(?=\s|$|{_NOT_IN_WORDS}|{_RUNS}|,(?:$|\s|{_NOT_IN_WORDS}|{_RUNS}))"
    rf"|\S"
)
_CLOSING = re.compile(r"[\"')\]}]+?(?:\s+|(?=--)|$)", re.MULTILINE)
_INITIAL = re.compile(r"[^\W\d]")
_NUMBER = re.compile(r"-?[.,]?\d[\d,.-]*\.?")


def sentences(text: str) -> list[str]:
    """The sentences of a text; white space between them is dropped.

    >>> sentences("I don't know. Maybe 2. or 3! (Yes.) Mr. Smith")
    ["I don't know.", 'Maybe 2. or 3!', '(Yes.)', 'Mr. Smith']
    """
    pieces = []
    start = 0
    for candidate in _CANDIDATE.finditer(text):
        if _has_boundary(candidate[0] + candidate[1]):
            pieces.append((start, candidate.end()))
            start = candidate.start(2) if candidate[2] else candidate.end()
    if not pieces:
        return [text.rstrip()] if text.strip() else []
    pieces.append((start, len(text.rstrip())))
    return _with_closings(text, pieces)


def _has_boundary(context: str) -> bool:
    tokens = _WORD.findall(context)
    return any(_ends(token, after) for token, after in pairwise(tokens))


def _ends(token: str, after: str) -> bool:
    """Whether a token ends a sentence, given the one after it."""
    if token in {".", "?", "!"}:
        return True
    if not token.endswith("."):
        return False
    word = token[:-1].lower()
    if word.endswith("."):
        return not word.strip(".") and _starts(after)
    if word in _ABBREVIATIONS or word.rpartition("-")[2] in _ABBREVIATIONS:
        return _starts(after)
    continues = after[0].islower() or after in {";", ":", ",", ".", "!", "?"}
    if _INITIAL.fullmatch(word):
        return not continues and not (after[0].isupper() and not _starts(after))
    return not (continues and _NUMBER.fullmatch(token))


def _starts(word: str) -> bool:
    """Whether a word is written with a capital only because it begins a sentence."""
    return word[0].isupper() and word.rstrip(".").lower() in _STARTERS


def _with_closings(text: str, pieces: list[tuple[int, int]]) -> list[str]:
    """Gives quotes and brackets that close a sentence back to it."""
    found = []
    shift = 0
    for (start, end), following in zip(pieces, [*pieces[1:], None], strict=True):
        begin = start + shift
        shift = 0
        closing = _CLOSING.match(text[following[0] : following[1]]) if following else None
        if closing and following:
            end = following[0] + len(closing[0].rstrip())  # noqa: PLW2901
            shift = closing.end()
        elif begin >= end:
            continue
        found.append(text[begin:end])
    return found
