"""A submission to GROLLA: what was played and what was predicted, one JSON value a line.

The papers published no such format. The first line says whose it is; then comes a line for each game that
was played (a part, an image and its target, which count once) and one for each human dialogue of the test
split whose target's attributes were predicted. `grolla.schema.json` beside this file describes a line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from referee.datasets.files import Skipped, decode, lines, refuse, write_lines
from referee.datasets.formats import Count, Format
from referee.datasets.records import Id
from referee.errors import DataError
from referee.games import Answer, Ask, Event, Guess, GuessWhat, Status, Transcript

VERSION = 1
SCHEMA = "grolla.schema.json"
PartName: TypeAlias = Literal["test", "nd_valid", "nd_test", "od_valid", "od_test"]
Names: TypeAlias = dict[str, tuple[str, ...]]
"""The attributes predicted of one target, by task."""


class _Line(Struct, frozen=True, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True):
    """What a line of each kind has: no more than its fields, for a misspelt one would be lost in silence."""


class Submission(_Line, frozen=True, tag="submission"):
    """The first line: whose submission it is."""

    version: Literal[1]
    player: str
    note: str = ""


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """A question and its answer."""

    question: str
    answer: Literal["Yes", "No", "N/A"]


class Played(_Line, frozen=True, tag="game"):
    """A game that was played; without a guess it was not won."""

    part: PartName
    image: Id
    target: Id
    guess: Id | None = None
    qas: tuple[Said, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Image and target."""
        return str(self.image), str(self.target)


class Predicted(_Line, frozen=True, tag="attributes"):
    """The attributes that are predicted of the target of a human dialogue of the test split."""

    game: Id
    abstract: tuple[str, ...]
    situated: tuple[str, ...]
    abstract_situated: tuple[str, ...]
    location: tuple[str, ...]

    @property
    def tasks(self) -> Names:
        """The names by task."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if name != "game"}


Line: TypeAlias = Submission | Played | Predicted
PARTS: tuple[str, ...] = get_args(PartName)
_DECODER = msgspec.json.Decoder(Line)


def schema() -> dict[str, object]:
    """The JSON schema of a line."""
    found = msgspec.json.schema(Line)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a GROLLA submission; the first is of the kind submission",
        **found,
    }


def read(path: Path, skipped: Skipped = None) -> Iterator[Line]:
    """The lines of a submission, each checked by itself and against those before it."""
    seen: set[tuple[str, ...]] = set()
    begun = False
    for number, text in lines(path, skipped):
        first, begun = not begun, True
        try:
            line = decode(_DECODER, text, path, number)
            _check(line, seen, first=first)
        except DataError as error:
            refuse(error.located(file=path, record=number), skipped)
        else:
            yield line
    if not begun:
        raise DataError("is empty", file=path, expected="a line of the kind submission, then games")


def write(path: Path, submission: Submission, rows: Iterable[Played | Predicted]) -> int:
    """Writes a submission, and says how many lines it has."""
    seen: set[tuple[str, ...]] = set()

    def checked() -> Iterator[Line]:
        yield submission
        for row in rows:
            _check(row, seen)
            yield row

    return write_lines(path, map(msgspec.to_builtins, checked()))


def transcripts(
    path: Path, games: Mapping[tuple[str, str], tuple[GuessWhat, str]], skipped: Skipped = None
) -> Iterator[Transcript]:
    """The games that were played, as transcripts of the reference games that they name.

    `games` has each reference game, and its part, by image and target. Lines of a part of which no
    reference games are given are passed over.
    """
    parts = {part for _, part in games.values()} or set(PARTS)
    for line in read(path, skipped):
        if not isinstance(line, Played) or line.part not in parts:
            continue
        try:
            found = _transcript(line, *games.get(line.key, (None, "")))
        except DataError as error:
            where = f"image {line.image}, target {line.target}"
            refuse(error.located(file=path, record=where), skipped)
        else:
            yield found


def predictions(path: Path, skipped: Skipped = None) -> dict[str, Names]:
    """The predicted attributes of each human dialogue, by its id."""
    predicted = (line for line in read(path, skipped) if isinstance(line, Predicted))
    return {str(line.game): line.tasks for line in predicted}


def _transcript(line: Played, game: GuessWhat | None, part: str) -> Transcript:
    if game is None:
        raise DataError(
            "is none of the reference games",
            field="image and target",
            expected="a game of --games (test) or --zero-shot",
        )
    if line.part != part:
        raise DataError(
            f"is {line.part}", field="part", expected=f"{part}, where this image and target are"
        )
    events: list[Event] = []
    for said in line.qas:
        events += [Ask(said.question), Answer(said.answer)]
    if line.guess is None:
        return Transcript(game, tuple(events))
    guess = str(line.guess)
    if all(thing.id != guess for thing in game.scene.things):
        raise DataError(
            f"is {guess!r}", field="guess", expected="the id of one of the game's objects, or null"
        )
    status: Status = "success" if guess == game.target else "failure"
    return Transcript(game, (*events, Guess(guess)), status)


def _check(line: Line, seen: set[tuple[str, ...]], *, first: bool = False) -> None:
    if first and not isinstance(line, Submission):
        raise DataError("comes first", field="kind", expected="a line of the kind submission")
    if isinstance(line, Submission):
        key: tuple[str, ...] = ("submission",)
        what = "a second line of this kind"
    elif isinstance(line, Played):
        key, what = ("game", *line.key), f"image {line.image} with target {line.target} comes twice"
    else:
        key, what = ("attributes", str(line.game)), f"game {line.game} comes twice"
    if key in seen:
        raise DataError(what, field="kind", expected="each once")
    seen.add(key)


def _recognises(_: Path, head: bytes) -> bool:
    first = head.partition(b"\n")[0].replace(b" ", b"")
    kinds = (b'"kind":"submission"', b'"kind":"game","part":', b'"kind":"attributes","game":')
    return first.startswith(b"{") and any(kind in first for kind in kinds)


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    kinds: Counter[str] = Counter()
    counts: dict[str, Count] = {}
    for line in read(path, skipped):
        if isinstance(line, Submission):
            counts["player"] = line.player
        elif isinstance(line, Played):
            kinds[f"games of {line.part}"] += 1
        else:
            kinds["games with predicted attributes"] += 1
    return counts | dict(kinds)


FORMATS = (
    Format(
        "grolla-submission",
        "a submission to GROLLA: games played and attributes predicted",
        _recognises,
        _summarise,
    ),
)
