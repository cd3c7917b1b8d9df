"""What is known of kinds of things whatever picture they are in: VISA's attributes and imSitu's roles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from referee.annotate.attributes.how import How
from referee.annotate.attributes.wordnet import WordNet
from referee.datasets import coco_synsets, imsitu, visa
from referee.datasets.files import Skipped
from referee.datasets.visa import Concept
from referee.errors import DataError

Found = Literal["synset", "similar", "name", "none"]
SITUATIONS = ("train.json", "dev.json", "test.json")
SPACE = "imsitu_space.json"
_BEHAVIOUR = "beh_-_"


class Known(NamedTuple):
    """The abstract attributes of a thing, and how its concept was found."""

    attributes: frozenset[str]
    found: Found
    concept: str = ""


class Roles:
    """imSitu's behaviours and affordances, by the noun's number and by the words for it."""

    def __init__(self) -> None:
        self._by_number: defaultdict[str, set[str]] = defaultdict(set)
        self._by_word: defaultdict[str, set[str]] = defaultdict(set)

    def __len__(self) -> int:
        return len({name for names in self._by_number.values() for name in names})

    def add(self, number: str, words: Sequence[str], attribute: str) -> None:
        """One thing that a noun does or is good for."""
        self._by_number[number].add(attribute)
        for word in words:
            self._by_word[word.lower().replace("_", " ")].add(attribute)

    def of(self, number: str | None, names: Sequence[str]) -> set[str]:
        """What is known of a noun by its number; of one without a known number, by its names."""
        if number is not None and number in self._by_number:
            return self._by_number[number]
        found: set[str] = set()
        for name in names:
            found |= self._by_word.get(name.lower().replace("_", " "), set())
        return found


def read_roles(folder: Path, skipped: Skipped = None) -> Roles:
    """The roles of a folder of imSitu: its space, and as many of train, dev and test as are there."""
    files = [folder / name for name in SITUATIONS if (folder / name).is_file()]
    if not files:
        raise DataError(
            "there are no pictures", file=folder, expected=f"{SPACE} and {', '.join(SITUATIONS)}"
        )
    space = imsitu.read_space(folder / SPACE)
    roles = Roles()
    for file in files:
        for situation in imsitu.read(file, space, skipped):
            for frame in situation.frames:
                for role, noun in frame.items():
                    named = imsitu.attribute(role, situation.verb)
                    if noun and named:
                        roles.add(noun, space.nouns[noun].gloss, named)
    return roles


def plain(attribute: str) -> str:
    """An attribute of VISA's in the words of the published code.

    >>> plain("beh_-_eats_grass"), plain("used_for_cutting")
    (' eats grass', 'used for cutting')
    """
    return attribute.replace(_BEHAVIOUR, "_").replace("_", " ")


class Concepts:
    """VISA's concepts with imSitu's roles, and the way from a synset or a category to one of them.

    A synset has the concept of that synset; where VISA has none, the first of those that are most
    similar to it, if by Wu and Palmer they are similar enough. What a noun itself does in imSitu is added
    to what its concept does.
    """

    def __init__(
        self, concepts: Sequence[Concept], roles: Roles, wordnet: WordNet | None, how: How
    ) -> None:
        self._wordnet, self._roles, self._how = wordnet, roles, how
        self._concepts = tuple(concepts)
        self._synsets = tuple(self._canonical(concept.synset) for concept in concepts)
        self._by_synset: dict[str, Concept] = {}
        for concept, canonical in zip(concepts, self._synsets, strict=True):
            self._by_synset.setdefault(concept.synset, concept)
            self._by_synset.setdefault(canonical, concept)
        self._by_name = {concept.id: concept for concept in concepts}
        self._of = {concept.id: self._attributes(concept) for concept in concepts}
        self._matched: dict[str, tuple[Concept | None, Found]] = {}
        self._known: dict[tuple[str, tuple[str, ...]], Known] = {}

    def of_object(self, synsets: Sequence[str], names: Sequence[str]) -> Known:
        """The attributes of an object of Visual Genome: its first synset is what counts."""
        key = (synsets[0] if synsets else "", tuple(names))
        if key not in self._known:
            self._known[key] = self._find(*key)
        return self._known[key]

    def of_category(self, category: str) -> Known:
        """The attributes of a category of the games."""
        if self._how.concept == "name":
            concept = self._by_name.get(category)
            if concept is None:
                return Known(frozenset(), "none")
            return Known(self._of[concept.id], "name", concept.id)
        return self.of_object((self.synset(category),), (category,))

    def synset(self, category: str) -> str:
        """The synset of a category: COCO's, else the most frequent sense of its name."""
        known = coco_synsets.synsets().get(category)
        if known is None and self._wordnet is not None:
            known = self._wordnet.first(category)
        return known or f"{category.replace(' ', '_')}.n.01"

    def _find(self, synset: str, names: tuple[str, ...]) -> Known:
        concept, found = self._concept(synset)
        attributes = self._roles.of(self._number(synset), names) if synset or names else set()
        if concept is not None:
            attributes = attributes | self._of[concept.id]
        return Known(frozenset(attributes), found, concept.id if concept else "")

    def _concept(self, synset: str) -> tuple[Concept | None, Found]:
        if synset not in self._matched:
            self._matched[synset] = self._match(synset)
        return self._matched[synset]

    def _match(self, synset: str) -> tuple[Concept | None, Found]:
        exact = self._by_synset.get(synset) or self._by_synset.get(self._canonical(synset))
        if exact is not None:
            return exact, "synset"
        if self._wordnet is not None:
            best = self._wordnet.best(synset, self._synsets, self._how.similarity)
            if best is not None:
                return self._concepts[best[0]], "similar"
        return None, "none"

    def _canonical(self, synset: str) -> str:
        """WordNet's own name of a synset, which any of its words may name: couch.n.01 is sofa.n.01."""
        sense = self._wordnet.sense(synset) if self._wordnet is not None else None
        return synset if sense is None else sense.name

    def _number(self, synset: str) -> str | None:
        return self._wordnet.number(synset) if self._wordnet is not None and synset else None

    def _attributes(self, concept: Concept) -> frozenset[str]:
        kept = self._how.kinds == "all"
        texts = [
            text
            for kind, texts in concept.attributes.items()
            if kept or kind not in visa.OF_PICTURES
            for text in texts
        ]
        roles = self._roles.of(self._number(concept.synset), (concept.id,))
        return frozenset(map(plain, (*texts, *concept.types))) | roles
