"""WordNet as CompGuessWhat?! uses it: how alike two senses are, by Wu and Palmer, and a noun's number.

nltk reads a plain folder of WordNet's files, or its own zip. Distributions leave out some that it opens at
once although nothing here asks for them (lexnames, the lists of exceptions); those are put in their place.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.annotate.attributes import wordnet_files
from referee.annotate.attributes.wordnet_files import HELP, Folder
from referee.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBERED = "3.0"
"""The version whose numbers imSitu's nouns bear."""
ROOT = "entity.n.01"
"""The noun above all others."""
_LEXNAMES = 45


class Sense(NamedTuple):
    """A synset with what Wu and Palmer's measure needs of it."""

    name: str
    least: int
    """Its depth on its shortest way to the root."""
    most: int
    """Its depth on its longest way."""
    above: dict[str, int]
    """Itself and all above it, by name, with how many steps away they are at least."""


class WordNet:
    """A WordNet; a synset is known by a name such as person.n.01."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._reader = _reader(folder)
        self.version = str(self._reader.get_version() or "")
        if self.sense(ROOT) is None:
            raise UsageError(f"{folder} cannot be read as a WordNet, it has no {ROOT}: {HELP}")

    @cache  # noqa: B019 (there is one WordNet in a process, and it lives to the end)
    def sense(self, name: str) -> Sense | None:
        """The noun of this name; None where there is none."""
        with self._fitting(name):
            synset = self._synset(name)
            if synset is None or synset.pos() != "n":
                return None
            above = {each.name(): steps for each, steps in _steps(synset).items()}
            return Sense(synset.name(), synset.min_depth(), synset.max_depth(), above)

    def number(self, name: str) -> str | None:
        """The noun's number as imSitu writes it, n and eight digits; None but in version 3.0."""
        with self._fitting(name):
            synset = self._synset(name) if self.version == NUMBERED else None
            return None if synset is None or synset.pos() != "n" else f"n{synset.offset():08d}"

    def first(self, word: str) -> str | None:
        """The most frequent sense of a noun."""
        with self._fitting(word):
            found = self._reader.synsets(word.replace(" ", "_"), "n")
            return found[0].name() if found else None

    def similarity(self, one: str, other: str) -> float:
        """Wu and Palmer's similarity of two nouns, 2 d / (l1 + l2); 0 where one is unknown.

        Of what is above both, s is the one whose shortest way to the root is longest (of several the
        first by name, but the first noun itself if it is among them). d is its depth on its longest way,
        counted from 1; l1 and l2 are d and the steps from either noun to s. It is nltk's
        `wup_similarity`, and so the published code's; as depths and distances are looked up once for a
        noun, the thousands of synsets of Visual Genome take half a minute and not a quarter of an hour.
        """
        first, second = self.sense(one), self.sense(other)
        return 0.0 if first is None or second is None else self._similarity(first, second)

    def _similarity(self, first: Sense, second: Sense) -> float:
        common = first.above.keys() & second.above.keys()
        if not common:
            return 0.0
        shared = [self._known(name) for name in common]
        deepest = max(each.least for each in shared)
        lowest = sorted(each.name for each in shared if each.least == deepest)
        chosen = self._known(first.name if first.name in lowest else lowest[0])
        depth = chosen.most + 1
        steps = _distance(first, chosen) + _distance(second, chosen)
        return 2.0 * depth / (steps + 2 * depth)

    def best(self, name: str, among: Sequence[str], least: float) -> tuple[int, float] | None:
        """The place of the most similar of some nouns, the first of equals, if it reaches `least`."""
        sense = self.sense(name)
        if sense is None:
            return None
        found: tuple[int, float] | None = None
        for place, other in enumerate(among):
            second = self.sense(other)
            if second is None:
                continue
            similarity = self._similarity(sense, second)
            if similarity >= least and (found is None or similarity > found[1]):
                found = place, similarity
        return found

    def _known(self, name: str) -> Sense:
        found = self.sense(name)
        if found is None:
            raise UsageError(f"{self.folder}: {name} is above a noun and no noun itself: {HELP}")
        return found

    def _synset(self, name: str) -> Any | None:
        from nltk.corpus.reader.wordnet import WordNetError

        try:
            return self._reader.synset(name)
        except (WordNetError, ValueError):
            return None

    @contextmanager
    def _fitting(self, name: str) -> Iterator[None]:
        """Where the index sends nltk to a line that the data lack, it warns and fails on the None it got.

        That is a file cut short, or the files of two versions: no noun of it can be trusted.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                yield
            except (AttributeError, AssertionError):
                raise UsageError(
                    f"{self.folder} cannot be read as a WordNet, its index and its data do not fit"
                    f" ({name}): {HELP}"
                ) from None


def _steps(synset: Any) -> dict[Any, int]:
    steps: dict[Any, int] = {}
    for above, distance in sorted(synset.hypernym_distances(), key=lambda each: each[1]):
        steps.setdefault(above, distance)
    return steps


def _distance(one: Sense, other: Sense) -> int:
    """The fewest steps from one noun to another over what is above both."""
    return min(
        one.above[name] + other.above[name] for name in one.above.keys() & other.above.keys()
    )


def open_wordnet(where: str) -> WordNet | None:
    """The WordNet at a place, the first that is found for "auto", and None for "none"."""
    return None if where == "none" else WordNet(wordnet_files.find(where))


def _reader(folder: Folder) -> Any:
    try:
        import nltk.data
        from nltk.corpus.reader.wordnet import WordNetCorpusReader
        from nltk.data import FileSystemPathPointer, SeekableUnicodeStreamReader
    except ImportError:
        raise MissingExtra("nltk", "wordnet") from None

    class Reader(WordNetCorpusReader):  # type: ignore[misc]
        """nltk's reader on a folder that the user named, whoever owns its files."""

        def map_wn(self, version: str = "wordnet") -> None:
            """The numbers of another version, which only other languages need."""

        def open(self, file: str) -> Any:
            path = folder / file
            if path.is_file():
                content = path.read_bytes()
                if content.isascii():  # then a place in the text is one in the bytes
                    return StringIO(content.decode())
                return SeekableUnicodeStreamReader(BytesIO(content), "utf8")
            if file == "lexnames":
                return StringIO("".join(f"{n:02d}\tlex{n}\t0\n" for n in range(_LEXNAMES)))
            return StringIO("")

    place = folder if isinstance(folder, Path) else Path(str(folder.root.filename)).parent
    root = str(place.resolve())
    if root not in nltk.data.path:
        nltk.data.path.append(root)  # nltk reads from folders on this list only
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that there are no other languages
        try:
            return Reader(FileSystemPathPointer(root), None)
        except Exception as error:
            raise UsageError(f"{folder} cannot be read as a WordNet ({error}): {HELP}") from error
