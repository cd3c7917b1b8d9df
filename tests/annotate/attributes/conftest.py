"""Worlds of Iconworld from whose raw files attributes are made, and a small WordNet of our own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.annotate.attributes.building import Sources
from referee.datasets.iconworld.genome_views import Mismatch
from referee.datasets.iconworld.making import make
from referee.datasets.iconworld.world import HUMAN, Plan, World

PARTS = ("guesswhat", "compguesswhat", "visual-genome", "knowledge", "attributes")
SAME = Plan(games=60, scenes=30, zero_shot=0, dialogues=0, pools=0, seed=2)
DIFFERENT = Plan(games=80, scenes=80, zero_shot=0, dialogues=0, pools=0, seed=2, genome=Mismatch())

# Each noun under the one above it; a sense after the first has its number.
TREE = {
    "entity": None,
    "creature": "entity",
    "person": "creature",
    "adult": "person",
    "woman": "adult",
    "female": "person",
    "animal": "creature",
    "dog": "animal",
    "puppy": "dog",
    "cat": "animal",
    "thing": "entity",
    "seat": "thing",
    "sofa": "seat",
}
ALSO = {"woman": "female"}
"""A second noun above a noun."""
WORDS = {"sofa": ("sofa", "couch")}
"""The words of a noun that has several."""


def write_wordnet(folder: Path, version: str = "3.0") -> dict[str, int]:
    """A folder of WordNet's files with the nouns of the tree, and where in the file each one is."""
    folder.mkdir(parents=True)
    head = f"  1 a made-up WordNet {version} Copyright 2026 by nobody  \n"
    for part in ("verb", "adj", "adv"):
        for kind in ("data", "index"):
            (folder / f"{kind}.{part}").write_text(head)
    places: dict[str, int] = dict.fromkeys(TREE, 0)
    text = ""
    for _ in range(2):  # the places are known only after all lines were written once
        text = head
        for name in TREE:
            places[name] = len(text)
            text += _line(name, places)
    (folder / "data.noun").write_text(text)
    index = sorted((word, name) for name in TREE for word in WORDS.get(name, (name,)))
    lines = (f"{word} n 1 1 @ 1 0 {places[name]:08d}  \n" for word, name in index)
    (folder / "index.noun").write_text(head + "".join(lines))
    return places


def _line(name: str, places: dict[str, int]) -> str:
    words = WORDS.get(name, (name,))
    above = [each for each in (TREE[name], ALSO.get(name)) if each]
    told = " ".join(f"{word} 0" for word in words)
    pointers = "".join(f" @ {places[each]:08d} n 0000" for each in above)
    return (
        f"{places[name]:08d} 03 n {len(words):02x} {told} {len(above):03d}{pointers} | a {name}  \n"
    )


@pytest.fixture(scope="session")
def wordnet_writer() -> Callable[..., dict[str, int]]:
    """What writes the small WordNet."""
    return write_wordnet


@pytest.fixture
def small_wordnet(tmp_path: Path) -> Path:
    """The folder of a WordNet that has thirteen nouns."""
    folder = tmp_path / "small" / "dict"
    write_wordnet(folder)
    return folder


@pytest.fixture(scope="session")
def same(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world whose Visual Genome has COCO's pictures."""
    folder = tmp_path_factory.mktemp("attributes") / "same"
    make(folder, SAME, PARTS)
    return folder


@pytest.fixture(scope="session")
def different(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Path]:
    """A world whose Visual Genome differs from its COCO."""
    folder = tmp_path_factory.mktemp("attributes") / "different"
    return make(folder, DIFFERENT, PARTS), folder


@pytest.fixture(scope="session")
def sources() -> Callable[..., Sources]:
    """What names the raw files of a world."""

    def named(world: Path, games: str = "guesswhat.{}.jsonl.gz") -> Sources:
        return Sources(
            tuple(world / games.format(split) for split in HUMAN),
            world / "visual_genome",
            world / "visa.jsonl",
            world / "imsitu",
        )

    return named
