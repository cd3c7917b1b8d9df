"""`referee train guesser`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from referee.cli import _training as shared
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.players.neural.guesser import GuesserConfig
    from referee.players.neural.images import ImageFeatures

Encoder = Annotated[
    Literal["lstm", "vlstm", "gdse", "tracking"],
    typer.Option(
        help="What reads the dialogue: an LSTM; an LSTM and the image, without or with GDSE's "
        "dropout; or a guessing state that each answer moves."
    ),
]
Loss = Annotated[
    Literal["ce", "kl", "mtl-kl", "increase"] | None,
    typer.Option(
        help="Cross entropy; KL to the target's one-hot; that and KL to the rules' soft labels after "
        "the first turn; or (for tracking, whose own loss it is) the target's rise mixed in."
    ),
]
Aux = Annotated[
    Literal["category", "category,spatial"],
    typer.Option(help="mtl-kl: the types of first questions whose soft labels are learned."),
]
AuxWeight = Annotated[float, typer.Option(help="mtl-kl: the weight of the second task.")]
AuxSchedule = Annotated[
    Literal["together", "alternate"],
    typer.Option(help="mtl-kl: both tasks in every step, or epochs in turn."),
]
Reduction = Annotated[
    Literal["games", "cells"],
    typer.Option(help="kl: a mean over games, or over every cell, as PyTorch's default has it."),
]
Mask = Annotated[
    Literal["paper", "code"],
    typer.Option(help="How padding is left out: as it should be, or as GDSE's code does it."),
]


def guesser(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    games: shared.Games,
    out: shared.Out,
    encoder: Encoder = "lstm",
    loss: Loss = None,
    aux: Aux = "category",
    aux_weight: AuxWeight = 1.0,
    aux_schedule: AuxSchedule = "together",
    reduction: Reduction = "games",
    mask: Mask = "paper",
    valid: shared.Valid = None,
    features: shared.Features = None,
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
    """Trains a guesser on people's dialogues: which candidate were they about?"""
    options = shared.Options.of(locals())
    import msgspec

    from referee.players.neural import presets
    from referee.players.neural.examples import fresh
    from referee.players.neural.guesser import make
    from referee.players.neural.guesser_learning import GuesserTask
    from referee.players.neural.soft_targets import Objective

    if not aux_weight > 0:
        raise UsageError(f"--aux-weight {aux_weight:g}: give a number above 0")
    recipe = presets.guesser(preset, encoder)
    images = options.images()
    config = _config(replace(recipe.config, mask=mask), images, loss)
    data = options.examples()
    words = data.vocabulary(vocabulary)
    model = fresh(seed, lambda: make(config, len(words)))
    objective = Objective()
    if loss in ("kl", "mtl-kl"):
        objective = Objective(loss, reduction, aux, aux_weight, aux_schedule)
    described = options.description("guesser", config, words, data)
    if objective.loss != "ce":
        described.training["objective"] = msgspec.to_builtins(objective)
    following = (
        f"referee play guesswhat --games {games} --questioner replay:{games} --oracle replay:{games}"
        f" --guesser {shared.player(out, features=features)} --out RUN"
    )
    task = GuesserTask(model, words, data, images, objective)
    shared.train(options, task, options.plan(recipe.plan), described, following)


def _config(config: GuesserConfig, images: ImageFeatures | None, loss: str | None) -> GuesserConfig:
    """The configuration with the features' length and the loss; what does not fit is refused."""
    tracking = config.encoder == "tracking"
    if loss == "increase" and not tracking:
        raise UsageError("--loss increase is the tracking guesser's: give --encoder tracking")
    if tracking and loss in ("kl", "mtl-kl"):
        raise UsageError(
            f"--loss {loss}: the tracking guesser has its own loss; give another encoder"
        )
    if tracking and config.mask != "paper":
        raise UsageError("--mask code is GDSE's flaw; the tracking guesser has no such variant")
    if config.image and images is None:
        raise UsageError(f"--encoder {config.encoder} sees the image: give --features F")
    if images is not None and not config.image:
        raise UsageError(f"--encoder {config.encoder} sees no image: leave --features out")
    mix = 1.0 if loss == "ce" else config.mix
    return replace(config, image=images.size if images else 0, mix=mix)
