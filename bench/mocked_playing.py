"""2,000 games of ten calls to a mock model without latency: our arena, inspect_ai's and clemcore's loops.

The rivals live in a Python of their own, since nothing of theirs belongs among this project's packages:
REFEREE_BENCH_INSPECT and REFEREE_BENCH_CLEMCORE name the interpreters; a name that is not set becomes a
virtual environment under the user's cache folder, made by pip once. A rival that cannot be installed is
told and left out.

All play the same games with the same prompts and the same model (`mocked`), and write what was said:
inspect_ai one .eval file with every call and its messages, clemcore a folder a game with its events, we a
run folder with every event, its time and its tokens. Every rival plays the first games only, as many as
take some seconds; its speed does not grow with more. What was said in these is compared turn by turn.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import mocked
from referee.arena import Plan, play_into
from referee.arena.run import read
from referee.games import ANSWERS, Belief, Box, Cost, GuessWhat, Scene, Thing, guesswhat
from referee.players.resolve import seat
from referee.players.seats import Query, View

GAMES, SOME = 2000, 200
BATCH = 256
TIMES = 5
WALL_BAR, CPU_BAR = 150.0, 20.0
CATEGORIES = (
    "person",
    "dog",
    "cat",
    "car",
    "chair",
    "table",
    "cup",
    "bottle",
    "bowl",
    "bus",
    "cow",
)
HERE = Path(__file__).parent


class Chat:
    """A text model in the questioner's and the oracle's seat; the guess is scripted."""

    version = "1"

    def __init__(self) -> None:
        self._costs: list[Cost] = []

    def ask(self, views: Sequence[View]) -> list[str | None]:
        """Sends the dialogue so far as a chat."""
        chats = []
        for view in views:
            assert view.scene is not None
            chat = [("user", mocked.asking(named(view.scene)))]
            for turn in view.turns:
                chat += [("assistant", turn.question), ("user", turn.answer)]
            chats.append(chat)
        return [*self._say(chats)]

    def answer(self, queries: Sequence[Query]) -> list[list[float]]:
        """Sends the thing and the question; the word that comes back is certain."""
        told = [mocked.telling(named(q.scene), q.thing, q.question) for q in queries]
        said = self._say([[("user", text)] for text in told])
        return [[float(answer == text) for answer in ANSWERS] for text in said]

    def believe(self, views: Sequence[View]) -> list[Belief]:
        """Not asked: the guess is pointed at."""
        raise NotImplementedError

    def guess(self, views: Sequence[View]) -> list[str | None]:
        """The scripted guess."""
        found: list[str | None] = []
        for view in views:
            assert view.scene is not None
            things = view.scene.things
            said = [turn.answer for turn in view.turns]
            found.append(things[mocked.guess(said, len(things))].id)
        self._costs = [Cost()] * len(views)
        return found

    def spent(self) -> Sequence[Cost]:
        """What the last call took, as the rivals note it."""
        return self._costs

    def _say(self, chats: Sequence[mocked.Messages]) -> list[str]:
        self._costs = [Cost(tokens_in=len(chat), tokens_out=1) for chat in chats]
        return [mocked.reply(chat) for chat in chats]


def named(scene: Scene) -> list[str]:
    """The things of a scene as the prompts name them."""
    return [thing.category for thing in scene.things]


def games() -> list[GuessWhat]:
    """Scenes of 3 to 12 things."""
    random = np.random.default_rng(0)
    made = []
    for number in range(GAMES):
        chosen = random.choice(len(CATEGORIES), int(random.integers(3, 13))).tolist()
        things = tuple(
            Thing(f"{number}-{place}", CATEGORIES[kind], kind + 1, Box(10 * place, 0, 8, 8))
            for place, kind in enumerate(chosen)
        )
        target = things[int(random.integers(len(things)))].id
        made.append(GuessWhat(str(number), Scene(str(number), 200, 200, things), target))
    return made


def arena(played: Sequence[GuessWhat]) -> dict[str, Any]:
    """Our own run, as a rival tells its: what was said, and what it took."""
    chat = Chat()
    players = seat({"questioner": chat, "oracle": chat, "guesser": chat})
    plan = Plan(guesswhat.Rules(mocked.TURNS))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run"
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in play_into(folder, played, players, plan, files={}, batch=BATCH):
            pass
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        written = sum(path.stat().st_size for path in folder.iterdir())
        said = {}
        for transcript in read(folder):
            game = transcript.game
            assert isinstance(game, GuessWhat)
            ids = [thing.id for thing in game.scene.things]
            turns = [text for turn in transcript.turns for text in (turn.question, turn.answer)]
            said[game.id] = {"said": turns, "guess": ids.index(str(transcript.guess))}
    return {"games": said, "seconds": wall, "cpu": cpu, "bytes": written}


@cache
def ours() -> dict[str, Any]:
    """The best of several of our runs of all games."""
    played = games()
    runs = [arena(played) for _ in range(TIMES)]
    best = {what: min(run[what] for run in runs) for what in ("seconds", "cpu")}
    return {**runs[0], **best}


def interpreter(package: str) -> Path | None:
    """A Python that has a rival; None where it can be neither found nor made."""
    named = os.environ.get(f"REFEREE_BENCH_{package.partition('_')[0].upper()}")
    if named:
        return Path(named)
    cache_home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    folder = cache_home / "referee" / "bench" / package
    found = folder / "bin" / "python"
    wanted = [str(found), "-c", f"import {package}"]
    if found.exists() and not subprocess.run(wanted, check=False, capture_output=True).returncode:
        return found
    for command in (
        [sys.executable, "-m", "venv", str(folder)],
        [str(found), "-m", "pip", "install", "--quiet", package],
    ):
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            print(f"       {package} cannot be installed: {why}")
            return None
    return found


def rival(package: str) -> dict[str, Any] | None:
    """What a rival needed for the first games."""
    python = interpreter(package)
    if python is None:
        return None
    described = [
        {"id": game.id, "things": named(game.scene), "target": game.target_index}
        for game in games()[:SOME]
    ]
    script = HERE / f"rival_{package.partition('_')[0]}.py"
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder) / "games.json", Path(folder) / "played.json"
        source.write_text(json.dumps(described))
        command = [str(python), str(script), str(source), str(result)]
        done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)
        if done.returncode:
            raise SystemExit(f"{script.name} failed:\n{done.stderr[-2000:]}")
        found: dict[str, Any] = json.loads(result.read_text())
    return found


def beside(package: str) -> dict[str, object]:
    """Games a second of the processor as a multiple of a rival's; the bar by the clock stands beside it."""
    name = f"{GAMES} games of ten calls beside {package}"
    unit = "x the games a second of the processor, at least"
    theirs, mine = rival(package), ours()
    if theirs is None:
        why = {"skipped": f"{package} is not here and cannot be installed"}
        return {"name": name, "value": None, "bar": CPU_BAR, "unit": unit, "passed": True} | {
            "details": why
        }
    assert len(theirs["games"]) == SOME
    for game, said in theirs["games"].items():
        assert mine["games"][game] == said, f"game {game} went another way"
    speeds = {
        who: {what: count / run[what] for what in ("seconds", "cpu")}
        for who, run, count in (("ours", mine, GAMES), ("theirs", theirs, SOME))
    }
    wall, cpu = (speeds["ours"][what] / speeds["theirs"][what] for what in ("seconds", "cpu"))
    return {
        "name": name,
        "value": round(cpu, 1),
        "bar": CPU_BAR,
        "unit": unit,
        "passed": wall >= WALL_BAR and cpu >= CPU_BAR,
        "details": {
            "version": theirs["version"],
            "x the games a second by the clock": round(wall, 1),
            "at least": WALL_BAR,
            "our games a second": round(speeds["ours"]["seconds"]),
            "our games a processor second": round(speeds["ours"]["cpu"]),
            f"their games a second (first {SOME})": round(speeds["theirs"]["seconds"], 1),
            "their games a processor second": round(speeds["theirs"]["cpu"], 1),
            "our bytes a game": round(mine["bytes"] / GAMES),
            "their bytes a game": round(theirs["bytes"] / SOME),
        },
    }


def case_inspect() -> dict[str, object]:
    """Beside inspect_ai, whose loop waits most of the time."""
    return beside("inspect_ai")


def case_clemcore() -> dict[str, object]:
    """Beside clemcore, whose loop never waits: the clock shows it no slower than the processor."""
    return beside("clemcore")
