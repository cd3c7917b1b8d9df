"""`referee play visdial`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from referee.cli import _playing as shared

if TYPE_CHECKING:
    from referee.errors import DataError
    from referee.games import VisDial

File = Annotated[Path, typer.Option("--visdial", help="VisDial dialogues, v0.9 or v1.0.")]
Dense = Annotated[Path | None, typer.Option(help="The dense annotations of these dialogues.")]
Rank = Annotated[bool, typer.Option("--rank", help="Score the answer options.")]
Generate = Annotated[
    int | None,
    typer.Option(min=0, help="Answers to write to a question; by default 1, with --rank none."),
]
Decode = Annotated[
    str,
    typer.Option(help="How answers are chosen: sample, greedy, beam:5; by default as it likes."),
]
History = Annotated[
    Literal["human", "own"], typer.Option(help="Whose answers the next question follows.")
]


def visdial(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    file: File,
    answerer: shared.Seat,
    out: shared.Out,
    scenes: shared.Scenes = None,
    dense: Dense = None,
    rank: Rank = False,
    generate: Generate = None,
    decode: Decode = "",
    history: History = "human",
    batch: shared.Batch = 256,
    seed: shared.Seed = 0,
    limit: shared.Limit = None,
    skip_bad: shared.SkipBad = False,
) -> None:
    """Asks an answerer the questions of VisDial and keeps its answers in a run folder."""
    from referee.arena import Plan
    from referee.arena.scenes import Scenes
    from referee.datasets import own
    from referee.datasets import visdial as reader
    from referee.games import VisDial
    from referee.games.visdial import Rules

    players = shared.seated({"answerer": answerer}, None)
    written = (0 if rank else 1) if generate is None else generate

    def read(skipped: list[DataError] | None) -> Iterable[VisDial]:
        mine = own.games(file, VisDial)
        games = mine or reader.games(file, dense, skipped)
        return games if scenes is None else Scenes.of(scenes).dialogues(games)

    shared.play(
        shared.Command(
            out=out,
            read=read,
            players=players,
            plan=Plan(Rules(history), seed, generate=written, decode=decode, rank=rank),
            files={"visdial": file, "dense": dense, "scenes": scenes},
            batch=batch,
            limit=limit,
            skip_bad=skip_bad,
            judge="answers",
        )
    )
