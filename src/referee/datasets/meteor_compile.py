"""Compiles METEOR's files (a jar's word lists, the paraphrase table) into sorted arrays."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from referee.datasets.files import open_bytes, reading
from referee.datasets.meteor_trie import PhraseTrie
from referee.errors import DataError
from referee.metrics.text.meteor.tables import Tables, grouped

FUNCTION_WORDS = "function/english.words"
PREFIXES = "nonbreaking/english.prefixes"
EXCEPTIONS = "synonym/english.exceptions"
SYNSETS = "synonym/english.synsets"
_ONLY_NUMBERS = "#NUMERIC_ONLY#"
_BLOCK = 4 * 1024 * 1024


@dataclass(frozen=True)
class WordLists:
    """The jar's four lists: synsets and bases by word; words that count less or keep a full stop."""

    synsets: dict[str, list[int]]
    bases: dict[str, list[str]]
    function_words: frozenset[str]
    always: frozenset[str]
    before_numbers: frozenset[str]


def read_word_lists(jar: Path) -> WordLists:
    """The lists inside METEOR's jar."""
    try:
        with reading(jar), zipfile.ZipFile(jar) as archive:
            text = {
                name: archive.read(name).decode("utf-8")
                for name in (FUNCTION_WORDS, PREFIXES, EXCEPTIONS, SYNSETS)
            }
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError) as error:
        raise DataError(str(error), file=jar, expected="METEOR 1.5's jar") from error
    prefixes = [line.split() for line in text[PREFIXES].split("\n")]
    prefixes = [line for line in prefixes if line and not line[0].startswith("#")]
    return WordLists(
        synsets=_synsets(_pairs(text[SYNSETS], jar, SYNSETS), jar),
        bases=_bases(_pairs(text[EXCEPTIONS], jar, EXCEPTIONS)),
        function_words=frozenset(text[FUNCTION_WORDS].split("\n")) - {""},
        always=frozenset(line[0] for line in prefixes if _ONLY_NUMBERS not in line),
        before_numbers=frozenset(line[0] for line in prefixes if _ONLY_NUMBERS in line),
    )


def _pairs(text: str, jar: Path, name: str) -> Iterator[tuple[str, list[str]]]:
    lines = text.removesuffix("\n").split("\n")
    if len(lines) % 2:
        raise DataError(
            f"{name} has {len(lines)} lines", file=jar, expected="pairs of a word and its list"
        )
    for word, others in zip(lines[::2], lines[1::2], strict=True):
        yield word, others.split()


def _synsets(pairs: Iterator[tuple[str, list[str]]], jar: Path) -> dict[str, list[int]]:
    result: dict[str, list[int]] = {}
    for word, numbers in pairs:
        try:
            found = [int(number) for number in numbers]
        except ValueError as error:
            raise DataError(str(error), file=jar, record=word, expected="numbers") from error
        if "_" not in word:  # the tokeniser splits at every underscore
            result[word] = found
    return result


def _bases(pairs: Iterator[tuple[str, list[str]]]) -> dict[str, list[str]]:
    result: dict[str, list[str]] = {}
    for base, forms in pairs:
        for form in forms:
            result.setdefault(form, []).append(base)
    return result


def read_phrases(path: Path) -> PhraseTrie:
    """The paraphrase table: triples of lines, a probability and two phrases."""
    trie = PhraseTrie()
    rest = b""
    with reading(path), open_bytes(path) as file:
        while block := file.read(_BLOCK):
            rest += block
            rest = rest[trie.add(rest) :]
    if rest:
        raise DataError(
            "the last record has no end", file=path, record=trie.records, expected="three lines"
        )
    if trie.holds_empty_phrases():
        raise DataError("an empty phrase", file=path, expected="phrases of words")
    if not trie.records:
        raise DataError("the file is empty", file=path, expected="paraphrases")
    return trie


def compile_tables(jar: Path, paraphrases: Path) -> Tables:
    """Every word sorted, the phrases as a trie in breadth-first order, the entries in file order."""
    lists = read_word_lists(jar)
    trie = read_phrases(paraphrases)
    found = trie.words()
    bases = {base for owners in lists.bases.values() for base in owners}
    codes = {word.encode() for word in (*lists.synsets, *lists.bases, *bases)}
    words = np.array(sorted({*found, *codes}))
    place = {word.decode(): number for number, word in enumerate(words.tolist())}
    renumbered = np.searchsorted(words, np.array(found, words.dtype))
    child_starts, child_words, entry_starts, entries = trie.arrays(renumbered, len(words))
    synset_starts, synsets = grouped({place[w]: n for w, n in lists.synsets.items()}, len(words))
    base_starts, base_words = grouped(
        {place[form]: [place[base] for base in owners] for form, owners in lists.bases.items()},
        len(words),
    )
    return Tables(
        words=words,
        synset_starts=synset_starts,
        synsets=synsets,
        base_starts=base_starts,
        bases=base_words,
        child_starts=child_starts,
        child_words=child_words,
        entry_starts=entry_starts,
        entries=entries,
        function_words=lists.function_words,
        always=lists.always,
        before_numbers=lists.before_numbers,
    )
