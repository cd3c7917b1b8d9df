"""The games whose things get attributes: their pictures by split, where those come from, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from referee.datasets import compguesswhat, guesswhat
from referee.datasets.counting import split_of
from referee.datasets.files import Skipped, read_head
from referee.datasets.visual_genome import Image
from referee.errors import DataError, UsageError
from referee.games import GuessWhat, Scene, Transcript
from referee.metrics.question_types.words import words

_LINKS = (b'"visual_genome"', b'"vg_id"')
_OTHERS = b'"open_images_id"'


@dataclass
class Dialogues:
    """What Table 3 counts of some dialogues."""

    statuses: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    words: set[str] = field(default_factory=set)

    @property
    def count(self) -> int:
        """How many there are."""
        return self.statuses.total()

    def add(self, transcript: Transcript) -> None:
        """Counts one."""
        self.statuses[transcript.status] += 1
        self.turns += len(transcript.turns)
        self.words.update(word for turn in transcript.turns for word in words(turn.question))

    def join(self, other: Dialogues) -> None:
        """Counts those of another too."""
        self.statuses.update(other.statuses)
        self.turns += other.turns
        self.words |= other.words


@dataclass
class Split:
    """The pictures of a file of games, each with its dialogues' counts and its link to Visual Genome."""

    name: str
    path: Path
    scenes: dict[str, Scene] = field(default_factory=dict)
    dialogues: dict[str, Dialogues] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)

    @property
    def all_dialogues(self) -> int:
        """How many dialogues the file holds."""
        return sum(each.count for each in self.dialogues.values())


def read(paths: Sequence[Path], skipped: Skipped = None) -> list[Split]:
    """The splits of some files, by the names that the files bear."""
    splits = [_read(path, skipped) for path in paths]
    twice = [name for name, times in Counter(each.name for each in splits).items() if times > 1]
    if twice:
        raise UsageError(
            f"two files of games are of the split {twice[0]!r}: a split is known by its file's name"
        )
    return splits


def _read(path: Path, skipped: Skipped) -> Split:
    name = compguesswhat.split(path) or split_of(path) or path.name.partition(".")[0]
    if _OTHERS in read_head(path):
        raise DataError(
            "its pictures are Open Images', none of which is in Visual Genome",
            file=path,
            field="image.open_images_id",
            expected="games about COCO's pictures: GuessWhat?!'s, or CompGuessWhat?!'s original ones",
        )
    split = Split(name, path)
    for transcript in guesswhat.read(path, skipped):
        if not isinstance(transcript.game, GuessWhat):
            continue
        scene = transcript.game.scene
        known = split.scenes.get(scene.id)
        split.scenes[scene.id] = scene if known is None else joined(known, scene)
        split.dialogues.setdefault(scene.id, Dialogues()).add(transcript)
    if any(key in read_head(path) for key in _LINKS):
        for link in compguesswhat.links(path, skipped):
            if link.visual_genome is not None:
                split.links[link.image] = link.visual_genome.id
    return split


def joined(known: Scene, scene: Scene) -> Scene:
    """A picture with the things of two of its games, which mostly are the same."""
    if known.things == scene.things:
        return known
    ids = {thing.id for thing in known.things}
    others = tuple(thing for thing in scene.things if thing.id not in ids)
    return replace(known, things=known.things + others) if others else known


def link(splits: Iterable[Split], pictures: Mapping[str, Image], folder: Path) -> None:
    """Links the pictures that a file does not link itself, by their ids in COCO."""
    by_coco = {image.coco: image.id for image in pictures.values() if image.coco is not None}
    linked = 0
    for split in splits:
        for image in split.scenes:
            if image not in split.links and image in by_coco:
                split.links[image] = by_coco[image]
        linked += len(split.links)
    if not linked:
        raise DataError(
            "no picture of the games is in Visual Genome",
            file=folder,
            expected="an image_data.json whose coco_id are ids of the games' pictures,"
            " or games that name their picture in Visual Genome",
        )
