"""Dialogues from files, as the players that repeat them need them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from referee.datasets.files import decode, lines, read_head, reading
from referee.errors import MissingPlayer
from referee.games import Ask, Transcript, VisDial

TRANSCRIPTS = "transcripts.jsonl"
"""The file of a run folder that holds its games."""

_TRANSCRIPT = msgspec.json.Decoder(Transcript)


def transcripts(path: Path, games: Path | None = None) -> Iterator[Transcript]:
    """The dialogues of a run folder, or of any file of dialogues; `games` gives them their scenes."""
    path = existing(path)
    if path.is_dir():
        log = path / TRANSCRIPTS
        for number, line in lines(log):
            yield decode(_TRANSCRIPT, line, log, number)
        return
    from referee.datasets import dialogues, guesswhat

    yield from dialogues.read(path, None if games is None else guesswhat.games(games))


def questions(path: Path) -> Iterator[list[str]]:
    """The questions of each dialogue of a VisDial file, or of what `transcripts` reads."""
    from referee.datasets import visdial

    path = existing(path)
    found: Iterator[Transcript]
    if path.is_file() and visdial.FORMATS[0].recognises(path, read_head(path)):
        found = visdial.read(path)
    else:
        found = transcripts(path)
    for transcript in found:
        if isinstance(transcript.game, VisDial):
            yield [each.question for each in transcript.game.rounds]
        else:
            yield [event.text for event in transcript.events if isinstance(event, Ask)]


def digest(path: Path) -> str:
    """What tells one content of a file (or run folder) from another."""
    path = existing(path)
    file = path / TRANSCRIPTS if path.is_dir() else path
    with reading(file), file.open("rb") as stream:
        return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()[:16]}"


def existing(path: Path) -> Path:
    """The path, if there is something."""
    if not path.exists():
        raise MissingPlayer(f"there is no file {path} to take dialogues from")
    return path
