"""`referee play guesswhat`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import _playing as shared

if TYPE_CHECKING:
    from referee.errors import DataError
    from referee.games import GuessWhat

Games = Annotated[Path, typer.Option(help="GuessWhat?! games, of either release.")]
MaxTurns = Annotated[
    int, typer.Option(min=0, help="How many questions may be asked; 0 for as many as wanted.")
]


def guesswhat(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    games: Games,
    out: shared.Out,
    questioner: shared.Seat = None,
    oracle: shared.Seat = None,
    guesser: shared.Seat = None,
    player: shared.Everybody = None,
    max_turns: MaxTurns = 8,
    max_words: shared.MaxWords = None,
    beliefs: shared.Beliefs = None,
    batch: shared.Batch = 256,
    seed: shared.Seed = 0,
    limit: shared.Limit = None,
    skip_bad: shared.SkipBad = False,
) -> None:
    """Plays GuessWhat?! games in batches and keeps the transcripts in a run folder."""
    from referee.arena import Plan
    from referee.datasets import guesswhat as reader
    from referee.datasets import own
    from referee.games import GuessWhat
    from referee.games.guesswhat import Rules

    players = shared.seated(
        {"questioner": questioner, "oracle": oracle, "guesser": guesser}, player
    )
    rules = Rules(max_turns or None, shared.wants_beliefs(beliefs, players))

    def read(skipped: list[DataError] | None) -> Iterator[GuessWhat]:
        return own.games(games, GuessWhat) or reader.games(games, skipped)

    shared.play(
        shared.Command(
            out=out,
            read=read,
            players=players,
            plan=Plan(rules, seed, max_words),
            files={"games": games},
            batch=batch,
            limit=limit,
            skip_bad=skip_bad,
            judge="questions",
            won="won",
        )
    )
