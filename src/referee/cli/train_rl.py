"""`referee train rl`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from referee.cli import _training as shared
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.players.neural.asking import Remembered
    from referee.players.neural.checkpoint import Checkpoint
    from referee.players.neural.selfplay import Guesses

From = Annotated[
    str, typer.Option(help="The QGen to go on from: the folder or name of one that people taught.")
]
Guesser = Annotated[
    str | None,
    typer.Option(help="The frozen guesser, a folder or name; by default the questioner's own."),
]
Oracle = Annotated[
    str, typer.Option(help="Who answers: a trained oracle's folder or name, or any player.")
]
Reward = Annotated[
    str,
    typer.Option(
        help="What a game is worth: success, effective, referring, referring_in_context, each with "
        "a weight (success,effective:0.1)."
    ),
]
Questions = Annotated[
    int | None, typer.Option(min=1, help="The questions of a game; else the preset's.")
]
Words = Annotated[
    int | None, typer.Option(min=1, help="Words after which a question is cut; else the preset's.")
]
Stop = Annotated[
    Literal["dialogue", "never"] | None,
    typer.Option(help="Whether the questioner may end a dialogue; else the preset's."),
]


def rl(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    games: shared.Games,
    out: shared.Out,
    questioner: From,
    oracle: Oracle,
    guesser: Guesser = None,
    features: shared.Features = None,
    reward: Reward = "success",
    questions: Questions = None,
    words: Words = None,
    stop: Stop = None,
    valid: shared.Valid = None,
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
    """Trains DeVries-RL: the QGen plays with a frozen oracle and guesser, and learns from what it wins."""
    # The words are those of the questioner.
    options = shared.Options.of({**locals(), "vocabulary": None})
    if features is None:
        raise UsageError(
            "the QGen sees the image: give --features F ('referee features extract' makes it)"
        )
    import msgspec

    from referee.players import neural
    from referee.players.neural import checkpoint, gameplay, presets, qgen_player
    from referee.players.neural.asking import Remembered
    from referee.players.neural.examples import Examples, fresh
    from referee.players.neural.examples import told as sources
    from referee.players.neural.images import features as reading
    from referee.players.neural.reinforce import ReinforceTask, begun
    from referee.players.neural.rewards import Reward as Rewards
    from referee.players.neural.selfplay import Asks

    recipe = presets.rl(preset)
    asked = {"questions": questions, "words": words, "stop": stop}
    policy = msgspec.structs.replace(
        recipe.config,
        reward=str(Rewards.parse(reward)),
        **{name: it for name, it in asked.items() if it is not None},
    )
    plan = options.plan(recipe.plan)
    start = checkpoint.load(neural.folder(questioner))
    model = qgen_player.load(start)
    images = reading(features, model.config.image, questioner, "--features")
    assert images is not None  # noqa: S101 (a QGen has an image)
    told = _guesser(guesser, questioner, start)
    answering, more = gameplay.oracle(oracle, features)
    stage = gameplay.stage(games, valid)
    shared.note(
        f"{len(stage.scenes)} images to play about, {len(stage.valid)} games to be judged by"
    )
    known = start.vocabulary
    model = fresh(seed, lambda: begun(model, policy.baseline, len(known)))
    seen = Remembered(images)
    task = ReinforceTask(
        Asks(model, known, seen),
        _guesses(told, features, seen),
        gameplay.Gameplay(stage, answering, seed),
        policy,
        plan.batch,
    )
    more |= {"from": questioner, "from_digest": start.version}
    more |= {"policy": msgspec.to_builtins(policy)}
    read = Examples((), (), sources(games, valid))
    described = options.description("qgen", model.config, known, read, more)
    shared.train(options, task, plan, shared.accompanied(options, described, told), _next(options))


def _next(options: shared.Options) -> str:
    player = shared.player(options.out, features=options.features)
    return (
        f"referee play guesswhat --games {options.valid or options.games} --player {player}"
        " --oracle neural:oracle --out RUN"
    )


def _guesser(asked: str | None, questioner: str, start: Checkpoint) -> Checkpoint:
    """The guesser asked for, else the one that the questioner takes along."""
    from referee.players.neural import companions

    found = companions.find(asked) if asked is not None else companions.own(start)
    if found is None:
        raise UsageError(f"{questioner} takes no guesser along: give --guesser")
    return found


def _guesses(found: Checkpoint, features: str, seen: Remembered) -> Guesses:
    """The guesser, frozen; one that reads images reads those of the questioner."""
    from referee.players.neural import gameplay, guesser_player
    from referee.players.neural.images import features as reading
    from referee.players.neural.selfplay import Guesses

    model = gameplay.frozen(guesser_player.load(found))
    size = model.config.image
    images = reading(features, size, str(found.folder), "--features") and seen
    return Guesses(model, found.vocabulary, images, model.config.categories)
