"""`referee train vdst`."""

from __future__ import annotations

from dataclasses import replace

from referee.cli import _training as shared
from referee.errors import UsageError


def vdst(  # noqa: PLR0913 (a command's options are its arguments)
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
    """Trains VDST to ask what people asked, keeping account of which regions are meant."""
    options = shared.Options.of(locals())
    if features is None:
        raise UsageError("VDST sees regions of the image: give --features F")
    import msgspec

    from referee.players.neural import presets
    from referee.players.neural.asking import Remembered
    from referee.players.neural.examples import fresh
    from referee.players.neural.vdst import VDST
    from referee.players.neural.vdst_learning import VDSTTask
    from referee.players.neural.vdst_regions import RegionFeatures

    recipe = presets.vdst(preset)
    images = RegionFeatures(features)
    config = replace(recipe.config, regions=images.regions, region=images.size)
    data = options.examples()
    words = data.vocabulary(vocabulary)
    model = fresh(seed, lambda: VDST(config, len(words)))
    task = VDSTTask(model, words, data, Remembered(images), recipe.restarts)
    told = options.description("vdst", config, words, data)
    restarts = {"restarts": msgspec.to_builtins(recipe.restarts)}
    described = msgspec.structs.replace(told, training={**told.training, **restarts})
    following = (
        f"referee play guesswhat --games {valid or games}"
        f" --player {shared.player(out, features=features)} --oracle neural:oracle --out RUN"
    )
    shared.train(options, task, options.plan(recipe.plan), described, following)
