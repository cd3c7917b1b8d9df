"""What was made of the games: the counts of the paper's Tables 2 and 3, and what was mapped how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import get_args

from msgspec import Struct

from referee.annotate.attributes.games import Dialogues, Split
from referee.annotate.attributes.how import How
from referee.annotate.attributes.pictures import Annotated
from referee.datasets.compguesswhat import Names
from referee.games import Status

STATUSES: tuple[str, ...] = get_args(Status)


class SplitCounts(Struct, frozen=True):
    """A row of Table 2 and one of Table 3: a split's pictures, and the dialogues that are kept of it."""

    split: str
    images: int
    mapped_images: int
    dialogues: int
    kept: int
    vocabulary: int
    """How many distinct words, of any frequency, the questions of the kept dialogues have."""
    turns: float
    """Questions a kept dialogue."""
    statuses: dict[str, int]


class Report(Struct, frozen=True):
    """All counts, and how they came about."""

    how: How
    wordnet: str
    splits: tuple[SplitCounts, ...]
    pictures: int
    """Pictures that have a graph; one that is in two splits counts once."""
    mapped: dict[str, int]
    """Things by how they were mapped: overlap, name, none."""
    objects: int
    """Objects of Visual Genome in the mapped pictures."""
    mapped_objects: int
    """Of those, how many some thing is."""
    concepts: dict[str, int]
    """Things by how their concept was found: synset, similar, name, none."""
    lacking: dict[str, int]
    """Pictures that are linked to Visual Genome but have no graph there, by split."""
    attributes: dict[str, int]
    """Columns that are kept, and attributes that were too rare."""
    skipped: int = 0


class Counts:
    """Counts while pictures are described."""

    def __init__(self) -> None:
        self.mapped: Counter[str] = Counter(overlap=0, name=0, none=0)
        self.concepts: Counter[str] = Counter()
        self.pictures = self.objects = self.mapped_objects = 0
        self.images: set[tuple[str, str]] = set()

    def add(self, found: Annotated) -> None:
        """Counts a picture."""
        self.pictures += 1
        self.images.update((split, found.picture.scene.id) for split in found.picture.splits)
        ways = found.mapping.things.values()
        self.mapped.update(way.by for way in ways)
        self.concepts.update(each.abstract.found for each in found.things)
        self.objects += len(found.picture.graph.objects)
        self.mapped_objects += len({way.object for way in ways if way.object is not None})

    def of_split(self, split: Split) -> SplitCounts:
        """The rows of a split."""
        kept = Dialogues()
        images = [image for image in split.scenes if (split.name, image) in self.images]
        for image in images:
            kept.join(split.dialogues[image])
        return SplitCounts(
            split.name,
            len(split.scenes),
            len(images),
            split.all_dialogues,
            kept.count,
            len(kept.words),
            round(kept.turns / kept.count, 3) if kept.count else 0.0,
            {status: kept.statuses[status] for status in STATUSES},
        )

    def lacking(self, split: Split) -> int:
        """Pictures of a split that are linked, but whose graph was not there."""
        return sum((split.name, image) not in self.images for image in split.links)


def attribute_counts(
    names: Names, abstract: Collection[str], situated: Collection[str]
) -> dict[str, int]:
    """How many columns there are, and how many attributes were left out; the locations stay."""
    return {
        "abstract": len(names.abstract),
        "situated": len(names.situated),
        "abstract, too rare": len(set(abstract) - set(names.abstract)),
        "situated, too rare": len(set(situated) - set(names.situated)),
    }


def share(part: int, whole: int) -> str:
    """A share in percent with two digits, as the paper's tables have it.

    >>> share(46277, 113221)
    '40.87'
    """
    return f"{100 * part / whole:.2f}" if whole else "-"


def lines(report: Report) -> Sequence[str]:
    """What was mapped how, in words."""
    mapped, concepts = report.mapped, report.concepts
    things = sum(mapped.values())
    counted = report.attributes
    pictures = report.pictures
    ways = ", ".join(f"{way} {number}" for way, number in concepts.items())
    rare = counted["abstract, too rare"], counted["situated, too rare"]
    least = report.how.least_abstract, report.how.least_situated
    shares = [_of(mapped[way], things) for way in ("overlap", "name", "none")]
    found = [
        f"{things} things in {pictures} pictures, which have {report.objects} objects in Visual Genome",
        f"  {shares[0]} mapped by overlap, {shares[1]} by name, {shares[2]} not",
        f"  concepts found by {ways} (WordNet: {report.wordnet})",
        f"{counted['abstract']} abstract attributes are of {least[0]} things or more, {rare[0]} of fewer",
        f"{counted['situated']} situated ones are of {least[1]} or more, or locations, {rare[1]} of fewer",
    ]
    for split, count in report.lacking.items():
        found.append(f"{count} linked pictures of {split} have no graph, so they are not mapped")
    return found


def _of(part: int, whole: int) -> str:
    return f"{part} ({share(part, whole)} %)"
