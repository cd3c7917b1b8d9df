"""`referee train suite`."""

from __future__ import annotations

import shutil
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from referee.cli import _suite
from referee.cli._training import note, require
from referee.errors import UsageError

Out = Annotated[Path, typer.Option(help="A new folder: the world, the features, every model.")]
Install = Annotated[
    bool, typer.Option("--install", help="Put the models into the package as they are trained.")
]
Games = Annotated[int, typer.Option(min=30, help="The games of the world.")]
Seed = Annotated[int, typer.Option(help="The seed of the world.")]
Epochs = Annotated[
    int | None, typer.Option(min=1, help="Epochs of every model; else its preset's.")
]
Processes = Annotated[int, typer.Option(min=1, help="How many are trained at once.")]
Only = Annotated[
    list[str] | None,
    typer.Option(help="Only these steps, in a folder where the others are done (again: more)."),
]


def suite(
    *,
    out: Out,
    install: Install = False,
    games: Games = _suite.GAMES,
    seed: Seed = _suite.SEED,
    epochs: Epochs = None,
    processes: Processes = 2,
    only: Only = None,
) -> None:
    """Trains every model that comes in the package, on a world of its own."""
    require()
    from referee.players.neural import WEIGHTS
    from referee.players.neural.checkpoint import DESCRIPTION
    from referee.players.neural.checkpoint import WEIGHTS as TENSORS

    everything = _suite.steps(games, seed, "guesser" if install else "./guesser", epochs)
    chosen = [step for step in everything if only is None or step.name in only]
    if only is not None and (unknown := set(only) - {step.name for step in everything}):
        known = ", ".join(step.name for step in everything)
        raise UsageError(f"--only {min(unknown)}: there is no such step (there are {known})")
    if only is None and out.exists():
        raise UsageError(f"{out} exists already, and nothing is ever overwritten")

    def told(done: _suite.Done) -> None:
        note(f"{done.step.name}: {done.seconds:.0f} s")
        if install and done.step.model:
            kept = WEIGHTS / done.step.name
            kept.mkdir(parents=True, exist_ok=True)
            for name in (TENSORS, DESCRIPTION):
                shutil.copyfile(out / done.step.name / name, kept / name)

    started = perf_counter()
    _suite.run(out, chosen, processes, told)
    models = [step.name for step in chosen if step.model]
    held = sum((out / name / TENSORS).stat().st_size for name in models)
    typer.echo(
        f"{len(models)} models of {held / 1e6:.2f} MB in {perf_counter() - started:.0f} s: "
        f"{WEIGHTS if install else out}"
    )
