"""Self-play of the shipped neural players, in lockstep and one game at a time, on two threads.

Both go through the arena with the same players and plan; only the batch differs. What is said must be the
same, but for questions in which two words score alike to the last digits of a float: these are counted.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import h5py
import numpy as np
import torch
from torch import nn

from referee.arena import Plan, play
from referee.cli import main as referee
from referee.datasets import guesswhat as reader
from referee.games import GuessWhat, Transcript, guesswhat
from referee.players.neural import presets, shipped
from referee.players.neural.checkpoint import described, save
from referee.players.neural.examples import fresh
from referee.players.neural.gdse import GDSE
from referee.players.neural.guesser import DialogueGuesser
from referee.players.neural.oracle import Oracle
from referee.players.neural.qgen import QGen
from referee.players.neural.vocabulary import Vocabulary

GAMES = 2000
ALONE = 40
"""The games that are played one at a time; their speed stands for that of all."""
BATCH = 512
TURNS = 5
THREADS = 2
TIMES = 3
BAR = 12.0
QUESTIONERS = ("devries-sl", "gdse-sl")
ALIKE = 0.98
"""The least share of games in which the two ways must say the same."""


SHIPPED = ("oracle", "guesser", *QUESTIONERS)
IMAGE = presets.qgen("tiny").config.image
"""The length of an image's features in the tiny presets."""


def prepared(folder: Path) -> tuple[list[GuessWhat], dict[str, str]]:
    """The games of a small world, and the players by name: those that ship, or fresh ones."""
    world, features = folder / "world", folder / "features.h5"
    made = ("data", "make", "iconworld", "--games", str(4 * GAMES), "--out", str(world))
    learned = set(SHIPPED) <= set(shipped())
    parts = ("--part", "guesswhat", *(("--part", "pictures") if learned else ()))
    if referee((*made, *parts)):
        raise SystemExit(1)
    games = list(reader.games(world / "guesswhat.train.jsonl.gz"))[:GAMES]
    if not learned:
        return games, unlearned(folder, games, features)
    extract = ("--images", str(world / "images"), "--model", "icons", "--out", str(features))
    if referee(("features", "extract", *extract)):
        raise SystemExit(1)
    named = {name: f"neural:{name}?features={features}" for name in QUESTIONERS}
    return games, {"oracle": "neural:oracle", **named}


def unlearned(folder: Path, games: Sequence[GuessWhat], features: Path) -> dict[str, str]:
    """Networks of the same sizes with fresh weights, and features by lot; they ask as long as they may."""
    images = list(dict.fromkeys(game.image for game in games))
    with h5py.File(features, "w") as file:
        random = np.random.default_rng(0)
        file["features"] = random.random((len(images), IMAGE), np.float32)
        file["idx2img"] = np.array([int(image) for image in images], np.int32)
    words = Vocabulary.counted([f"word{number} ?" for number in range(400)], 1)
    many = len(words)
    oracle, guesser = presets.oracle("tiny").config, presets.guesser("tiny").config
    qgen, gdse = presets.qgen("tiny").config, presets.gdse("tiny").config
    models: tuple[tuple[str, str, object, Callable[[], nn.Module]], ...] = (
        ("oracle", "oracle", oracle, partial(Oracle, oracle, many)),
        ("guesser", "guesser", guesser, partial(DialogueGuesser, guesser, many)),
        ("devries-sl", "qgen", qgen, partial(QGen, qgen, many)),
        ("gdse-sl", "gdse", gdse, partial(GDSE, gdse, many)),
    )
    for name, kind, config, build in models:
        save(folder / name, fresh(0, build), described(kind, config, words))
    return {
        "oracle": f"neural:{folder / 'oracle'}",
        "devries-sl": f"neural:{folder / 'devries-sl'}?features={features}&guesser={folder / 'guesser'}",
        "gdse-sl": f"neural:{folder / 'gdse-sl'}?features={features}",
    }


def timed(
    games: Sequence[GuessWhat], player: str, oracle: str, batch: int
) -> tuple[float, list[Transcript]]:
    """Games a second, and what was played."""
    seats = {"questioner": player, "oracle": oracle, "guesser": player}
    plan = Plan(guesswhat.Rules(max_turns=TURNS, beliefs=True), 0)
    started = time.perf_counter()
    found = list(play(games, seats, plan, batch=batch))
    return len(games) / (time.perf_counter() - started), found


def said(played: Transcript) -> tuple[list[tuple[str, str]], str | None]:
    """What was said and guessed; probabilities differ in their last digits."""
    return [(turn.question, turn.answer) for turn in played.turns], played.guess


def case_selfplay() -> dict[str, object]:
    """The least ratio of the questioners; best of several, the players being made anew each time."""
    torch.set_num_threads(THREADS)
    told: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        games, players = prepared(Path(folder))
        for name in QUESTIONERS:
            player, oracle = players[name], players["oracle"]
            timed(games[:ALONE], player, oracle, ALONE)  # what is loaded once is loaded now
            together = alone = 0.0
            for _ in range(TIMES):
                speed, many = timed(games, player, oracle, BATCH)
                together = max(together, speed)
                speed, few = timed(games[:ALONE], player, oracle, 1)
                alone = max(alone, speed)
            # games come as they end, and they end after different numbers of questions
            others = {played.game.id: played for played in many}
            pairs = [(one, others[one.game.id]) for one in few]
            same = sum(said(one) == said(other) for one, other in pairs)
            assert same >= ALIKE * ALONE, f"{name}: {same} of {ALONE} games are the same"
            told[name] = {
                "lockstep games per second": round(together),
                "alone games per second": round(alone, 1),
                "ratio": round(together / alone, 1),
                f"games the same of {ALONE}": same,
            }
    weights = "shipped" if players["oracle"] == "neural:oracle" else "fresh"
    worst = min(told[name]["ratio"] for name in QUESTIONERS)
    return {
        "name": f"self-play of {GAMES} games in lockstep over one at a time",
        "value": worst,
        "bar": BAR,
        "unit": "x, at least",
        "passed": worst >= BAR,
        "details": {"threads": THREADS, "questions": TURNS, "weights": weights, **told},
    }
