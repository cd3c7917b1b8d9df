"""`referee play guesswhich`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import _playing as shared

if TYPE_CHECKING:
    from referee.errors import DataError
    from referee.games import GuessWhich

Pools = Annotated[Path, typer.Option(help="GuessWhich pools, in either published format.")]
Level = Annotated[str | None, typer.Option(help="One level: easy, medium or hard.")]
Rounds = Annotated[int, typer.Option(min=0, help="How many questions are asked.")]


def guesswhich(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    pools: Pools,
    out: shared.Out,
    questioner: shared.Seat = None,
    answerer: shared.Seat = None,
    guesser: shared.Seat = None,
    player: shared.Everybody = None,
    scenes: shared.Scenes = None,
    level: Level = None,
    rounds: Rounds = 9,
    max_words: shared.MaxWords = None,
    beliefs: shared.Beliefs = None,
    batch: shared.Batch = 256,
    seed: shared.Seed = 0,
    limit: shared.Limit = None,
    skip_bad: shared.SkipBad = False,
) -> None:
    """Plays GuessWhich games in batches and keeps the transcripts in a run folder."""
    from referee.arena import Plan
    from referee.arena.scenes import Scenes
    from referee.datasets import own
    from referee.datasets import pools as reader
    from referee.games import GuessWhich
    from referee.games.guesswhich import Rules

    players = shared.seated(
        {"questioner": questioner, "answerer": answerer, "guesser": guesser}, player
    )
    rules = Rules(rounds, shared.wants_beliefs(beliefs, players))

    def read(skipped: list[DataError] | None) -> Iterable[GuessWhich]:
        mine = own.games(pools, GuessWhich)
        games = mine or reader.read(pools, level, skipped)
        return games if scenes is None else Scenes.of(scenes).pools(games)

    shared.play(
        shared.Command(
            out=out,
            read=read,
            players=players,
            plan=Plan(rules, seed, max_words),
            files={"pools": pools, "scenes": scenes},
            batch=batch,
            limit=limit,
            skip_bad=skip_bad,
            judge="teamwork",
            won="found",
            arguments={"level": level},
        )
    )
