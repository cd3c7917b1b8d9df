"""`referee train guesser`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from referee.cli import _training as shared
from referee.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from referee.players.neural.checkpoint import Description
    from referee.players.neural.guesser import GuesserConfig
    from referee.players.neural.images import ImageFeatures
    from referee.players.neural.soft_targets import Objective
    from referee.players.neural.training import Plan, Task

Encoder = Annotated[
    Literal["lstm", "vlstm", "gdse", "tracking", "lxmert"],
    typer.Option(
        help="What reads the dialogue: an LSTM; an LSTM and the image, without or with GDSE's "
        "dropout; a guessing state that each answer moves; or LXMERT over regions."
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


Weights = Annotated[
    str | None,
    typer.Option(help="lxmert: a published LXMERT to start from, as a folder or a hub id."),
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
    weights: Weights = None,
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

    from referee.players.neural.soft_targets import Objective

    if not aux_weight > 0:
        raise UsageError(f"--aux-weight {aux_weight:g}: give a number above 0")
    objective = Objective()
    if loss in ("kl", "mtl-kl"):
        objective = Objective(loss, reduction, aux, aux_weight, aux_schedule)
    if encoder == "lxmert":
        made = _lxmert(options, objective, mask, loss, weights)
    else:
        if weights is not None:
            raise UsageError("--weights is LXMERT's: give --encoder lxmert")
        made = _of_encoder(options, encoder, objective, mask, loss)
    if objective.loss != "ce":
        made.described.training["objective"] = msgspec.to_builtins(objective)
    played = valid or games
    following = (
        f"referee play guesswhat --games {played} --questioner replay:{played}"
        f" --oracle replay:{played}"
        f" --guesser {shared.player(out, features=features)} --out RUN"
    )
    shared.train(options, made.task, options.plan(made.plan), made.described, following)


@dataclass(frozen=True)
class _Made:
    """What a call trains, by which schedule, and what its folder says."""

    task: Task
    plan: Plan
    described: Description


def _of_encoder(
    options: shared.Options,
    encoder: Literal["lstm", "vlstm", "gdse", "tracking"],
    objective: Objective,
    mask: Literal["paper", "code"],
    loss: str | None,
) -> _Made:
    from referee.players.neural import presets
    from referee.players.neural.examples import fresh
    from referee.players.neural.guesser import make
    from referee.players.neural.guesser_learning import GuesserTask

    recipe = presets.guesser(options.preset, encoder)
    images = options.images()
    config = _config(replace(recipe.config, mask=mask), images, loss)
    data = options.examples()
    config = replace(config, image_scale=options.image_scale(images, data))
    words = data.vocabulary(options.vocabulary)
    model = fresh(options.seed, lambda: make(config, len(words)))
    described = options.description("guesser", config, words, data)
    return _Made(GuesserTask(model, words, data, images, objective), recipe.plan, described)


def _lxmert(
    options: shared.Options,
    objective: Objective,
    mask: Literal["paper", "code"],
    loss: str | None,
    weights: str | None,
) -> _Made:
    if find_spec("transformers") is None:
        raise MissingExtra("transformers", "neural")
    if options.features is None:
        raise UsageError(
            "--encoder lxmert sees regions: give --features F ('referee features extract --grid 6x6')"
        )
    if options.vocabulary is not None:
        raise UsageError("--vocabulary: LXMERT reads word pieces; they come with --weights")
    if loss == "increase":
        raise UsageError("--loss increase is the tracking guesser's: give --encoder tracking")
    from referee.players.neural import presets
    from referee.players.neural.examples import fresh
    from referee.players.neural.lxmert import LxmertGuesser
    from referee.players.neural.lxmert_learning import LxmertTask
    from referee.players.neural.lxmert_regions import CornerRegions
    from referee.players.neural.pieces import WordPieces

    images = CornerRegions(options.features)
    recipe = presets.lxmert(options.preset)
    config = replace(recipe.config, region=images.shown, mask=mask)
    data = options.examples()
    questions = (turn.question for each in data.train for turn in each.transcript.turns)
    pieces = WordPieces.of_folder(weights) if weights else WordPieces.counted(questions)
    model = fresh(options.seed, lambda: LxmertGuesser(config, pieces))
    if weights:
        model.start_from(weights)
    described = options.description("lxmert", config, pieces, data)
    if weights:
        described.training["weights"] = weights
    return _Made(LxmertTask(model, pieces, data, images, objective), recipe.plan, described)


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
        raise UsageError(
            f"--encoder {config.encoder} sees the image: give --features F"
            " ('referee features extract' makes it)"
        )
    if images is not None and not config.image:
        raise UsageError(f"--encoder {config.encoder} sees no image: leave --features out")
    mix = 1.0 if loss == "ce" else config.mix
    return replace(config, image=images.size if images else 0, mix=mix)
