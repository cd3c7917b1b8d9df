"""Run folders of `referee play`, as `referee data check` looks at them; `referee.arena.run` reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from referee.datasets.counting import count_games
from referee.datasets.files import Skipped, decode, lines, read_json, reading, refuse
from referee.datasets.formats import Count, Format
from referee.datasets.records import distinct
from referee.errors import DataError
from referee.games import Sitting, Transcript, VisDial

MANIFEST, TRANSCRIPTS, SUMMARY = "manifest.json", "transcripts.jsonl", "summary.json"


class _Manifest(Struct):
    run: str
    game: str
    seats: tuple[Sitting, ...]


_MANIFEST = msgspec.json.Decoder(_Manifest)
_TRANSCRIPT = msgspec.json.Decoder(Transcript)
_BLOCK = 1 << 20


def _read(path: Path, skipped: Skipped) -> Iterator[Transcript]:
    """The games that are over: where a run was killed, its last line has no end."""
    with reading(path), path.open("rb") as stream:
        whole = sum(block.count(b"\n") for block in iter(lambda: stream.read(_BLOCK), b""))
    for number, line in lines(path, skipped):
        if number > whole:
            return
        try:
            yield _checked(decode(_TRANSCRIPT, line, path, number))
        except DataError as error:
            refuse(error.located(file=path, record=number), skipped)


def _checked(transcript: Transcript) -> Transcript:
    game = transcript.game
    if isinstance(game, VisDial):
        return transcript
    known = {candidate.id for candidate in game.candidates}
    named = {"game.target": (game.target,), "events": (*transcript.guesses, *transcript.picks)}
    for field, ids in named.items():
        for identity in ids:
            if identity not in known:
                raise DataError(
                    f"{identity!r} is not among the candidates",
                    field=field,
                    expected=f"the id of one of the {len(known)} candidates",
                )
    return transcript


def _recognises(path: Path, _: bytes) -> bool:
    return (path / MANIFEST).is_file() and (path / TRANSCRIPTS).is_file()


def _summarise(path: Path, skipped: list[DataError]) -> dict[str, Count]:
    manifest = read_json(path / MANIFEST, _MANIFEST)
    counts: dict[str, Count] = {"run": manifest.run, "game": manifest.game}
    log = path / TRANSCRIPTS
    found = count_games(distinct(_read(log, skipped), lambda played: played.game.id, skipped, log))
    if manifest.game != "guesswhat":
        # what is answered there is free text, and what the pictures show is not told
        found = {
            name: count
            for name, count in found.items()
            if name != "objects" and not name.startswith("answer ")
        }
    counts |= found
    counts |= {sitting.seat: sitting.player for sitting in manifest.seats}
    return counts | {"finished": "yes" if (path / SUMMARY).is_file() else "no"}


FORMATS: tuple[Format, ...] = (
    Format("run", "a run folder of `referee play`", _recognises, _summarise),
)
