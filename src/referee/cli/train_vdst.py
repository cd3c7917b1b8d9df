"""`referee train vdst`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from referee.cli import _training as shared
from referee.errors import UsageError

if TYPE_CHECKING:
    from msgspec import Struct

    from referee.players.neural.checkpoint import Checkpoint, Description
    from referee.players.neural.selfplay import Guesses
    from referee.players.neural.vdst_regions import RegionFeatures

Mode = Annotated[
    Literal["sl", "rl"],
    typer.Option(
        help="sl learns from people; rl goes on from there, and learns from what it wins."
    ),
]
From = Annotated[
    Path | None, typer.Option("--from", help="rl: the folder of the model that sl trained.")
]
Oracle = Annotated[
    str | None,
    typer.Option(help="rl: who answers, a trained oracle's folder or name, or any player."),
]
Guesser = Annotated[
    str | None,
    typer.Option(
        help="The guesser that goes with it, a folder or name; in rl by default that of --from."
    ),
]
Reward = Annotated[
    str | None,
    typer.Option(help="rl: what a game is worth, as in `train rl` (success,effective:0.1)."),
]
Questions = Annotated[
    int | None, typer.Option(min=1, help="rl: the questions of a game; else the preset's.")
]


def vdst(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    games: shared.Games,
    out: shared.Out,
    features: shared.Features = None,
    mode: Mode = "sl",
    from_: From = None,
    oracle: Oracle = None,
    guesser: Guesser = None,
    reward: Reward = None,
    questions: Questions = None,
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
    """Trains VDST to ask what people asked, or what wins, keeping account of which regions are meant."""
    _refuse(locals())
    options = shared.Options.of(locals())
    if features is None:
        raise UsageError(
            "VDST sees regions of the image: give --features F ('referee features extract --grid 6x6')"
        )
    from referee.players.neural import companions
    from referee.players.neural.vdst_regions import RegionFeatures

    along = None if guesser is None else companions.find(guesser)
    images = RegionFeatures(features)
    if mode == "sl":
        _supervised(options, images, along)
    elif from_ is not None and oracle is not None:
        asked = {"reward": reward, "questions": questions}
        given = {name: it for name, it in asked.items() if it is not None}
        _rewarded(options, images, along, from_, oracle, given)


def _refuse(asked: Mapping[str, object]) -> None:
    """Refuses options of the other mode, and lets none be missing."""
    needed = {"from_": "--from", "oracle": "--oracle"}
    if asked["mode"] == "rl":
        missing = [option for name, option in needed.items() if asked[name] is None]
        if missing:
            raise UsageError(
                f"--mode rl goes on from a trained model: give {' and '.join(missing)}"
            )
        others, why = {"vocabulary": "--vocabulary"}, "is settled by the model of --from"
    else:
        others = {**needed, "reward": "--reward", "questions": "--questions"}
        why = "belongs to --mode rl"
    for name, option in others.items():
        if asked[name] is not None:
            raise UsageError(f"{option} {why}")


def _supervised(options: shared.Options, images: RegionFeatures, along: Checkpoint | None) -> None:
    from referee.players.neural import presets
    from referee.players.neural.asking import Remembered
    from referee.players.neural.examples import fresh
    from referee.players.neural.vdst import VDST
    from referee.players.neural.vdst_learning import VDSTTask

    recipe = presets.vdst(options.preset)
    config = replace(recipe.config, regions=images.regions, region=images.size)
    data = options.examples()
    words = data.vocabulary(options.vocabulary)
    model = fresh(options.seed, lambda: VDST(config, len(words)))
    task = VDSTTask(model, words, data, Remembered(images), recipe.restarts)
    told = _telling(options.description("vdst", config, words, data), "restarts", recipe.restarts)
    described = shared.accompanied(options, told, along)
    shared.train(options, task, options.plan(recipe.plan), described, _next(options, along))


def _rewarded(
    options: shared.Options,
    images: RegionFeatures,
    along: Checkpoint | None,
    start: Path,
    oracle: str,
    given: Mapping[str, object],
) -> None:
    import msgspec

    from referee.players.neural import (
        checkpoint,
        companions,
        gameplay,
        presets,
        vdst_player,
        vdst_regions,
    )
    from referee.players.neural.asking import Remembered
    from referee.players.neural.examples import Examples, fresh
    from referee.players.neural.examples import told as sources
    from referee.players.neural.rewards import Reward as Rewards
    from referee.players.neural.selfplay import Asks
    from referee.players.neural.vdst_reinforcing import VDSTReinforceTask, begun

    recipe = presets.vdst_rl(options.preset)
    policy = msgspec.structs.replace(recipe.config, **given)
    policy = msgspec.structs.replace(policy, reward=str(Rewards.parse(policy.reward)))
    found = checkpoint.load(start)
    taught = vdst_player.load(found)
    vdst_regions.fitting(images, taught.config.regions, taught.config.region, str(start))
    along = along or companions.own(found)
    if along is None:
        raise UsageError(f"{start} takes no guesser along: give --guesser")
    answering, more = gameplay.oracle(oracle, None)
    stage = gameplay.stage(options.games, options.valid)
    shared.note(
        f"{len(stage.scenes)} images to play about, {len(stage.valid)} games to be judged by"
    )
    model = fresh(options.seed, lambda: begun(taught, policy.baseline))
    plan = options.plan(recipe.plan)
    task = VDSTReinforceTask(
        Asks(model, found.vocabulary, Remembered(images)),
        _guesses(along),
        gameplay.Gameplay(stage, answering, options.seed),
        policy,
        plan.batch,
    )
    more |= {"from": str(start), "from_digest": found.version}
    data = Examples((), (), sources(options.games, options.valid))
    told = options.description("vdst", model.config, found.vocabulary, data, more)
    described = shared.accompanied(options, _telling(told, "policy", policy), along)
    shared.train(options, task, plan, described, _next(options, along))


def _guesses(found: Checkpoint) -> Guesses:
    """The guesser, frozen."""
    from referee.players.neural import gameplay, guesser_player
    from referee.players.neural.guesser import GuesserConfig
    from referee.players.neural.selfplay import Guesses

    model = gameplay.frozen(guesser_player.load(found))
    if not isinstance(model.config, GuesserConfig) or model.config.image:
        raise UsageError(f"{found.folder}: VDST learns with a guesser that does not see the image")
    return Guesses(model, found.vocabulary, categories=model.config.categories)


def _telling(description: Description, name: str, settings: Struct) -> Description:
    """The description with more of how it is trained."""
    import msgspec

    more = {name: msgspec.to_builtins(settings)}
    return msgspec.structs.replace(description, training={**description.training, **more})


def _next(options: shared.Options, along: Checkpoint | None) -> str:
    player = shared.player(options.out, features=options.features)
    seats = f"--player {player}" if along else f"--questioner {player} --guesser neural:guesser"
    return (
        f"referee play guesswhat --games {options.valid or options.games} {seats}"
        " --oracle neural:oracle --out RUN"
    )
