"""Where transcripts come from: a run folder, a file of dialogues, or a file of ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from referee.datasets.densevisdial import ReferenceSet
from referee.datasets.files import Skipped
from referee.errors import DataError, UsageError
from referee.games import Transcript, VisDial


def transcripts(
    path: Path, games: Path | None = None, skipped: Skipped = None
) -> Iterator[Transcript]:
    """The transcripts of a run folder, or of any dialogue file; `games` holds what the file lacks."""
    if path.is_dir():
        from referee.arena import run

        if games is not None:
            raise UsageError("a run folder holds its games: leave out the file of games")
        if not run.is_run(path):
            raise DataError("is no run", file=path, expected=f"a folder with {run.MANIFEST}")
        return run.read(path)
    from referee.datasets import dialogues, guesswhat, own

    if (mine := own.transcripts(path)) is not None:
        return mine
    known = None if games is None else guesswhat.games(games, skipped)
    return dialogues.read(path, known, skipped)


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
