"""A data set of one's own: a function in a file, or in an installed package, that yields transcripts.

    # mine.py
    def games():
        yield GuessWhat("1", Scene("7", 640, 480, things), target="3")

Wherever a file of games or dialogues is named, `./mine.py:games` stands for what the function yields:
transcripts, or bare games, which are transcripts without a turn. A package offers such a function by
name as an entry point in the group `referee.datasets`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import TypeVar

from referee.errors import DataError, RefereeError, UsageError
from referee.games import GuessWhat, GuessWhich, Transcript, VisDial
from referee.own import load, own

G = TypeVar("G", GuessWhat, GuessWhich, VisDial)

GROUP = "referee.datasets"


def source(path: Path) -> Callable[[], Iterable[object]] | None:
    """The function behind a name; None where the name is that of a file."""
    written = own(str(path))
    if written is not None:
        found = load(written)
    else:
        points = () if path.exists() else tuple(entry_points(group=GROUP, name=str(path)))
        if not points:
            return None
        found = points[0].load()
    if not callable(found):
        raise UsageError(f"{path} is no function that yields games or transcripts")
    function: Callable[[], Iterable[object]] = found
    return function


def transcripts(path: Path) -> Iterator[Transcript] | None:
    """The transcripts of one's own data set; None where the name is that of a file."""
    function = source(path)
    return None if function is None else _transcripts(path, function)


def games(path: Path, kind: type[G]) -> Iterator[G] | None:
    """The games of one's own data set, all of one kind; None where the name is that of a file."""
    function = source(path)
    return None if function is None else _games(path, function, kind)


def files(path: Path) -> list[Path]:
    """The files whose content decides what a name stands for."""
    written = own(str(path))
    if written is not None:
        return [written.file]
    return [] if source(path) is not None else [path]


def _transcripts(path: Path, function: Callable[[], Iterable[object]]) -> Iterator[Transcript]:
    for number, item in enumerate(_yielded(path, function), start=1):
        transcript = (
            Transcript(item) if isinstance(item, GuessWhat | GuessWhich | VisDial) else item
        )
        if not isinstance(transcript, Transcript):
            raise DataError(
                f"is a {type(item).__name__}",
                file=path,
                record=number,
                expected="a Transcript or a game",
            )
        game = transcript.game
        if isinstance(game, GuessWhat) and game.target not in {each.id for each in game.candidates}:
            raise DataError(
                f"the target {game.target} is not among the candidates",
                file=path,
                record=number,
                field="target",
                expected="the id of one of the scene's things",
            )
        yield transcript


def _yielded(path: Path, function: Callable[[], Iterable[object]]) -> Iterator[object]:
    """What the function yields; what goes wrong in it is told of as of a file that cannot be read."""
    number = 1
    try:
        for number, item in enumerate(function(), start=2):  # noqa: B007 (the number of the next one)
            yield item
    except RefereeError:
        raise
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise DataError(why, file=path, record=number) from error


def _games(path: Path, function: Callable[[], Iterable[object]], kind: type[G]) -> Iterator[G]:
    for number, transcript in enumerate(_transcripts(path, function), start=1):
        game = transcript.game
        if not isinstance(game, kind):
            raise DataError(
                f"is a {type(game).__name__} game",
                file=path,
                record=number,
                expected=f"a {kind.__name__} game",
            )
        yield game
