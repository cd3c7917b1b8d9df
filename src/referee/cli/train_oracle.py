"""`referee train oracle`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import typer

from referee.cli import _training as shared

Variant = Annotated[
    Literal["devries", "gdse"], typer.Option(help="Whose layers, order of classes and schedule.")
]
Crops = Annotated[
    str | None, typer.Option(help="Features of the things cut out, by object id: F or F,F.")
]
Category = Annotated[bool, typer.Option(help="Whether the oracle sees what the thing is.")]
Place = Annotated[bool, typer.Option(help="Whether the oracle sees where the thing is.")]


def oracle(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    games: shared.Games,
    out: shared.Out,
    valid: shared.Valid = None,
    features: shared.Features = None,
    crops: Crops = None,
    variant: Variant = "devries",
    category: Category = True,
    place: Place = True,
    vocabulary: shared.Words = None,
    preset: shared.Preset = "tiny",
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
    """Trains an oracle on people's answers: the question, the thing's category and its place."""
    options = shared.Options.of(locals())
    import msgspec

    from referee.players.neural import presets
    from referee.players.neural.examples import fresh
    from referee.players.neural.images import ImageFeatures
    from referee.players.neural.oracle import Oracle
    from referee.players.neural.oracle_learning import OracleTask

    recipe = presets.oracle(preset, variant)
    images = options.images()
    cut = None if crops is None else ImageFeatures(crops, "objects")
    config = replace(
        recipe.config,
        category=recipe.config.category if category else 0,
        place=place,
        image=images.size if images else 0,
        crop=cut.size if cut else 0,
    )
    data = options.examples()
    words = data.vocabulary(vocabulary)
    model = fresh(seed, lambda: Oracle(config, len(words)))
    described = options.description("oracle", config, words, data, crops=crops)
    described = msgspec.structs.replace(described, answers=config.order.value)
    task = OracleTask(model, words, data, images, cut)
    name = shared.player(out, features=features, crops=crops)
    following = f"referee evaluate questions --transcripts {valid or games} --oracle {name}"
    shared.train(options, task, options.plan(recipe.plan), described, following)
