"""The keyword lists: the published one as it is, and one without its slips."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from referee.errors import UsageError
from referee.metrics.question_types.words import words

ListName = Literal["exact", "corrected"]


class _Changes(Struct, frozen=True):
    removed: dict[str, list[str]]
    added: dict[str, list[str]]


class LocationWords(Struct, frozen=True):
    """The words that tell kinds of location questions apart.

    What a place may be told by is another list than that of types: the source has pronouns among the
    things (`more_things`), and not the picture itself (`no_things`).
    """

    no_things: frozenset[str]
    more_things: frozenset[str]
    relational_verbs: frozenset[str]
    superlatives: tuple[str, ...]
    absolute_words: frozenset[str]
    adpositions: frozenset[str]
    ordinals: frozenset[str]
    cardinals: frozenset[str]


class _File(Struct, frozen=True):
    exact: dict[str, list[str]]
    corrected: _Changes
    location: LocationWords


@dataclass(frozen=True, eq=False)
class Keywords:
    """Which types a word stands for; `phrases` are keywords of several words, by their first word."""

    name: str
    of_word: dict[str, frozenset[str]]
    phrases: dict[str, tuple[tuple[tuple[str, ...], str], ...]]

    def found(self, text: list[str]) -> list[frozenset[str]]:
        """The types that each word of a question stands for, phrases at their first word."""
        nothing: frozenset[str] = frozenset()
        types = [self.of_word.get(word, nothing) for word in text]
        if self.phrases:
            for place, word in enumerate(text):
                for phrase, kind in self.phrases.get(word, ()):
                    if tuple(text[place : place + len(phrase)]) == phrase:
                        types[place] |= {kind}
        return types


@cache
def keywords(name: ListName = "exact") -> Keywords:
    """A keyword list.

    `exact` is the list that both papers use, read as their classifier reads it: word by word, so that
    its entries of several words never match, with its slips ("tail" a size, "trainagle" a shape).
    `corrected` mends these, matches the entries of several words, and knows a few more forms.

    >>> keywords("exact").found(["next", "to", "the", "stop", "sign"])[3]
    frozenset()
    >>> sorted(keywords("corrected").found(["next", "to", "the", "stop", "sign"])[3])
    ['object']
    """
    if name not in get_args(ListName):
        raise UsageError(
            f"the list of keywords must be one of {', '.join(get_args(ListName))}; not '{name}'"
        )
    held = _file()
    lists = {kind: dict.fromkeys(entries) for kind, entries in held.exact.items()}
    if name == "corrected":
        for kind, entries in held.corrected.removed.items():
            for entry in entries:
                del lists[kind][entry]
        for kind, entries in held.corrected.added.items():
            lists[kind] |= dict.fromkeys(entries)
    # The counting words are locations; they have a list of their own in the source.
    lists["location"] |= lists.pop("counting")
    single: dict[str, set[str]] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for kind, entries_of in lists.items():
        for entry in entries_of:
            cut = tuple(words(entry))
            if len(cut) == 1:
                single.setdefault(entry, set()).add(kind)
            elif name == "corrected":
                phrases.setdefault(cut[0], []).append((cut, kind))
    return Keywords(
        name,
        {word: frozenset(kinds) for word, kinds in single.items()},
        {word: tuple(entries) for word, entries in phrases.items()},
    )


def location_words() -> LocationWords:
    """The words that tell kinds of location questions apart."""
    return _file().location


@cache
def _file() -> _File:
    text = resources.files("referee.metrics.question_types").joinpath("keywords.json").read_bytes()
    return msgspec.json.decode(text, type=_File)
