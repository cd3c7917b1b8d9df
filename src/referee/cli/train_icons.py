"""`referee train icons`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import _training as shared
from referee.errors import UsageError

SCENES = 2400
World = Annotated[
    Path | None,
    typer.Option(
        help="A folder of 'data make iconworld' to learn from; by default scenes are drawn for it."
    ),
]
Scenes = Annotated[int | None, typer.Option(min=8, help="How many scenes are drawn; else 2,400.")]
Out = Annotated[
    Path, typer.Option(help="A new folder for the model, or with --resume that of a stopped run.")
]


def icons(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    out: Out,
    world: World = None,
    scenes: Scenes = None,
    device: shared.Device = "auto",
    devices: shared.Devices = None,
    nodes: shared.Nodes = 1,
    resume: shared.Resume = False,
    seed: shared.Seed = 0,
    epochs: shared.Epochs = None,
    batch: shared.Batch = None,
    rate: shared.Rate = None,
    patience: shared.Patience = None,
) -> None:
    """Trains the small network whose image features tell Iconworld's things and colours apart."""
    if world is not None and scenes is not None:
        raise UsageError("--scenes are drawn in place of a --world: give one of them")
    asked = {name: value for name, value in locals().items() if name not in {"world", "scenes"}}
    options = shared.Options(games=world or Path(), **asked)
    from referee.players.neural import icon_training as training
    from referee.players.neural.examples import fresh
    from referee.players.neural.icon_cnn import IconCNN
    from referee.players.neural.icon_scenes import examined, learned, learned_of
    from referee.players.neural.sharing import speaks

    shared.note("drawing scenes" if world is None else f"reading {world}")
    config = training.config()
    count = scenes or SCENES
    parts = learned(config, count, seed) if world is None else learned_of(config, world)
    shared.note(
        f"{len(parts.train.crops)} things and {len(parts.train.scenes)} scenes to learn from"
    )
    model = fresh(seed, lambda: IconCNN(config))
    plan = options.plan(training.PLAN)
    described = training.description(config, parts.sources)
    following = f"referee features extract --images world/images --model {out} --out icons.h5"
    shared.train(
        options, training.IconTask(model, parts.train, parts.valid), plan, described, following
    )
    if speaks():
        scenes_held_out = examined(config, max(8, count // 6), seed)
        for line in training.lines(training.examine(training.trained(out), scenes_held_out)):
            typer.echo(line)
