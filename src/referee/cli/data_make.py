"""`referee data make iconworld`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Out = Annotated[Path, typer.Option(help="A new folder for the world.")]
Games = Annotated[int, typer.Option(min=1, help="Human GuessWhat?! games, over all splits.")]
Scenes = Annotated[
    int | None, typer.Option(min=3, help="Their pictures; by default a third of the games.")
]
ZeroShot = Annotated[
    int | None,
    typer.Option(min=0, help="Pictures of each zero-shot split; by default a tenth of the scenes."),
]
Dialogues = Annotated[
    int | None,
    typer.Option(min=0, help="VisDial dialogues; by default one a scene, at most 600."),
]
Pools = Annotated[int, typer.Option(min=0, help="GuessWhich pools.")]
Seed = Annotated[int, typer.Option(help="The same seed and date give the same bytes.")]
Date = Annotated[str, typer.Option(help="YYYY-MM-DD; today's gives a world that nobody has seen.")]
Pictures = Annotated[bool, typer.Option(help="Whether pictures are drawn.")]
VisualGenome = Annotated[
    Literal["same", "different"],
    typer.Option(
        help="Whether Visual Genome has COCO's pictures, or as in truth others: of another size,"
        " with banners, boxes moved, things missing or named otherwise."
    ),
]
Part = Annotated[
    list[str] | None,
    typer.Option(help="Only this part of the folder (may be given again): guesswhat, coco …"),
]


def make_iconworld(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    out: Out,
    games: Games = 1000,
    scenes: Scenes = None,
    zero_shot: ZeroShot = None,
    dialogues: Dialogues = None,
    pools: Pools = 10,
    seed: Seed = 0,
    date: Date = "2026-01-01",
    pictures: Pictures = True,
    visual_genome: VisualGenome = "same",
    part: Part = None,
) -> None:
    """Makes a world of icons whose truth is known, in the published file formats."""
    from rich.console import Console

    from referee.datasets.iconworld.genome_views import Mismatch
    from referee.datasets.iconworld.making import PARTS, make
    from referee.datasets.iconworld.world import Plan

    genome = Mismatch() if visual_genome == "different" else None
    plan = Plan(games, scenes, zero_shot, dialogues, pools, seed, date, genome=genome)
    parts = [name for name in part or PARTS if pictures or name != "pictures"]
    with Console(stderr=True).status("making a world") as status:
        world = make(out, plan, parts, lambda name: status.update(f"making {name}"))
    count = sum(map(len, world.splits.values()))
    typer.echo(f"{games} games and {count} scenes of seed {seed}, {date}, are in {out}")
