"""The games by which a player is judged: the human dialogues by split, and the zero-shot games."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from referee.datasets import guesswhat
from referee.datasets.compguesswhat import split
from referee.datasets.counting import split_of
from referee.datasets.files import Skipped
from referee.errors import DataError
from referee.games import GuessWhat, Transcript

Domain: TypeAlias = Literal["seen", "near", "out"]
Pair: TypeAlias = tuple[str, str]
"""An image and a target, each of which counts once (grounding.txt, section 4.1)."""

HUMAN = ("train", "valid", "test")
ZERO_SHOT = ("nd_valid", "nd_test", "od_valid", "od_test")
PLAYED = ("test", *ZERO_SHOT)
"""The parts that are played."""
_ENDINGS = (".jsonl.gz", ".jsonl")
_HEADS = ("compguesswhat", "comp_guesswhat", "guesswhat")


class Reference(Struct, frozen=True):
    """A game that should have been played, and of which part it is."""

    game: GuessWhat
    part: str


def domain(part: str) -> Domain:
    """Of COCO's things (seen), near the domain of COCO, or outside it.

    >>> domain("test"), domain("nd_valid"), domain("od_test")
    ('seen', 'near', 'out')
    """
    return "near" if part.startswith("nd_") else "out" if part.startswith("od_") else "seen"


def domain_of(game: GuessWhat) -> Domain:
    """What the scene itself says: unseen things have no category of COCO's (category_id 0)."""
    unseen = [thing.category_id == 0 for thing in game.scene.things]
    return "seen" if not any(unseen) else "out" if all(unseen) else "near"


def human(path: Path, wanted: Iterable[str] = HUMAN) -> dict[str, Path]:
    """The files of the human splits in a folder, or beside a file whose name tells its split."""
    names = tuple(wanted)
    found = _files(Path(path), names)
    lacking = [name for name in names if name not in found]
    if lacking:
        raise DataError(
            f"there is no {' and no '.join(lacking)} split",
            file=path,
            expected=f"guesswhat.{lacking[0]}.jsonl.gz or compguesswhat.{lacking[0]}.jsonl.gz, in a folder "
            "given with --games or beside the file given",
        )
    return found


def zero_shot(path: Path) -> dict[str, Path]:
    """The files of the zero-shot games in a folder: near-domain and out-of-domain, valid and test."""
    found = _files(Path(path), ZERO_SHOT)
    if not found:
        raise DataError(
            "holds no zero-shot games",
            file=path,
            expected="compguesswhat.nd_test.jsonl.gz and the like, as in the release or as `referee annotate "
            "zero-shot` writes them",
        )
    return found


def references(
    games: Path | None, zero: Path | None, skipped: Skipped = None
) -> dict[Pair, Reference]:
    """The games to be played, each image and target once; of several human games the first stands."""
    files: dict[str, Path] = {}
    if games is not None:
        files |= human(games, ("test",))
    if zero is not None:
        files |= zero_shot(zero)
    found: dict[Pair, Reference] = {}
    for part, path in files.items():
        for game in guesswhat.games(path, skipped):
            found.setdefault(pair(game), Reference(game, part))
    return found


def by_part(wanted: Mapping[Pair, Reference], domains: Container[Domain]) -> list[list[GuessWhat]]:
    """The games of these domains, part by part: each part numbers its own from 0."""
    found: dict[str, list[GuessWhat]] = {}
    for reference in wanted.values():
        if domain(reference.part) in domains:
            found.setdefault(reference.part, []).append(reference.game)
    return list(found.values())


def pair(game: GuessWhat) -> Pair:
    """Image and target."""
    return game.image, game.target


def won(path: Path, skipped: Skipped = None) -> Iterator[Transcript]:
    """The human dialogues that led to their target: each is one experience of it (section 4.2)."""
    for transcript in guesswhat.read(path, skipped):
        if transcript.status == "success":
            yield transcript


def _files(path: Path, names: tuple[str, ...]) -> dict[str, Path]:
    if not path.exists():
        raise DataError("there is no such file or folder", file=path)
    if path.is_file():
        own = _split(path)
        beside = _of(path.parent.iterdir(), names)
        # The file that was named is the one that is read, whatever stands beside it.
        return beside | ({own: path} if own in names else {})
    return _of(path.iterdir(), names) or _of(sorted(path.rglob("*guesswhat.*")), names)


def _of(paths: Iterable[Path], names: tuple[str, ...]) -> dict[str, Path]:
    """The files of these splits; CompGuessWhat?!'s own before GuessWhat?!'s."""
    found: dict[str, Path] = {}
    known = sorted(paths)
    for head in _HEADS:
        for path in known:
            name = _split(path)
            if name in names and path.name.startswith(f"{head}.") and path.is_file():
                found.setdefault(name, path)
    return found


def _split(path: Path) -> str:
    known = path.name.endswith(_ENDINGS)
    return (split(path) or split_of(path) or "") if known else ""
