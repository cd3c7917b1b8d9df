"""Where transcripts come from: a run folder, a file of dialogues, or a file of ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from referee.datasets.densevisdial import ReferenceSet
from referee.datasets.dialogues.joining import Report
from referee.datasets.files import Skipped
from referee.errors import DataError, UsageError
from referee.games import Transcript, VisDial


def transcripts(
    path: Path,
    games: Path | None = None,
    skipped: Skipped = None,
    report: Report | None = None,
) -> Iterator[Transcript]:
    """The transcripts of a run folder, or of any dialogue file; `games` holds what the file lacks.

    `report` is told what came of joining the two, and of slots of beliefs that hold no candidate.
    """
    if path.is_dir():
        from referee.arena import run

        if games is not None:
            raise UsageError("a run folder holds its games: leave out the file of games")
        if not run.is_run(path):
            raise DataError("is no run", file=path, expected=f"a folder with {run.MANIFEST}")
        return run.read(path, skipped)
    from referee.datasets import dialogues, guesswhat, own

    if (mine := own.transcripts(path)) is not None:
        return mine
    known = None if games is None else guesswhat.games(games, skipped)
    return dialogues.read(path, known, skipped, report)


def ranked(
    ranks: Path, visdial: Path, dense: Path | None = None, skipped: Skipped = None
) -> Iterator[Transcript]:
    """The dialogues of VisDial as an answerer held them whose ranks of the options a file tells.

    A rank becomes a score, so that the option of rank 1 scores highest. A dialogue that the file of
    ranks lacks comes without replies, so that it counts as failed.
    """
    from referee.datasets import evalai
    from referee.datasets import visdial as reader

    games = list(reader.games(visdial, dense, skipped))
    answered: set[str] = set()
    for transcript in evalai.transcripts(ranks, games, skipped):
        answered.add(transcript.game.id)
        yield transcript
    yield from (Transcript(game) for game in games if game.id not in answered)


def generated(
    generations: Path,
    references: Iterable[ReferenceSet],
    visdial: Path | None = None,
    dense: Path | None = None,
    skipped: Skipped = None,
) -> Iterator[Transcript]:
    """The dialogues of VisDial with the answers that a file of generations holds.

    Without the dialogues, the reference sets tell what was asked where, and the other rounds are blank.
    """
    from referee.datasets import densevisdial
    from referee.datasets import visdial as reader

    if visdial is not None:
        games = reader.games(visdial, dense, skipped)
        return densevisdial.transcripts(generations, games, skipped)
    return densevisdial.without_dialogues(generations, references, skipped)


def answered(
    path: Path,
    references: Iterable[ReferenceSet] = (),
    visdial: Path | None = None,
    dense: Path | None = None,
    skipped: Skipped = None,
) -> Iterator[Transcript]:
    """The dialogues of VisDial that a run or any file holds in which somebody answered.

    That is a run folder, a file of generations, of ranks (with `visdial`), of Q-Bot and A-Bot, or
    VisDial itself, where people answered.
    """
    from referee.datasets import check, own, qbot
    from referee.datasets import visdial as reader

    bare = path.is_dir() or own.files(path) != [path]
    known = None if bare else check.recognise(path)
    name = "" if known is None else known.name
    if name == "densevisdial-generations":
        return generated(path, references, visdial, dense, skipped)
    if name == "visdial-ranks":
        if visdial is None:
            raise UsageError(f"{path.name} holds ranks: give the dialogues with --visdial")
        return ranked(path, visdial, dense, skipped)
    if name == "visdial":
        return reader.read(path, dense, skipped)
    played = qbot.read(path, skipped) if name == "qbot" else transcripts(path, None, skipped)
    return played if visdial is None else with_relevance(played, visdial, dense, skipped)


def with_relevance(
    played: Iterable[Transcript], visdial: Path, dense: Path | None, skipped: Skipped = None
) -> Iterator[Transcript]:
    """The transcripts with the relevances of their rounds taken from VisDial's files, by image."""
    from referee.datasets import visdial as reader

    known = {game.image: game for game in reader.games(visdial, dense, skipped)}
    for transcript in played:
        game = transcript.game
        full = known.get(game.image)
        if not isinstance(game, VisDial) or full is None:
            raise UsageError(f"{visdial.name} has no dialogue about image {game.image}")
        if [asked.options for asked in full.rounds] != [asked.options for asked in game.rounds]:
            raise UsageError(f"the run's options for image {game.image} are not {visdial.name}'s")
        yield msgspec.structs.replace(transcript, game=full)
