"""The run folder: what was played, by whom, and when.

    manifest.json      what made the run
    transcripts.jsonl  a game a line, in the games' order, appended in whole lines
    clock.jsonl        for the same lines what each event took; apart, so that the transcripts of
                       scripted players are the same bytes everywhere
    summary.json       written when the last game is over

Nothing is ever overwritten. A run that was killed is continued after its last whole line; one that
was made with other arguments, data or players is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec
from msgspec import Struct

from referee.arena.manifest import Manifest
from referee.arena.seated import Spent
from referee.arena.table import Played
from referee.datasets.files import Skipped, decode, read_json, reading, refuse, writing
from referee.errors import DataError, SeatError, UsageError
from referee.games import Cost, Event, Status, Transcript

MANIFEST, TRANSCRIPTS = "manifest.json", "transcripts.jsonl"
CLOCK, SUMMARY = "clock.jsonl", "summary.json"


class Summary(Struct, frozen=True):
    """How many games were played, and how many of them with success."""

    games: int
    success: int


class _Named(Struct):
    id: str


class _Ending(Struct):
    game: _Named
    events: tuple[msgspec.Raw, ...] = ()
    status: Status = "incomplete"


class _Clock(Struct, array_like=True):
    game: str
    spent: tuple[Spent | None, ...]


_MANIFEST = msgspec.json.Decoder(Manifest)
_SUMMARY = msgspec.json.Decoder(Summary)
_TRANSCRIPT = msgspec.json.Decoder(Transcript)
_ENDING = msgspec.json.Decoder(_Ending)
_CLOCKED = msgspec.json.Decoder(_Clock)
_ENCODER = msgspec.json.Encoder()
_EVENT = re.compile(r"\$\.events\[(\d+)\]")


def is_run(folder: Path) -> bool:
    """Whether a folder is a run's."""
    return (folder / MANIFEST).is_file()


def manifest(folder: Path) -> Manifest:
    """What made a run."""
    return read_json(folder / MANIFEST, _MANIFEST)


def summary(folder: Path) -> Summary | None:
    """How a run ended; None where it has not."""
    path = folder / SUMMARY
    return read_json(path, _SUMMARY) if path.is_file() else None


def read(folder: Path, skipped: Skipped = None) -> Iterator[Transcript]:
    """The transcripts of a run, with who sat where, and what each event took where that is known.

    Of a run that is still going, or was killed, the games that are over. With `skipped`, games that
    cannot be read are listed there and left out.
    """
    folder = Path(folder)
    seats = manifest(folder).seats
    transcripts = _whole_lines(folder / TRANSCRIPTS)
    clock = _whole_lines(folder / CLOCK) if (folder / CLOCK).is_file() else iter(())
    for number, line in enumerate(transcripts, start=1):
        beside = next(clock, None)
        try:
            played = decode(_TRANSCRIPT, line, folder / TRANSCRIPTS, number)
        except DataError as error:
            refuse(_named(error, line, number), skipped)
            continue
        events = played.events
        if beside is not None:
            clocked = decode(_CLOCKED, beside, folder / CLOCK, number)
            _match(clocked, played, folder, number)
            events = tuple(map(_with_cost, events, clocked.spent))
        yield Transcript(played.game, events, played.status, seats)


class Run:
    """A run folder that is being written; `played` says what it held already when it was opened."""

    def __init__(self, folder: Path, made: Manifest) -> None:
        self.folder = folder
        _refuse_foreign(folder)
        self._transcripts = _appending(folder / TRANSCRIPTS)
        try:
            _lock(self._transcripts, folder)
            _begin(folder, made)
            self._clock = _appending(folder / CLOCK)
            self.played = self._cut()
        except BaseException:
            self._transcripts.close()
            raise
        self._games, self._success = self.played.games, self.played.success

    @property
    def finished(self) -> bool:
        """Whether the run was played to its end before, and has lost nothing since."""
        return summary(self.folder) == self.played

    def append(self, games: Sequence[Played]) -> None:
        """Writes some games that are over; they are safe from being killed when this returns."""
        transcripts = [played.transcript for played in games]
        clock = [_Clock(played.transcript.game.id, played.spent) for played in games]
        for stream, rows in ((self._clock, clock), (self._transcripts, transcripts)):
            stream.write(_encoded(rows))
            stream.flush()
        self._games += len(games)
        self._success += sum(transcript.status == "success" for transcript in transcripts)

    @property
    def so_far(self) -> Summary:
        """What the run holds now."""
        return Summary(self._games, self._success)

    def finish(self) -> Summary:
        """Says that the last game is over."""
        result = self.so_far
        if summary(self.folder) != result:
            with writing(self.folder / SUMMARY) as stream:
                stream.write(msgspec.json.format(_ENCODER.encode(result)) + b"\n")
        return result

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._transcripts.close()
        self._clock.close()

    def _cut(self) -> Summary:
        """Cuts off what was being written when the run was killed, and counts the games before it.

        A game that was played stays, even where the clock lost its line: then its times are not known.
        """
        transcripts, clock = self.folder / TRANSCRIPTS, self.folder / CLOCK
        games = success = kept = ticked = 0
        ticks, lost = _whole_lines(clock), []
        for line in _whole_lines(transcripts):
            games += 1
            played = decode(_ENDING, line, transcripts, games)
            success += played.status == "success"
            kept += len(line)
            tick = next(ticks, None)
            if tick is None:
                lost.append(_Clock(played.game.id, (None,) * len(played.events)))
            else:
                ticked += len(tick)
        self._transcripts.truncate(kept)
        self._clock.truncate(ticked)
        self._clock.write(_encoded(lost))
        return Summary(games, success)


def _refuse_foreign(folder: Path) -> None:
    """Nothing is written into a folder that holds anything but a run, or what a kill left of its start."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, not a folder for a run (choose another --out)")
    ours = {MANIFEST, TRANSCRIPTS, CLOCK, SUMMARY, f"{MANIFEST}.part", f"{SUMMARY}.part"}
    foreign = sorted({entry.name for entry in folder.iterdir()} - ours) if folder.exists() else []
    log = folder / TRANSCRIPTS
    if foreign or (log.exists() and log.stat().st_size and not is_run(folder)):
        named = foreign[0] if foreign else TRANSCRIPTS
        raise UsageError(f"{folder} holds {named} and is no run (choose another --out)")


def _begin(folder: Path, made: Manifest) -> None:
    """Writes the manifest, or refuses to continue a run that another manifest made.

    A run without a single game has nothing to lose: it may be begun in another way.
    """
    if is_run(folder) and (folder / TRANSCRIPTS).stat().st_size:
        different = list(manifest(folder).differences(made))
        if different:
            raise UsageError(
                f"{folder} holds another run, which is never overwritten: "
                f"{'; '.join(different)} (choose another --out)"
            )
        return
    (folder / SUMMARY).unlink(missing_ok=True)
    try:
        with writing(folder / MANIFEST) as stream:
            stream.write(msgspec.json.format(_ENCODER.encode(made)) + b"\n")
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror or error}") from None


def _appending(path: Path) -> IO[bytes]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None


def _lock(stream: IO[bytes], folder: Path) -> None:
    """Keeps a second process from writing the same run, on systems that have file locks."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise UsageError(f"{folder} is being written by another process") from None


def _encoded(rows: Sequence[Transcript] | Sequence[_Clock]) -> bytes:
    try:
        return _ENCODER.encode_lines(rows)
    except (TypeError, UnicodeError) as error:
        raise SeatError(f"a player said what cannot be written: {error}") from error


def _whole_lines(path: Path) -> Iterator[bytes]:
    with reading(path), path.open("rb") as stream:
        for line in stream:
            if not line.endswith(b"\n"):
                return
            yield line


def _named(error: DataError, line: bytes, number: int) -> DataError:
    """The error with game and turn, as far as the line tells them."""
    try:
        told = json.loads(line)
        where = f"{number}, game {told['game']['id']}"
        found = _EVENT.match(error.field or "")
        if found is not None:
            events = told["events"][: int(found[1]) + 1]
            where += f", turn {sum(event['event'] == 'ask' for event in events)}"
    except (ValueError, LookupError, TypeError, RecursionError):
        return error
    return DataError(
        error.message, file=error.file, record=where, field=error.field, expected=error.expected
    )


def _match(clocked: _Clock, played: Transcript, folder: Path, number: int) -> None:
    if clocked.game != played.game.id or len(clocked.spent) != len(played.events):
        raise DataError(
            f"tells of game {clocked.game} with {len(clocked.spent)} events",
            file=folder / CLOCK,
            record=number,
            expected=f"game {played.game.id} with {len(played.events)} events, as in {TRANSCRIPTS}",
        )


def _with_cost(event: Event, spent: Spent | None) -> Event:
    return event if spent is None else msgspec.structs.replace(event, cost=_cost(spent))


def _cost(spent: Spent) -> Cost:
    started, seconds, *bill = spent
    if not bill:
        return Cost(started, seconds)
    tokens_in, tokens_out, dollars, parse_failures = bill
    return Cost(started, seconds, int(tokens_in), int(tokens_out), dollars, int(parse_failures))
