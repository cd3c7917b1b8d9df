"""What the three play commands share: options, who sits where, the progress bar, and the last lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from referee.errors import DataError, UsageError

if TYPE_CHECKING:
    from referee.arena import Plan
    from referee.arena.manifest import Argument
    from referee.arena.run import Summary
    from referee.games import Game
    from referee.players.resolve import Player

Read: TypeAlias = "Callable[[list[DataError] | None], Iterable[Game]]"

A_PLAYER = "scripted:NAME, neural:NAME, cca:NAME, replay:FILE, ./mine.py:CLASS, or an installed player's name"

Seat: TypeAlias = Annotated[str | None, typer.Option(help=f"A player: {A_PLAYER}.")]
Everybody: TypeAlias = Annotated[
    str | None, typer.Option("--player", help="The player in every seat that is not named.")
]
Out: TypeAlias = Annotated[
    Path, typer.Option(help="The run folder: a new one, or one to continue where it was killed.")
]
Batch: TypeAlias = Annotated[
    int, typer.Option(min=1, help="Games at once; what is said does not depend on it.")
]
Seed: TypeAlias = Annotated[int, typer.Option(help="Every draw follows from it.")]
Limit: TypeAlias = Annotated[int | None, typer.Option(min=1, help="The first games only.")]
MaxWords: TypeAlias = Annotated[
    int | None, typer.Option(min=1, help="The words after which a question is cut.")
]
Beliefs: TypeAlias = Annotated[
    bool | None,
    typer.Option(help="Ask the guesser after each answer; by default if the player can say."),
]
Scenes: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="What is in the pictures: GuessWhat?! games or COCO instances."),
]
SkipBad: TypeAlias = Annotated[
    bool, typer.Option("--skip-bad", help="Leave out bad records, count them and list the first.")
]


@dataclass(frozen=True)
class Command:
    """What one call of a play command asks for."""

    out: Path
    read: Read
    players: Mapping[str, Player]
    plan: Plan
    files: Mapping[str, Path | None]
    batch: int
    limit: int | None
    skip_bad: bool
    judge: str
    """The evaluation that reads such a run."""
    won: str = ""
    """What is said of games played with success; nothing where nobody wins."""
    arguments: Mapping[str, Argument] = field(default_factory=dict)

    @property
    def source(self) -> Path | None:
        """The file that the games come from, which is the first that is named."""
        return next(iter(self.files.values()))

    @property
    def most(self) -> int | None:
        """How many games are played at most, as far as a machine can count."""
        return None if self.limit is None else min(self.limit, sys.maxsize)


def seated(seats: Mapping[str, str | None], everybody: str | None) -> dict[str, Player]:
    """The players of the seats; `everybody` sits where nobody was named."""
    from referee.players.resolve import seat

    named = {place: name or everybody for place, name in seats.items()}
    empty = [place for place, name in named.items() if name is None]
    if empty:
        options = ", ".join(f"--{place}" for place in empty)
        raise UsageError(f"nobody sits in {options}: name {A_PLAYER}")
    return seat({place: name for place, name in named.items() if name is not None})


def wants_beliefs(asked: bool | None, players: Mapping[str, Player]) -> bool:
    """Whether beliefs are told: as asked, else as the guesser says of itself, else yes."""
    return bool(getattr(players["guesser"].who, "beliefs", True)) if asked is None else asked


def play(command: Command) -> None:
    """Plays, shows how far it is, and says what came of it and what to do next."""
    from referee.arena import play_into

    skipped: list[DataError] | None = [] if command.skip_bad else None
    files = _files(command)
    games = iter(command.read(skipped))
    first = next(games, None)
    if first is None:
        _say_left_out(skipped)
        raise DataError("holds no games", file=command.source)
    summaries = play_into(
        command.out,
        islice(chain([first], games), command.most),
        command.players,
        command.plan,
        files=files,
        batch=command.batch,
        arguments={
            **command.arguments,
            "limit": command.limit,
            "skip_bad": command.skip_bad,
        },
    )
    before = next(summaries)
    if before.games:
        _note(f"{command.out} is continued after {before.games} games")
    last = before
    try:
        for summary in _shown(summaries, before, command):
            last = summary
    except DataError as error:  # what the arena finds wrong with a game, it finds in no file
        raise error.located(file=command.source) from error
    _say_left_out(skipped)
    _conclude(last, command)


def _files(command: Command) -> dict[str, Path]:
    """The files that are read, by role; they are hashed before they are read, so a pipe will not do."""
    from referee.datasets import own

    files = {
        role: file
        for role, path in command.files.items()
        if path is not None
        for file in own.files(path)
    }
    for path in files.values():
        if not path.exists():
            raise DataError("there is no such file", file=path)
        if not path.is_file():
            what = "is a folder" if path.is_dir() else "is a device or a pipe"
            raise DataError(what, file=path, expected="a file")
    return files


def _say_left_out(skipped: list[DataError] | None) -> None:
    for error in (skipped or [])[:3]:
        _note(f"left out: {error}")
    if skipped:
        _note(f"{len(skipped)} bad record{'' if len(skipped) == 1 else 's'} left out")


def _shown(summaries: Iterator[Summary], before: Summary, command: Command) -> Iterator[Summary]:
    """The summaries, with a bar on a terminal that a log or a pipe never sees."""
    if not sys.stderr.isatty():
        yield from summaries
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[success]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(
            "playing", total=_total(command), completed=before.games, success=""
        )
        for summary in summaries:
            progress.update(task, completed=summary.games, success=_success(summary, command))
            yield summary


def _total(command: Command) -> int | None:
    """How many games a file of a game a line holds at most; None where that is not known."""
    from referee.datasets.files import lines

    path = command.files.get("games")
    if path is None:
        return command.limit
    return sum(1 for _ in islice(lines(path), command.most))


def _conclude(summary: Summary, command: Command) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    console.print(
        ", ".join(filter(None, (_counted(summary.games), _success(summary, command)))), markup=False
    )
    console.print(f"run: {command.out}", markup=False)
    console.print(
        f"next: referee evaluate {command.judge} --transcripts {command.out}", markup=False
    )


def _counted(games: int) -> str:
    return f"{games} game{'' if games == 1 else 's'}"


def _success(summary: Summary, command: Command) -> str:
    if not command.won or not summary.games:
        return ""
    share = 100 * summary.success / summary.games
    return f"{summary.success} {command.won} ({share:.1f} %)"


def _note(message: str) -> None:
    sys.stderr.write(f"referee: {message}\n")
