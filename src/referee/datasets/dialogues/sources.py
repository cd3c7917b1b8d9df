"""Any file of GuessWhat?! dialogues, recognised by what it holds, as transcripts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from referee.datasets import guesswhat
from referee.datasets.dialogues import effective, effectiveness, gdse, looper, plain, vdst
from referee.datasets.dialogues.dialogue import Dialogue
from referee.datasets.dialogues.joining import Report, join, without_game
from referee.datasets.files import Skipped, read_head
from referee.datasets.formats import Format
from referee.errors import DataError
from referee.games import GuessWhat, Transcript

Reader: TypeAlias = Callable[[Path, Skipped], Iterator[Dialogue]]

_READERS: tuple[tuple[Format, Reader], ...] = (
    (gdse.FORMATS[0], gdse.read),
    (effective.FORMATS[0], effective.read),
    (effectiveness.FORMATS[0], effectiveness.read),
    (plain.FORMATS[0], plain.read),
    (vdst.FORMATS[0], vdst.read_log),
    (vdst.FORMATS[1], vdst.read_text),
)


def read(
    path: Path,
    games: Iterable[GuessWhat] | None = None,
    skipped: Skipped = None,
    report: Report | None = None,
) -> Iterator[Transcript]:
    """The transcripts of a looper's dump, a GDSE log, an effectiveness file, a VDST file or a games file.

    With `games`, each dialogue becomes a transcript of the game it was about, and one that fits none is
    a DataError. Without, a file that holds no objects gives scenes without things, and no beliefs.
    """
    path = Path(path)
    head = read_head(path)
    if looper.FORMATS[0].recognises(path, head):
        return looper.read(path, games, skipped, report)
    if any(each.recognises(path, head) for each in guesswhat.FORMATS):
        return guesswhat.read(path, skipped)
    for known, reader in _READERS:
        if known.recognises(path, head):
            dialogues = reader(path, skipped)
            if games is None:
                return map(without_game, dialogues)
            return join(dialogues, games, skipped, report, path)
    raise DataError(
        "no known file of GuessWhat?! dialogues",
        file=path,
        expected="a looper's dump, a GDSE log, an effectiveness file, VDST text or log, or games",
    )
