"""`referee train gdse`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from referee.cli import _training as shared
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.players.neural.checkpoint import Description
    from referee.players.neural.examples import Examples
    from referee.players.neural.images import ImageFeatures
    from referee.players.neural.presets import GDSERecipe
    from referee.players.neural.vocabulary import Vocabulary

Mode = Annotated[
    Literal["sl", "cl"],
    typer.Option(
        help="sl learns from people; cl goes on from there, and guesses in its own games."
    ),
]
From = Annotated[
    Path | None, typer.Option("--from", help="cl: the folder of the model that sl trained.")
]
Oracle = Annotated[
    str | None,
    typer.Option(help="cl: who answers: a trained oracle's folder or name, or any player."),
]
Modulo = Annotated[
    int | None,
    typer.Option(min=1, help="sl: the guesser learns in every such epoch; cl: the QGen does."),
]
Questions = Annotated[
    int | None, typer.Option(min=1, help="cl: questions a game in training; else the preset's.")
]
Decider = Annotated[
    bool, typer.Option("--decider", help="sl: a decider learns when to guess (off as published).")
]
Mask = Annotated[
    Literal["paper", "code"] | None,
    typer.Option(help="sl: how padding is left out: as it should be, or as GDSE's code does it."),
]


def gdse(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    games: shared.Games,
    out: shared.Out,
    features: shared.Features = None,
    mode: Mode = "sl",
    from_: From = None,
    oracle: Oracle = None,
    modulo: Modulo = None,
    questions: Questions = None,
    decider: Decider = False,
    mask: Mask = None,
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
    """Trains GDSE, which asks and guesses from one state: on people's dialogues, then on its own."""
    _refuse(locals())
    options = shared.Options.of(locals())
    import msgspec

    from referee.players.neural import presets

    images = options.images()
    if images is None:
        raise UsageError(
            "GDSE sees the image: give --features F ('referee features extract' makes it)"
        )
    recipe = presets.gdse(preset, mode)
    asked = {"modulo": modulo, "questions": questions}
    schedule = msgspec.structs.replace(
        recipe.schedule, **{name: it for name, it in asked.items() if it is not None}
    )
    recipe = replace(recipe, plan=options.plan(recipe.plan), schedule=schedule)
    if mode == "cl":
        _cooperative(options, recipe, images, str(from_), str(oracle))
        return
    guesser = replace(
        recipe.config.guesser, image=images.size, decider=decider, mask=mask or "paper"
    )
    _supervised(options, replace(recipe, config=replace(recipe.config, guesser=guesser)), images)


def _refuse(asked: Mapping[str, object]) -> None:
    """Refuses options of the other mode, and lets none be missing."""
    names = {"from_": "--from", "oracle": "--oracle"}
    if asked["mode"] == "cl":
        missing = [option for name, option in names.items() if asked[name] is None]
        if missing:
            raise UsageError(
                f"--mode cl goes on from a trained model: give {' and '.join(missing)}"
            )
        others = {"decider": "--decider", "mask": "--mask", "vocabulary": "--vocabulary"}
        why = "is settled by the model of --from"
    else:
        others = {**names, "questions": "--questions"}
        why = "belongs to --mode cl"
    for name, option in others.items():
        if asked[name]:
            raise UsageError(f"{option} {why}")


def _supervised(options: shared.Options, recipe: GDSERecipe, images: ImageFeatures) -> None:
    from referee.players.neural.asking import Remembered
    from referee.players.neural.examples import fresh
    from referee.players.neural.gdse import GDSE
    from referee.players.neural.gdse_learning import SupervisedTask

    data = options.examples()
    words = data.vocabulary(options.vocabulary)
    scale = options.image_scale(images, data)
    guesser = replace(recipe.config.guesser, image_scale=scale)
    recipe = replace(recipe, config=replace(recipe.config, guesser=guesser))
    model = fresh(options.seed, lambda: GDSE(recipe.config, len(words)))
    task = SupervisedTask(model, words, data, Remembered(images), recipe.schedule)
    described = _described(options, recipe, words, data)
    shared.train(options, task, recipe.plan, described, _following(options))


def _cooperative(
    options: shared.Options, recipe: GDSERecipe, images: ImageFeatures, start: str, oracle: str
) -> None:
    from referee.players import neural
    from referee.players.neural import checkpoint, gameplay, gdse_player
    from referee.players.neural.asking import Remembered
    from referee.players.neural.gdse_cooperating import CooperativeTask
    from referee.players.neural.images import features

    begun = checkpoint.load(neural.folder(start))
    answering, told = gameplay.oracle(oracle, options.features)
    model = gdse_player.load(begun)
    features(options.features, model.config.guesser.image, start, "--features")
    told |= {"from": start, "from_digest": begun.version}
    played = gameplay.stage(options.games, options.valid, most=model.config.guesser.slots)
    shared.note(
        f"{len(played.scenes)} images to play about, {len(played.valid)} games to be judged by"
    )
    data = options.examples()
    task = CooperativeTask(
        model,
        begun.vocabulary,
        data,
        Remembered(images),
        recipe.schedule,
        gameplay.Gameplay(played, answering, options.seed),
    )
    described = _described(
        options, replace(recipe, config=model.config), begun.vocabulary, data, told
    )
    shared.train(options, task, recipe.plan, described, _following(options))


def _described(
    options: shared.Options,
    recipe: GDSERecipe,
    words: Vocabulary,
    data: Examples,
    more: Mapping[str, str] | None = None,
) -> Description:
    """What the folder will say, with the schedule."""
    import msgspec

    schedule = msgspec.to_builtins(recipe.schedule)
    return options.description(
        "gdse", recipe.config, words, data, {**(more or {}), "schedule": schedule}
    )


def _following(options: shared.Options) -> str:
    player = shared.player(options.out, features=options.features)
    return (
        f"referee play guesswhat --games {options.valid or options.games} --player {player}"
        " --oracle neural:oracle --out RUN"
    )
