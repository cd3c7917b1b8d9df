"""The models that come in the package: a world, and the commands that train each of them on it.

A step is a command of `referee`, called in the suite's folder, so that what a model says of its training
names no place outside. Steps that wait for nothing run side by side, a process and a thread each.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from referee.errors import RefereeError

TRAIN, VALID = "world/guesswhat.train.jsonl.gz", "world/guesswhat.valid.jsonl.gz"
SEEN, REGIONS = "icons.h5", "regions-train.npy,regions-val.npy"
GRID = "4x4"
GAMES, SCENES, SEED = 15000, 4000, 1
"""The world of the weights that ship; worlds of other seeds have other pictures."""
LOGS = "logs"
_CALL = "import sys; from referee.cli import main; sys.exit(main())"


class StepFailed(RefereeError):
    """A step of the suite ended badly; its log says how."""


@dataclass(frozen=True)
class Step:
    """One command, and the steps that must be done before; a `model` is a folder of the step's name."""

    name: str
    words: tuple[str, ...]
    after: tuple[str, ...] = ()
    model: bool = True


@dataclass(frozen=True)
class Done:
    """A step that is done, and how long it took."""

    step: Step
    seconds: float


def steps(games: int, seed: int, guesser: str, epochs: int | None = None) -> tuple[Step, ...]:
    """The whole suite; `guesser` names the one that DeVries and VDST take along."""
    parts = [word for part in ("guesswhat", "coco", "pictures") for word in ("--part", part)]
    scenes = str(max(1, games * SCENES // GAMES))
    size = ("--games", str(games), "--scenes", scenes, "--zero-shot", "0")
    world = ("--out", "world", *size, "--seed", str(seed), *parts)
    few = () if epochs is None else ("--epochs", str(epochs))
    images = ("--features", SEEN)
    player = ("--oracle", "./oracle")

    def trained(name: str, *words: str, after: tuple[str, ...]) -> Step:
        data = () if name == "icons" else ("--games", TRAIN, "--valid", VALID)
        return Step(name, ("train", *words, *data, *few, "--out", name), after)

    def guessing(name: str, *words: str) -> Step:
        return trained(name, "guesser", "--encoder", "gdse", *words, *images, after=("features",))

    taking = ("--guesser", guesser)
    return (
        Step("world", ("data", "make", "iconworld", *world), model=False),
        trained("icons", "icons", "--world", "world", after=("world",)),
        trained("oracle", "oracle", after=("world",)),
        trained("guesser", "guesser", after=("world",)),
        Step("features", _extract(SEEN), ("icons",), model=False),
        trained("gdse-sl", "gdse", *images, after=("features",)),
        trained("devries-sl", "qgen", *taking, *images, after=("features", "guesser")),
        *(
            Step(
                f"regions {split}",
                (
                    *_extract(f"regions-{split}.npy"),
                    *("--boxes", f"world/annotations/instances_{split}.json", "--grid", GRID),
                ),
                ("icons",),
                model=False,
            )
            for split in ("train", "val")
        ),
        trained("vdst", "vdst", *taking, "--features", REGIONS, after=(*_REGIONS, "guesser")),
        trained("lxmert", "guesser", "--encoder", "lxmert", "--features", REGIONS, after=_REGIONS),
        trained(
            "gdse-cl",
            *("gdse", "--mode", "cl", "--from", "./gdse-sl", *player, *images),
            after=("gdse-sl", "oracle"),
        ),
        trained(
            "devries-rl",
            *("rl", "--questioner", "./devries-sl", *taking, *player, *images),
            after=("devries-sl", "oracle"),
        ),
        guessing("stl-ce", "--loss", "ce"),
        guessing("stl-kl", "--loss", "kl"),
        guessing("mtl-kl", "--loss", "mtl-kl"),
    )


_REGIONS = ("regions train", "regions val")


def _extract(out: str) -> tuple[str, ...]:
    return ("features", "extract", "--images", "world/images", "--model", "./icons", "--out", out)


def run(
    folder: Path,
    chosen: Sequence[Step],
    processes: int,
    told: Callable[[Done], None],
    begun: Callable[[Step], None] = lambda _: None,
) -> None:
    """Runs the steps, each as soon as what it needs is there; the first that fails ends all."""
    (folder / LOGS).mkdir(parents=True, exist_ok=True)
    names = {step.name for step in chosen}
    waiting, done = list(chosen), set[str]()
    with ThreadPoolExecutor(processes) as pool:
        running: set[Future[Done]] = set()
        while waiting or running:
            ready = [step for step in waiting if names.intersection(step.after) <= done]
            for step in ready[: processes - len(running)]:
                waiting.remove(step)
                begun(step)
                running.add(pool.submit(_call, folder, step))
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for each in ended:
                found = each.result()
                done.add(found.step.name)
                told(found)


def _call(folder: Path, step: Step) -> Done:
    started = perf_counter()
    log = folder / LOGS / f"{step.name.replace(' ', '-')}.txt"
    alone = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    with log.open("w", encoding="utf-8") as stream:
        ended = subprocess.run(  # noqa: S603 (our own command)
            [sys.executable, "-c", _CALL, *step.words],
            cwd=folder,
            env=alone,
            stdout=stream,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if ended.returncode:
        last = log.read_text(encoding="utf-8").strip().splitlines()[-1:]
        raise StepFailed(f"{step.name}: {' '.join(last) or 'it said nothing'} ({log})")
    return Done(step, perf_counter() - started)
