"""`referee train qgen`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from referee.cli import _training as shared
from referee.errors import UsageError

Guesser = Annotated[
    str | None,
    typer.Option(help="The guesser that goes with it, a folder or name; without one it only asks."),
]


def qgen(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    games: shared.Games,
    out: shared.Out,
    features: shared.Features = None,
    guesser: Guesser = None,
    valid: shared.Valid = None,
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
    """Trains the QGen of DeVries-SL to ask what people asked, word by word, seeing the image."""
    options = shared.Options.of(locals())
    if features is None:
        raise UsageError(
            "the QGen sees the image: give --features F ('referee features extract' makes it)"
        )
    from referee.players.neural import companions, presets
    from referee.players.neural.asking import Remembered
    from referee.players.neural.examples import fresh
    from referee.players.neural.images import ImageFeatures
    from referee.players.neural.qgen import QGen
    from referee.players.neural.qgen_learning import QGenTask

    along = None if guesser is None else companions.find(guesser)
    recipe = presets.qgen(preset)
    images = ImageFeatures(features)
    config = replace(recipe.config, image=images.size)
    data = options.examples()
    words = data.vocabulary(vocabulary)
    model = fresh(seed, lambda: QGen(config, len(words)))
    described = options.description("qgen", config, words, data)
    described = shared.accompanied(options, described, along)
    player = shared.player(out, features=features)
    seats = f"--player {player}" if along else f"--questioner {player} --guesser neural:guesser"
    following = (
        f"referee play guesswhat --games {valid or games} {seats} --oracle neural:oracle --out RUN"
    )
    task = QGenTask(model, words, data, Remembered(images))
    shared.train(options, task, options.plan(recipe.plan), described, following)
