"""`referee train qgen`."""

from __future__ import annotations

from dataclasses import replace

from referee.cli import _training as shared
from referee.errors import UsageError


def qgen(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    games: shared.Games,
    out: shared.Out,
    features: shared.Features = None,
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
        raise UsageError("the QGen sees the image: give --features F")
    from referee.players.neural import presets
    from referee.players.neural.asking import Remembered
    from referee.players.neural.examples import fresh
    from referee.players.neural.images import ImageFeatures
    from referee.players.neural.qgen import QGen
    from referee.players.neural.qgen_learning import QGenTask

    recipe = presets.qgen(preset)
    images = ImageFeatures(features)
    config = replace(recipe.config, image=images.size)
    data = options.examples()
    words = data.vocabulary(vocabulary)
    model = fresh(seed, lambda: QGen(config, len(words)))
    described = options.description("qgen", config, words, data)
    following = (
        f"referee play guesswhat --games {games} --player {shared.player(out, features=features)}"
        " --oracle neural:oracle --out RUN"
    )
    task = QGenTask(model, words, data, Remembered(images))
    shared.train(options, task, options.plan(recipe.plan), described, following)
