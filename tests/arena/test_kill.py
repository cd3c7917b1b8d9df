"""A run that is killed again and again ends with the bytes of one that nobody touched."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.arena.run import TRANSCRIPTS, summary
from referee.cli import main
from referee.datasets.guesswhat import write
from referee.datasets.iconworld.scenes import make_scene
from referee.games import GuessWhat, Scene, Transcript
from referee.randomness import Stream, key

KILLS = 50
GAMES = 600
LONGEST = 0.12
"""The most seconds that a process plays before it is killed."""
PRELOADED = [
    "typer",
    "rich.console",
    "referee.arena",
    "referee.cli.play_guesswhat",
    "referee.players.scripted.oracles",
    "referee.players.scripted.people",
]


def command(games: Path, out: Path, batch: int) -> list[str]:
    words = f"play guesswhat --games {games} --out {out} --batch {batch} --seed 7"
    players = "--player scripted:people --oracle scripted:noisy-oracle"
    return [*words.split(), *players.split()]


def drawn(number: int) -> Scene:
    scene = make_scene(number, key("kill", number)).scene
    return replace(scene, width=float(scene.width), height=float(scene.height))


@pytest.fixture
def world(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    scenes = [drawn(number) for number in range(GAMES)]
    targets = [Stream(key("target", scene.id)).choice(scene.things).id for scene in scenes]
    games = map(GuessWhat, (scene.id for scene in scenes), scenes, targets)
    write(path, map(Transcript, games))
    return path


def size(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def struck(process: BaseProcess, log: Path, draw: Stream) -> bool:
    """Kills the process at a random moment; False where it came to its end before.

    One in four dies while it starts or reads what was played, the others a while after they have
    written their first games.
    """
    before = size(log)
    if draw.below(4):
        while process.is_alive() and size(log) <= before:
            time.sleep(0.001)
    process.join(LONGEST * draw.random())
    if process.pid is None or process.exitcode is not None:
        return False
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    return process.exitcode == -signal.SIGKILL


@pytest.mark.slow
def test_fifty_kills_at_random_points_change_no_byte(world: Path, tmp_path: Path) -> None:
    """Each process is a new one with its own batch size; SIGKILL leaves it no time for anything."""
    assert main(command(world, tmp_path / "whole", 256)) == 0
    expected = (tmp_path / "whole" / TRANSCRIPTS).read_bytes()
    # A fork server that has imported the arena already: the time goes to playing, not to starting.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    draw = Stream(key("kills"))
    kills = runs = amid = 0
    while kills < KILLS:
        out, ended = tmp_path / f"run-{runs}", False
        while not ended:
            words = command(world, out, 1 + draw.below(64))
            process = context.Process(target=main, args=(words,))
            process.start()
            if kills < KILLS and struck(process, out / TRANSCRIPTS, draw):
                kills += 1
                amid += 0 < size(out / TRANSCRIPTS) < len(expected)
            else:
                process.join()
                ended = True
        assert (out / TRANSCRIPTS).read_bytes() == expected
        assert summary(out) == summary(tmp_path / "whole")
        runs += 1
    assert amid > KILLS / 2
